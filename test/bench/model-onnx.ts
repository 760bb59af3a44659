// GPT-2 as a graph for onnxruntime-web, with its weights where model.safetensors has them.
import type { Graph, Node } from './onnx';

export interface Gpt2Sizes {
  readonly width: number;
  readonly heads: number;
  readonly layers: number;
  readonly vocabulary: number;
  readonly tokens: number;
}

/** Shape and first byte of a tensor in the file. */
export type Places = Readonly<Record<string, { readonly shape: readonly number[]; readonly at: number }>>;

/** Inputs: `x`, rows of the embedding with positions, tokens × width, and `mask`, tokens × tokens, added to scores. Output: `logits` of the last token. */
export function gpt2Graph({ width, heads, layers, vocabulary, tokens }: Gpt2Sizes, weights: Places): Graph {
  const nodes: Node[] = [];
  let last = 0;
  const add = (op: string, inputs: readonly string[], attributes?: Node['attributes']): string => {
    const output = `t${last++}`;
    nodes.push({ op, inputs, output, ...(attributes && { attributes }) });
    return output;
  };
  const norm = (x: string, name: string): string => add('LayerNormalization', [x, `${name}.weight`, `${name}.bias`], { axis: -1 }); // prettier-ignore
  const linear = (x: string, name: string): string => add('Add', [add('MatMul', [x, `${name}.weight`]), `${name}.bias`]); // prettier-ignore
  const split = (x: string, perm: readonly number[]): string => add('Transpose', [add('Reshape', [x, 'byHead'])], { perm }); // prettier-ignore
  let x = 'x';
  for (let i = 0; i < layers; i++) {
    const qkv = linear(norm(x, `h.${i}.ln_1`), `h.${i}.attn.c_attn`);
    const parts = ['q', 'k', 'v'].map((part) => `${part}${i}`);
    nodes.push({ op: 'Split', inputs: [qkv], output: parts, attributes: { axis: -1 } });
    const [q = '', k = '', v = ''] = parts;
    const scores = add('MatMul', [split(q, [1, 0, 2]), split(k, [1, 2, 0])]);
    const hidden = add('Add', [add('Mul', [scores, 'scale']), 'mask']);
    const mixed = add('MatMul', [add('Softmax', [hidden], { axis: -1 }), split(v, [1, 0, 2])]);
    const joined = add('Reshape', [add('Transpose', [mixed], { perm: [1, 0, 2] }), 'joined']);
    const attended = add('Add', [linear(joined, `h.${i}.attn.c_proj`), x]);
    const raised = linear(norm(attended, `h.${i}.ln_2`), `h.${i}.mlp.c_fc`);
    // Hendrycks and Gimpel, arXiv:1606.08415, with tanh, as GPT-2 has it and as exporters write it.
    const cubed = add('Mul', [add('Pow', [raised, 'three']), 'cubic']);
    const bent = add('Add', [add('Tanh', [add('Mul', [add('Add', [raised, cubed]), 'root'])]), 'one']);
    x = add('Add', [linear(add('Mul', [add('Mul', [raised, 'half']), bent]), `h.${i}.mlp.c_proj`), attended]);
  }
  const end = add('Gather', [norm(x, 'ln_f'), 'last'], { axis: 0 });
  nodes.push({ op: 'Gemm', inputs: [end, 'wte.weight'], output: 'logits', attributes: { transB: 1 } });
  const { 'wpe.weight': _, ...read } = weights;
  return {
    nodes,
    weights: read,
    inputs: { x: [tokens, width], mask: [tokens, tokens] },
    outputs: { logits: [1, vocabulary] },
    scalars: { scale: Math.sqrt(heads / width), three: 3, cubic: 0.044715, root: Math.sqrt(2 / Math.PI), one: 1, half: 0.5 },
    integers: { byHead: [tokens, heads, width / heads], joined: [tokens, width], last: [tokens - 1] },
  };
} // prettier-ignore
