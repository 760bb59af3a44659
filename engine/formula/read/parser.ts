/** What reading of tokens begins with: where it stands, how deep it is, and what stands next. */
import type { TextRange } from '../../text';
import type { Expression, SymbolPart } from '../tree';
import type { Token, TokenKind } from './tokens';

/** Brackets and braces within one another. */
const deepest = 48;
/** Quotients and scripts of one another. */
export const chained = 24;

type Rule = (parser: Parser) => Expression | undefined;

/** Rules that lie within one another: an atom in brackets holds lines of sums of products of atoms. */
interface Grammar {
  readonly lines: Rule;
  readonly relation: Rule;
  readonly sum: Rule;
  readonly product: Rule;
  readonly atom: Rule;
}

export interface Parser {
  readonly tokens: readonly Token[];
  readonly rules: Grammar;
  at: number;
  depth: number;
  /** `\\Sigma_j` is a covariance, or singular values. */
  readonly sigmaIsName: boolean;
  /** In brackets where `‖` puts vectors or heads side by side. */
  apart?: boolean;
}

/** Nothing of a formula that is nested deeper is read. */
export class TooDeep extends Error {}

export const unread = ({ text, start, end }: Token): Expression => ({ kind: 'unread', text, range: { start, end } });

export const around = (parts: readonly { readonly range: TextRange }[]): TextRange => ({
  start: Math.min(...parts.map(({ range }) => range.start)),
  end: Math.max(...parts.map(({ range }) => range.end)),
});

export const peek = ({ tokens, at }: Parser): Token | undefined => tokens[at];
export const isNext = (parser: Parser, kind: TokenKind, text?: string): boolean => {
  const token = peek(parser);
  return token?.kind === kind && (text === undefined || token.text === text);
};

export function take(parser: Parser, kind: TokenKind, text?: string): Token | undefined {
  if (!isNext(parser, kind, text)) return undefined;
  return parser.tokens[parser.at++];
}

export function deeper<T>(parser: Parser, read: () => T): T {
  if (++parser.depth > deepest) throw new TooDeep();
  const made = read();
  parser.depth--;
  return made;
}

export const missing = ({ start, end }: Token): Expression => ({ kind: 'list', items: [], range: { start, end } });

export const symbolOf = ({ text, start, end, bold }: Token): SymbolPart => ({ kind: 'symbol', name: text, range: { start, end }, ...(bold && { bold: true as const }) }); // prettier-ignore

export const unbraced = (of: Expression): Expression => (of.kind === 'group' && of.open === '' ? of.of : of);
