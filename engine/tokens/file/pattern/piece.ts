/** A pattern that was read: what it is made of. A character is a class of JavaScript's (`\u{61}`, `[…]`, `\p{L}`). */
export type Piece =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Piece[] }
  | { readonly kind: 'choice'; readonly branches: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly piece: Piece; readonly least: number; readonly most: number; readonly lazy: boolean }
  | { readonly kind: 'look'; readonly piece: Piece; readonly behind: boolean; readonly negated: boolean }
  /** Matches as it would alone, and gives nothing back. */
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
export function written(piece: Piece): string {
  switch (piece.kind) {
    case 'character':
      return piece.source;
    case 'sequence':
      return piece.parts.map((part) => (part.kind === 'choice' ? `(?:${written(part)})` : written(part))).join('');
    case 'choice':
      return piece.branches.map(written).join('|');
    case 'repeat':
      return `(?:(?:${written(piece.piece)})${counted(piece)}${piece.lazy ? '?' : ''})`;
    case 'look':
      return `(?${piece.behind ? '<' : ''}${piece.negated ? '!' : '='}${written(piece.piece)})`;
    case 'atomic':
      return `(?:${written(piece.piece)})`;
    case 'start':
      return '^';
    case 'end':
      return '$';
  }
}

const counted = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  `{${least},${most === Infinity ? '' : most}}`;
