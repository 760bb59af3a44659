/** A formula that is being cut into tokens, and what is asked of its text on the way. */
import type { TextRange } from '../../text';
import { groupAt } from './braces';
import type { Macros } from './macros';
import { isLabel, type Token, type TokenKind } from './tokens';

/** Tokens of one formula; more than this are not read. */
export const mostTokens = 20_000;

export interface Cutting {
  /** The document, or the body of a macro. */
  text: string;
  /** Where the macro is called whose body is cut: its tokens stand there. */
  call?: TextRange | undefined;
  readonly macros: Macros;
  readonly tokens: Token[];
  /** Commands and letters that were looked at. */
  steps: number;
  /** How many bodies and notes stand in one another. */
  depth: number;
  spaced: boolean;
  /** Where a bold letter stands. */
  bold?: number | undefined;
  /** Brackets, braces and matrices that are open. */
  open: number;
  hasRelation: boolean;
}

export function put(cut: Cutting, kind: TokenKind, text: string, start: number, end: number): void {
  const bold = kind === 'name' && start === cut.bold;
  cut.tokens.push({ kind, text, ...(cut.call ?? { start, end }), ...(cut.spaced && { spaced: true }), ...(bold && { bold }) }); // prettier-ignore
  cut.spaced = false;
  if (kind === 'sign' && /^[=∈]$/.test(text)) cut.hasRelation = true;
  if (!/^(?:begin|end)$/.test(kind) || /matrix|array|cases/.test(text))
    cut.open += opens.has(kind) ? 1 : closes.has(kind) ? -1 : 0;
}

const opens = new Set<TokenKind>(['open', 'begin-group', 'begin']);
const closes = new Set<TokenKind>(['close', 'end-group', 'end']);

/** `Q = XW_Q \\qquad K = XW_K`: a wide space between statements, where nothing is open and a further statement stands behind it. */
export function divides({ tokens, open, hasRelation, text }: Cutting, at: number, end: number): boolean {
  const last = tokens.at(-1);
  if (open !== 0 || !last || last.kind === 'sign' || last.kind === 'row' || last.kind === 'cell') return false;
  const next = /^(?:[^\\=∈]|\\(?!q?quad\b|\\)(?:[A-Za-z]+|[^A-Za-z])){0,200}?(?:=|∈|\\(?:in|coloneqq|triangleq)\b)/.exec(text.slice(at, Math.min(end, at + 400)))?.[0]; // prettier-ignore
  return next !== undefined && hasRelation && !/^\s*[=∈]/.test(next);
}

/** What stands at an offset, by a pattern that only looks there (`y`). */
export function matched(pattern: RegExp, text: string, at: number, end: number): string | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  return found !== undefined && at + found.length <= end ? found : undefined;
}

/** `model` of `d_model`, which LaTeX prints as d_m odel. Letters that may be factors and their indices are left as they are. */
export function wordBelow(text: string, at: number, end: number): string | undefined {
  const found = matched(/_[a-z]{2,}(?![A-Za-z_({\\])/y, text, at, end)?.slice(1);
  return found !== undefined && isLabel(found, text.charAt(at - 1)) ? found : undefined;
}

/** The first offset behind a group in braces, or `at` where none stands there. */
export function afterGroup(text: string, at: number, end: number): number {
  const group = groupAt(text, at, end);
  return group ? group.end + 1 : at;
}
