/** LaTeX's mathematics as tokens: styles and spaces are passed by, macros of the document are expanded. */
import type { TextRange } from '../../text';
import { afterDefinition, areSizes, isOneName, shapeNote, skipDot } from './asides';
import { groupAt } from './braces';
import { accents, bolds, boldWord, braces, definitions, signs, single, skipped, styles, usualMacros, wordCommands } from './commands'; // prettier-ignore
import { afterGroup, divides, matched, mostTokens, put, wordBelow, type Cutting } from './cutting';
import { blackboard, ones, wordArgument } from './latex-words';
import type { Macro, Macros } from './macros';
import { functions, greekLetters, type Token } from './tokens';

/** The tokens of `text[start, end)`; undefined where there are more than are read. */
export function latexTokens(text: string, { start, end }: TextRange, macros: Macros): readonly Token[] | undefined {
  const cut: Cutting = { text, macros, tokens: [], steps: 0, depth: 0, spaced: false, open: 0, hasRelation: false };
  return cutInto(cut, start, end) ? cut.tokens : undefined;
}

const deepest = 12;

function cutInto(cut: Cutting, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    if (++cut.steps > 4 * mostTokens || cut.tokens.length > mostTokens) return false;
    const next = oneToken(cut, at, end);
    if (next === undefined) return false;
    at = next;
  }
  return true;
}

