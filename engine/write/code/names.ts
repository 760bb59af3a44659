import type { Step } from '../../plan';

/** Python names of the steps: the panel's symbols, spelled as Python identifiers. */
const byId: Readonly<Record<string, string>> = {
  tokens: 'ids', table: 'W_E', embedding: 'E', given: 'E', positions: 'P', x: 'X', context: 'C', valueSource: 'X_v',
  wq: 'W_q', wk: 'W_k', wv: 'W_v', bq: 'b_q', bk: 'b_k', bv: 'b_v', wqkv: 'W_qkv', bqkv: 'b_qkv',
  q: 'Q', k: 'K', v: 'V', scores: 'S', scaled: 'Z', alibi: 'B', biased: 'Z_biased', capped: 'Z_capped', tempered: 'Z_tempered',
  biasTable: 'T_bias', buckets: 'buckets', relative: 'B_relative', related: 'Z_related',
  scoreVector: 'v_a', qFeatures: 'Q_features', kFeatures: 'K_features', sinks: 's', sunk: 'M_sink', shares: 'A_sink',
  mask: 'H', causalMask: 'H_causal', keyMask: 'H_keys', segmentMask: 'H_segments', jointMask: 'H_any', shifted: 'Z_shifted', masked: 'M', weights: 'A', lambdaVectors: 'Lambda', lambda: 'lam', differences: 'D', headGain: 'g_D', headsNormed: 'N_heads', headsScaled: 'O_scaled', headOutputs: 'O_heads', headsLeft: 'O_left', patched: 'A_patched', averagedWeights: 'A_mean', attended: 'O', concat: 'O_concat',
  wo: 'W_O', bo: 'b_O', outputProduct: 'Y_product',
  normed: 'N', ownRow: 'X_step', residual: 'R', residualNormed: 'R_normed', ffNormed: 'R_normed', w1: 'W_1', b1: 'b_1', w2: 'W_2', b2: 'b_2', wg: 'W_g',
  ffGate: 'G', ffHidden: 'F', ffHiddenProduct: 'F_product', ffActive: 'F_active', ffGated: 'F_gated', ffOutput: 'Y_ff',
  ffOutputProduct: 'Y_ff_product', blockSum: 'R_2', blockOutput: 'X_out', finalNormed: 'N_end', wu: 'W_U', bu: 'b_U',
  logits: 'L', logitsProduct: 'L_product', topLogits: 'L_top', probabilities: 'Y_hat',
}; // prettier-ignore

/** A unique variable for every step: `q` is Q, `qHeads` is Q_heads, `output` is O, or Y after W_O. */
export function variablesOf(steps: readonly Step[]): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const taken = new Set<string>();
  for (const step of steps) {
    const [, layer = '', id = ''] = /^(layer\d+_)?(.*)$/.exec(step.id) ?? [];
    const wanted = byId[id] ?? branchName(id) ?? (id === 'output' ? outputName(step) : id);
    const name = layer + (id === 'mask' && step.kind === 'signed' ? 'B_mask' : wanted);
    const own = taken.has(name) ? `${name}_${step.id}` : name;
    taken.add(own);
    variables.set(step.id, own);
  }
  return variables;
}

/** O or Y; a program's own name for its output may be an expression, or a name of the libraries. */
const outputName = ({ symbol }: Step): string => (/^[A-Z]$/.test(symbol) ? symbol : 'O');

/** `kShared` → `K_shared`. */
function branchName(id: string): string | undefined {
  const match = /^([qkv])([A-Z]\w*)$/.exec(id);
  return match ? `${match[1]?.toUpperCase()}_${match[2]?.toLowerCase()}` : undefined;
}
