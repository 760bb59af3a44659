/** The syntax tree of a pattern. A character's source is a class in JavaScript's syntax (`\u{61}`, `[…]`, `\p{L}`). */
export type Piece =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Piece[] }
  | { readonly kind: 'choice'; readonly branches: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly piece: Piece; readonly least: number; readonly most: number; readonly lazy: boolean }
  | { readonly kind: 'look'; readonly piece: Piece; readonly behind: boolean; readonly negated: boolean }
  /** Matches as if alone and is never backtracked into. */
  | { readonly kind: 'atomic'; readonly piece: Piece }
  /** The beginning and the end of the text. */
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }; // prettier-ignore

export const character = (source: string): Piece => ({ kind: 'character', source });
export const sequence = (...parts: Piece[]): Piece => {
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind: 'sequence', parts };
};
export const choice = (...branches: Piece[]): Piece => {
  const [only] = branches;
  return only && branches.length === 1 ? only : { kind: 'choice', branches };
};
export const look = (piece: Piece, { behind = false, negated = false } = {}): Piece => ({ kind: 'look', piece, behind, negated }); // prettier-ignore

/** The pattern for JavaScript (flags `gv`); undefined where there is no such way to write it. */
export function regExpSource(piece: Piece): string {
  switch (piece.kind) {
    case 'character':
      return piece.source;
    case 'sequence':
      return piece.parts
        .map((part) => (part.kind === 'choice' ? `(?:${regExpSource(part)})` : regExpSource(part)))
        .join('');
    case 'choice':
      return piece.branches.map(regExpSource).join('|');
    case 'repeat':
      return `(?:(?:${regExpSource(piece.piece)})${repeatCount(piece)}${piece.lazy ? '?' : ''})`;
    case 'look':
      return `(?${piece.behind ? '<' : ''}${piece.negated ? '!' : '='}${regExpSource(piece.piece)})`;
    case 'atomic':
      return `(?:${regExpSource(piece.piece)})`;
    case 'start':
      return '^';
    case 'end':
      return '$';
  }
}

const repeatCount = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  `{${least},${most === Infinity ? '' : most}}`;