const space = /[\s~\u200b]+/y;
const number = /\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e[-+]?\d+)?/y;
const command = /\\(?:[A-Za-z]+\*?|[\s\S])/y;
/** `hidden\\_size`, as letters. */
const escapedWord = /[A-Za-z]{2,}(?:\\_[A-Za-z]+)+/y;
/** `[3px]` of `\\\\[3px]`. */
const lineHeight = /\s*\[\s*-?\d*\.?\d+\s*(?:pt|px|em|ex|mm|cm|in|mu)\s*\]/y;
/** `M` of `65M` parameters. */
const unit = /[MB](?![A-Za-z_^'{(\\])/y;

function oneToken(cut: Cutting, at: number, end: number): number | undefined {
  const { text } = cut;
  const blank = matched(space, text, at, end);
  if (blank !== undefined) {
    cut.spaced = true;
    return at + blank.length;
  }
  const first = text.charAt(at);
  if (first === '\\') return oneCommand(cut, at, end);
  if (first === '%') return skipComment(text, at, end);
  const escaped = /[A-Za-z]/.test(first) ? matched(escapedWord, text, at, end) : undefined;
  if (escaped !== undefined) {
    put(cut, 'word', escaped.replaceAll('\\', ''), at, at + escaped.length);
    return at + escaped.length;
  }
  const word = /[A-Za-z]/.test(first) ? matched(functions, text, at, end) : undefined;
  const digits = word === undefined && /\d/.test(first) ? matched(number, text, at, end) : undefined;
  const dots = text.startsWith('...', at) ? '...' : undefined;
  const found = word ?? digits ?? dots ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
  const to = at + found.length;
  const times = found.length > 1 && digits !== undefined ? matched(unit, text, to, end) : undefined;
  if (times !== undefined) {
    put(cut, 'number', String(Number(found.replaceAll(',', '')) * (times === 'M' ? 1e6 : 1e9)), at, to + 1);
    return to + 1;
  }
  if (found === '.' && isProductPoint(cut, at)) put(cut, 'sign', '·', at, to);
  else if (dots || word === 'where' || word === 'and') put(cut, dots ? 'dots' : 'sign', dots ? '…' : ',', at, to);
  else put(cut, word ? (/^(?:max|min)$/.test(word) ? 'big' : word === 'sqrt' ? 'root' : 'word') : digits ? 'number' : (single.get(found) ?? (/\p{L}/u.test(found) ? 'name' : 'unread')), found === '−' ? '-' : found === 'Head' ? 'head' : /^[，、；]$/.test(found) ? ',' : found, at, to); // prettier-ignore
  const below = found === '_' ? wordBelow(text, at, end) : undefined;
  if (below === undefined) return to;
  put(cut, 'word', below, to, to + below.length);
  return to + below.length;
}

/** `Q.K^T`, `q_1.k_2`, `\right).V`: with no space around it. */
function isProductPoint({ text, tokens }: Cutting, at: number): boolean {
  const [before, last] = tokens.slice(-2);
  const isFactor = /^(?:name|close|transpose|end-group)$/.test(last?.kind ?? '') || (last?.kind === 'number' && before?.kind === 'sub'); // prettier-ignore
  return isFactor && /^\S\.(?:[A-Za-z](?![A-Za-z]{2})|\\(?:mathbf|boldsymbol|bm|vec|hat|tilde|bar|left|big)[^A-Za-z])/.test(text.slice(at - 1, at + 12)); // prettier-ignore
}

function skipComment(text: string, at: number, end: number): number {
  const line = text.indexOf('\n', at);
  return line < 0 || line > end ? end : line;
}

function oneCommand(cut: Cutting, at: number, end: number): number | undefined {
  const { text, macros } = cut;
  const found = matched(command, text, at, end) ?? '\\';
  const name = found.slice(1);
  const after = at + found.length;
  const next = text.slice(after, Math.min(end, after + 12));
  const macro = macros.get(name);
  if (macro) return expanded(cut, macro, at, after, end);
  if (/^(?:mathbf|boldsymbol|mathbb)$/.test(name) && /^\s?\{1\}/.test(next)) return ones(cut, at, after, end);
  const letter = bolds.has(name) ? /^\s*(?:\{\s*)?(?=[A-Za-z](?:\s*\}|[^A-Za-z{}]|$))/.exec(next)?.[0].length : undefined; // prettier-ignore
  if (letter !== undefined) cut.bold = after + letter;
  if (name === 'mathbf' && boldWord.test(next)) return wordArgument(cut, at, after, end);
  if (/^[,;:! ]?$/.test(name) || styles.has(name)) {
    cut.spaced = true;
    return skipDot(text, name, after);
  }
  if (name === 'quad' || name === 'qquad') return wideSpace(cut, at, after, end);
  if (name === 'begin' || name === 'end') return environment(cut, name, at, after, end);
  // `\mathcal{V}`: a vocabulary, or nodes, beside V.
  if (/^math(?:cal|scr)$/.test(name) && text.startsWith('{V}', after)) {
    put(cut, 'name', '𝒱', at, after + 3);
    return after + 3;
  }
  if (wordCommands.has(name)) return wordArgument(cut, at, after, end);
  if (name === 'mathbb') return blackboard(cut, at, after, end);
  if (/^(?:f?color|text)(?:box|color)$/.test(name)) return wordArgument(cut, at, afterGroup(text, after, end), end);
  if (skipped.has(name)) return afterGroup(text, after, end);
  if (definitions.has(name)) return afterDefinition(text, after, end);
  if (braces.has(name)) return besidesItsNote(cut, after, end);
  const sign = signs.get(name);
  const greek = greekLetters.get(name);
  if (name === '\\') {
    put(cut, 'row', name, at, after);
    return after + (matched(lineHeight, text, after, end) ?? '').length;
  }
  if (/^(?:R|RR|IR|[Rr]eals?)$/.test(name)) put(cut, 'name', 'ℝ', at, after);
  else if (usualMacros.has(name)) put(cut, 'word', name, at, after);
  else if (sign) put(cut, sign[0], sign[1], at, after);
  else if (accents.has(name)) put(cut, 'accent', name === 'overrightarrow' ? 'vec' : name, at, after);
  // `\xrightarrow{\text{softmax}}`.
  else if (/^x[a-zA-Z]*arrow$/.test(name)) {
    put(cut, 'sign', '→', at, after);
    return afterGroup(text, after, end);
  } else put(cut, greek ? 'name' : 'unread', greek ?? found, at, after);
  return after;
}

/** `\qquad`: between statements, or before the shape of what is said before it. */
function wideSpace(cut: Cutting, at: number, after: number, end: number): number {
  const isSaid = cut.hasRelation || (cut.open === 0 && cut.tokens.length > 0);
  const note = cut.call === undefined && isSaid ? shapeNote(cut.text, after, end) : undefined;
  if (note !== undefined) {
    put(cut, 'sign', cut.hasRelation ? ':' : '∈', at, after);
    put(cut, 'open', '(', after + note - 1, after + note);
    return after + note;
  }
  if (cut.call === undefined && divides(cut, after, end)) put(cut, 'sign', ',', at, after);
  cut.spaced = true;
  return after;
}

/** `\underbrace{A}_{\text{weights}}` is A; `\stackrel{\text{def}}{=}` is what stands last. */
function besidesItsNote(cut: Cutting, at: number, end: number): number | undefined {
  const isSide = cut.tokens.at(-1)?.text === '=';
  const first = groupAt(cut.text, at, end);
  if (!first) return at;
  const second = groupAt(cut.text, first.end + 1, end);
  const whole = second ?? first;
  const script = second ? undefined : /^\s*[_^]\s*/.exec(cut.text.slice(whole.end + 1, Math.min(end, whole.end + 12)))?.[0]; // prettier-ignore
  const after = whole.end + 1 + (script ?? '').length;
  const below = script === undefined ? undefined : groupAt(cut.text, after, end);
  const note = second ? first : below;
  const sizes = note && isOneName(cut.text, whole) && areSizes(cut.text, note) ? note : undefined;
  if (!between(cut, whole, sizes !== undefined)) return undefined;
  if (sizes) {
    put(cut, 'sub', '_', sizes.start, sizes.end);
    if (!between(cut, sizes, true)) return undefined;
  }
  const to = script === undefined ? whole.end + 1 : below ? below.end + 1 : after + 1;
  // `Q = \underbrace{XW}_{n \times d}`, as the last that is said.
  if (
    below &&
    !sizes &&
    areSizes(cut.text, below) &&
    isSide &&
    /^\s*[.,]?\s*(?:$|\\\\)/.test(cut.text.slice(to, end))
  ) {
    put(cut, 'sign', ':', below.start, below.start);
    put(cut, 'open', '(', below.start, below.start);
    if (!between(cut, below, false)) return undefined;
    put(cut, 'close', ')', below.end, below.end);
  }
  return to;
}

/** What stands in a group, in braces or without them. */
function between(cut: Cutting, { start, end }: TextRange, inBraces: boolean): boolean {
  if (cut.depth >= deepest) return false;
  if (inBraces) put(cut, 'begin-group', '{', start - 1, start);
  cut.depth++;
  const isRead = cutInto(cut, start, end);
  cut.depth--;
  if (inBraces) put(cut, 'end-group', '}', end, end + 1);
  return isRead;
}

function environment(cut: Cutting, name: 'begin' | 'end', at: number, from: number, end: number): number {
  const group = groupAt(cut.text, from, end);
  const which = group ? cut.text.slice(group.start, group.end) : '';
  const after = group ? group.end + 1 : from;
  put(cut, name, which, at, after);
  return name === 'begin' && /^(?:array|tabular|alignat\*?)$/.test(which) ? afterGroup(cut.text, after, end) : after;
}

/** A macro's body where it is called; its arguments keep their own places. */
function expanded(cut: Cutting, macro: Macro, at: number, from: number, end: number): number | undefined {
  if (cut.depth >= deepest) return undefined;
  const { text, call } = cut;
  const given: TextRange[] = [];
  let after = from;
  for (let i = 0; i < macro.arguments; i++) {
    const group = groupAt(text, after, end) ?? nextLetter(text, after, end);
    if (!group) return undefined;
    given.push(group);
    after = text.charAt(group.end) === '}' ? group.end + 1 : group.end;
  }
  let isRead = true;
  cut.depth++;
  for (const piece of macro.body.split(/(#\d)/)) {
    const own = /^#\d$/.test(piece) ? given[Number(piece.charAt(1)) - 1] : undefined;
    Object.assign(cut, own ? { text, call, bold: undefined } : { text: piece, call: call ?? { start: at, end: after }, bold: undefined }); // prettier-ignore
    isRead &&= cutInto(cut, own?.start ?? 0, own?.end ?? piece.length);
  }
  cut.depth--;
  Object.assign(cut, { text, call, bold: undefined });
  return isRead ? after : undefined;
}

function nextLetter(text: string, at: number, end: number): TextRange | undefined {
  let start = at;
  while (start < end && /\s/.test(text.charAt(start))) start++;
  return start < end ? { start, end: start + 1 } : undefined;
}
