import type { Role } from '../text';

/*
 * A formula is a tree, and LaTeX is written of it twice: for matrices with tokens as rows, as code has them, and as columns, as papers that write
 * W·x have them. Then a matrix of tokens keeps its letter and is drawn transposed, so that a product is written the other way round (S = KᵀQ,
 * O = VA, Q = WX), and what is multiplied with stays as it is stored.
 */

/** A symbol of a formula with the part it plays. */
export interface Symbol {
  readonly is: 'symbol';
  readonly role: Role;
  readonly latex: string;
  /** Drawn as it is stored, whatever tokens are: W_q, W_k, W_v, W_O. */
  readonly fixed: boolean;
}

export type Expression =
  | Symbol
  /** LaTeX without symbols: operators, numbers, words. */
  | { readonly is: 'latex'; readonly rows: string; readonly columns: string }
  | { readonly is: 'sequence'; readonly parts: readonly Expression[] }
  /** left · right, or left · rightᵀ */
  | { readonly is: 'product'; readonly left: Symbol; readonly right: Symbol; readonly transposed: boolean }
  /** A_{ij} */
  | {
      readonly is: 'cell';
      readonly of: Symbol;
      readonly row: string;
      readonly column: string;
      readonly between: '' | ',';
    }
  | { readonly is: 'fraction'; readonly over: Expression; readonly under: Expression }
  | { readonly is: 'power'; readonly base: string; readonly exponent: Expression }
  /** X ∈ ℝ^{6×8} */
  | { readonly is: 'real'; readonly of: Symbol; readonly shape: readonly number[] };

/** A formula as it is read. */
export interface Formula {
  /** LaTeX as one would paste it into a paper. */
  readonly plain: string;
  /** The same with each symbol in `\htmlClass{role-…}{…}`, for a renderer that colours roles. */
  readonly roles: string;
}

export const symbol = (role: Role, latex: string): Symbol => ({ is: 'symbol', role, latex, fixed: false });

/** A matrix of weights: `W_q`. */
export const weight = (latex: string): Symbol => ({ ...symbol('parameter', latex), fixed: true });

export const product = (left: Symbol, right: Symbol, transposed = false): Expression => ({
  is: 'product',
  left,
  right,
  transposed,
});

/** M_{ij}, or P_{p,2i} with a comma. */
export const cell = (of: Symbol, row: string, column: string, between: '' | ',' = ''): Expression => ({
  is: 'cell',
  of,
  row,
  column,
  between,
});

export const fraction = (over: Expression, under: Expression): Expression => ({ is: 'fraction', over, under });

/** e to the power of `exponent`. */
export const exp = (exponent: Expression): Expression => ({ is: 'power', base: 'e', exponent });

export const isReal = (of: Symbol, shape: readonly number[]): Expression => ({ is: 'real', of, shape });

/** Words in a formula, for tokens as rows and as columns. */
export const inWords = (rows: string, columns = rows): Expression => ({
  is: 'latex',
  rows: `\\text{${rows}}`,
  columns: `\\text{${columns}}`,
});

/** A formula from a template whose holes are parts of it; the rest is LaTeX without symbols: formula`${S} = ${product(Q, K, true)}`. */
export function formula(parts: TemplateStringsArray, ...holes: readonly (Expression | string | number)[]): Expression {
  const between = (text: string): Expression => ({ is: 'latex', rows: text, columns: text });
  return {
    is: 'sequence',
    parts: parts.raw.flatMap((part, i) => {
      const hole = holes[i];
      const filled = typeof hole === 'object' ? [hole] : hole === undefined ? [] : [between(String(hole))];
      return [...(part ? [between(part)] : []), ...filled];
    }),
  };
}

/** An operand's symbol; that it is missing is our own bug. */
export function part(symbol: Symbol | undefined): Symbol {
  if (!symbol) throw new Error('a formula lacks an operand');
  return symbol;
}

/** `Y = name(X)`, of an operation that no sign is common for. */
export const called =
  (name: string) =>
  (_: unknown, result: Symbol, [operand]: readonly Symbol[]): Expression =>
    formula`${result} = \operatorname{${name}}(${part(operand)})`;

/** A formula in LaTeX, with tokens as rows or as columns. */
export const latexOf = (expression: Expression, columns = false): Formula => ({
  plain: latex(expression, columns, ({ latex: own }) => own),
  roles: latex(expression, columns, ({ role, latex: own }) => `\\htmlClass{role-${role}}{${own}}`),
});

type Write = (symbol: Symbol) => string;

function latex(of: Expression, columns: boolean, write: Write): string {
  const inner = (part: Expression): string => latex(part, columns, write);
  switch (of.is) {
    case 'symbol':
      return write(of);
    case 'latex':
      return columns ? of.columns : of.rows;
    case 'sequence':
      return of.parts.map(inner).join('');
    case 'product':
      return columns ? turnedProduct(of, write) : `${write(of.left)}\\,${write(of.right)}${marked(of.transposed)}`;
    case 'cell':
      return `${indexed(of.of, write)}_{${(columns ? [of.column, of.row] : [of.row, of.column]).join(of.between)}}`;
    case 'fraction':
      return `\\frac{${inner(of.over)}}{${inner(of.under)}}`;
    case 'power':
      return `${of.base}^{${inner(of.exponent)}}`;
    case 'real':
      return `${write(of.of)} \\in \\mathbb{R}^{${sizes(of.shape, columns && !of.of.fixed).join(' \\times ')}}`;
  }
}

/** A letter with an index of its own takes another only as a group. */
const indexed = (of: Symbol, write: Write): string => (of.latex.includes('_') ? `{${write(of)}}` : write(of));

const marked = (transposed: boolean): string => (transposed ? '^{\\top}' : '');

/** (L·R)ᵀ = Rᵀ·Lᵀ, where each matrix of tokens is its own transpose by now. */
const turnedProduct = ({ left, right, transposed }: Extract<Expression, { is: 'product' }>, write: Write): string =>
  `${write(right)}${marked(right.fixed !== transposed)}\\,${write(left)}`;

/** A shape, with its last two sizes exchanged where the matrix is drawn transposed. */
export function sizes(shape: readonly number[], turned: boolean): readonly number[] {
  const last = shape.slice(-2);
  return turned ? [...shape.slice(0, -2), ...last.reverse()] : shape;
}

/** The same of a number whose last digits nobody reads: six of them. */
export const latexShort = (x: number): string => latexNumber(Number(x.toPrecision(6)));

/** A number as LaTeX: JavaScript's `1e-7` would be typeset as 1e − 7. */
export function latexNumber(x: number): string {
  if (Math.abs(x) === Infinity) return x > 0 ? '\\infty' : '-\\infty';
  const [digits = '', power] = String(x).split('e');
  if (power === undefined) return digits;
  const ten = `10^{${Number(power)}}`;
  return digits === '1' || digits === '-1' ? digits.replace('1', ten) : `${digits} \\times ${ten}`;
}
