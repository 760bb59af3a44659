/** Finds attention in a cell's text by keywords, independently of the interpreter. The comparison shows what the interpreter misses. */
import { code, type Cell } from './cells';

/** `additive`: scores from a layer over a sum (Bahdanau et al. 2015) instead of a product of two tensors. */
export type Kind = 'dot product' | 'built in' | 'softmax of scores' | 'additive';

const builtIn =
  /\b(?:scaled_dot_product_attention|MultiheadAttention|MultiHeadAttention|TransformerEncoderLayer|TransformerDecoderLayer|flash_attn_func|memory_efficient_attention|MultiHeadDotProductAttention|dot_product_attention)\s*\(|\blayers\.(?:Additive)?Attention\s*\(/;
const softmax = /softmax|Softmax|\bexp\s*\([^\n]*\)\s*\/|masked_softmax/i;
const product =
  /\bmatmul\s*\(|\bbmm\s*\(|\beinsum\s*\(|\btensordot\s*\(|\bbaddbmm\s*\(|\.dot\s*\(|\bdot\s*\(|[\w)\]] @ |[\w)\]]@[\w(]|\.mm\s*\(/;
const scores =
  /softmax\w*\s*\([^\n]*(?:score|attn|att\b|attention|energy|\bsim|\bwei|dots|align|affinit|logits_qk|\bqk|q_k)/i;
/** Largest distance in lines between a softmax and a product. A softmax alone is not attention but, for example, a classifier's last layer or a loss. */
const reach = 14;

/** The kind of attention in a cell; undefined if it has none. */
export function attentionKind({ text }: Cell): Kind | undefined {
  const lines = code(text).split('\n');
  const calls = lines.filter((line) => !/^\s*(?:def|class|from|import)\b/.test(line)).join('\n');
  const soft = lines.flatMap((line, i) => (softmax.test(line) && !isNoCall(line) ? [i] : []));
  const near = (from: number, to: number): boolean => product.test(lines.slice(Math.max(0, from), to).join('\n'));
  if (
    soft.some((i) => near(i - reach, i + 1) && (near(i + 1, i + reach) || product.test(afterSoftmax(lines[i] ?? ''))))
  )
    return 'dot product';
  if (builtIn.test(calls)) return 'built in';
  if (
    soft.some((i) => /tanh/.test(lines.slice(Math.max(0, i - reach), i + 1).join('\n')) && near(i - reach, i + reach))
  )
    return 'additive';
  return lines.some((line) => scores.test(line) && !isNoCall(line)) ? 'softmax of scores' : undefined;
}

const isNoCall = (line: string): boolean =>
  /^\s*(?:def|class|from|import)\b|nn\.(?:Log)?Softmax\s*\(|layers\.Softmax\s*\(|log_softmax|LogSoftmax|cross_entropy/.test(
    line,
  );

const afterSoftmax = (line: string): string => line.slice(line.search(/softmax/i));

export const softmaxOffset = ({ text }: Cell): number =>
  Math.max(0, code(text).search(/softmax|MultiheadAttention|dot_product_attention/i));

/** The starting lines of statements that assign or return a computed value, where a shape should be shown. */
export function computingLines({ text }: Cell): readonly number[] {
  const starts: number[] = [];
  const plain = code(text);
  let [depth, at] = [0, 0];
  for (const { index } of plain.matchAll(
    /^[ \t]*(?:[A-Za-z_][\w, ]*?(?:[ \t]*:[ \t]*[\w.[\], ]+)?[ \t]*[-+*/@]?=(?!=)|return\b.*[(@+*[/-])/gm,
  )) {
    // A line inside brackets belongs to the statement above.
    for (; at < index; at++) depth += '([{'.includes(plain[at] as string) ? 1 : ')]}'.includes(plain[at] as string) ? -1 : 0; // prettier-ignore
    if (depth <= 0) starts.push(index);
  }
  return starts;
}
