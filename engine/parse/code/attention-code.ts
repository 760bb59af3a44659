/** Finds attention in code that is not evaluated here, so that it can be named with its position. */
import { t, type Problem, type TextRange } from '../../text';
import { callsIn } from './calls';
import { codeOf, codeWeight, linesOf, type Line } from './lines';

/** Calls that affect the result of attention. */
const calls =
  /(?<![\p{L}\d_])(?<!(?<!\))\.)(?:[\p{L}_][\p{L}\d_]*(?:\.|::))*(?:\w*(?:Attention|Transformer)\w*|\w*(?:attention|sdpa|flash_attn)\w*|Linear|Dense|Embedding|Conv1D|LayerNorm|RMSNorm|LayerNormalization|BatchNorm\w*|Dropout|dropout|layer_norm|rms_norm|masked_fill_?|tril|triu|softmax|Softmax|einsum|rearrange|repeat_kv|repeat_interleave|chunk|unbind|apply_rotary\w*)\s*(?=\()/gu;
/** Names of matrices that contain the weights of queries, keys and values. */
const fused =
  /(?<![\p{L}\d_])(?:in_proj_(?:weight|bias)|c_attn|qkv(?:_?proj|_?weight|_layer)?|to_qkv|to_kv|[Ww]_?qkv|query_key_value|kv_proj|W_pack)(?![\p{L}\d_])/giu;
/** Assignments of settings. */
const settings =
  /(?<![\p{L}\d_.])(?:self\.)?(?:n_heads?|num_heads|nheads?|num_attention_heads|num_kv_heads|dropout(?:_p|_rate)?|is_causal|scal(?:e|ing)|attn_mask|key_padding_mask|attention_mask|sliding_window|window_size|softcap)\s*=(?!=)\s*[^,;()\s]+(?![(\p{L}\d_.])/gu;

const blockStart =
  /^\s*(?:async\s+)?(class|def|function|struct)\s+([\p{L}_][\p{L}\d_.!]*)|^\s*([\p{L}_][\p{L}\d_.]*)\s*<-\s*function\b|^\s*(?:export\s+)?(?:const|let|var)\s+([\p{L}_$][\p{L}\d_$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/u;

/** Whether a name is that of fused weights of queries, keys and values: `in_proj_weight`, `attn.c_attn.weight`. */
export const isFused = (name: string): boolean => new RegExp(fused.source, 'iu').test(name);

export interface AttentionCode {
  /** `class SelfAttention`, `nn.MultiheadAttention(16, num_heads=4)` */
  readonly what: string;
  /** Calls and settings of attention in it. */
  readonly parts: readonly string[];
  readonly range: TextRange;
}

/** Most parts that are listed. */
const mostNamed = 24;

/** Classes, functions, calls and settings of attention, in order. What is inside a class or function is listed with it. */
export function attentionCodeIn(text: string): AttentionCode[] {
  const lines = linesOf(text);
  const code = codeOf(text);
  const found: AttentionCode[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (!line) break;
    const [, kind, named, assigned, arrow] = blockStart.exec(line.code) ?? [];
    const name = named ?? assigned ?? arrow;
    if (name !== undefined && codeWeight(line) > 0) {
      const next = blockEnd(lines, at);
      const range = { start: line.start + line.indent, end: lines[next - 1]?.end ?? line.end };
      const parts = partsIn(text, code, { start: line.end, end: range.end }).map(({ name: part }) => part);
      const isClass = kind === 'class' || kind === 'struct';
      found.push({ what: isClass ? t('class {0}', name) : t('function {0}', name), parts: [...new Set(parts)], range });
      at = next;
      continue;
    }
    if (codeWeight(line) > 0) found.push(...inLine(text, code, line));
    at++;
  }
  return found;
}

/** The line after a block: the first that is indented no deeper than its head and does not only close it. */
function blockEnd(lines: readonly Line[], head: number): number {
  const indent = lines[head]?.indent ?? 0;
  let end = head + 1;
  for (let at = head + 1; at < lines.length; at++) {
    const line = lines[at];
    if (!line || line.code.trim() === '') continue;
    const closes = /^\s*(?:[})\]]|end\b)/.test(line.code);
    if (line.indent <= indent && !closes) break;
    end = at + 1;
    if (line.indent <= indent && /^\s*(?:\}|end\b)/.test(line.code)) break;
  }
  return end;
}

interface Part {
  readonly name: string;
  readonly range: TextRange;
}

function partsIn(text: string, code: string, { start, end }: TextRange): Part[] {
  const within = code.slice(start, end);
  const own = text.slice(start, end);
  const called = callsIn(own, within, calls).map(({ callee, range }) => ({
    name: callee.replace(/^self\./, ''),
    range,
  }));
  const others = [fused, settings].flatMap((pattern) =>
    [...within.matchAll(pattern)].map(({ 0: name, index }) => ({
      name: name.replace(/\s+/g, ''),
      range: { start: index, end: index + name.length },
    })),
  );
  const inCall = (part: Part): boolean =>
    called.some(({ range }) => range.start <= part.range.start && part.range.end <= range.end);
  return [...called, ...others.filter((part) => !inCall(part))]
    .sort((a, b) => a.range.start - b.range.start)
    .map(({ name, range }) => ({ name, range: { start: start + range.start, end: start + range.end } }));
}

/** Longest quoted code. */
const longestQuote = 60;

/** Attention in one line; a call that continues below is included with its arguments. */
function inLine(text: string, code: string, line: Line): AttentionCode[] {
  const reach = Math.min(text.length, line.end + 600);
  let end = -1;
  return partsIn(text, code, { start: line.start, end: reach }).flatMap(({ range }) => {
    if (range.start >= line.end || range.start < end) return [];
    end = range.end;
    const quoted = text.slice(range.start, range.end).replace(/\s+/g, ' ');
    return [{ what: quoted.length > longestQuote ? `${quoted.slice(0, longestQuote)}…` : quoted, parts: [], range }];
  });
}

const isWithin = (a: TextRange, b: TextRange): boolean => a.start >= b.start && a.end <= b.end;

/** A note with a range for each, except for those in `followed`. */
export function unfollowedCodeNotes(text: string, followed: readonly TextRange[]): Problem[] {
  const found = attentionCodeIn(text).filter(({ range }) => !followed.some((other) => isWithin(range, other)));
  const notes = found.slice(0, mostNamed).map(noteOf);
  if (found.length <= mostNamed) return notes;
  const range = found[mostNamed]?.range ?? { start: 0, end: text.length };
  return [
    ...notes,
    { code: 'not-followed', message: t('{0} more are not followed.', found.length - mostNamed), range },
  ];
}

function noteOf({ what, parts, range }: AttentionCode): Problem {
  if (parts.length === 0 && /^[\w.]+$/.test(what) && isFused(what))
    return { code: 'not-followed', message: t('{0} holds W_q, W_k and W_v in one: it is not split, and not followed.', what), range }; // prettier-ignore
  const shown = parts.slice(0, 6).join(', ');
  const message =
    parts.length === 0
      ? t('{0} is not followed.', what)
      : parts.length > 6
        ? t('{0} is not followed, nor what is in it: {1} and {2} more.', what, shown, parts.length - 6)
        : t('{0} is not followed, nor what is in it: {1}.', what, shown);
  return { code: 'not-followed', message, range };
}
