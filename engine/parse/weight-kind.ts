import type { CodeLine } from './code-lines';
import { roleOf } from './roles';
import { isListName } from './stack-tokens';
import type { Factor, Kind } from './weight-product';
import { escaped } from './weight-scope';

/** The names that the code uses for the matrices of a projection. */
export interface WeightNames {
  /** X, and the context that keys and values are projected from. */
  readonly inputs: readonly string[];
  /** W_q, W_k and W_v. */
  readonly weights: readonly string[];
  readonly output?: string | undefined;
  /** Whether X is one n×d matrix, so that `X[i]` is a token's vector. */
  readonly isFlat: boolean;
  /** Whether X has as many rows as columns. A product W·X then fits whether tokens are rows or columns. */
  readonly isSquare: boolean;
}

/** What is searched for in the lines of code. */
export interface WeightQuery extends WeightNames {
  /** The line of each function by name; −1 for a name that is defined twice (`functionsIn`). */
  readonly functions: ReadonlyMap<string, number>;
  /** Whether any other operand counts as a matrix. Set for W_o, because concatenated heads have no common name. */
  readonly isAny?: boolean;
  /** Inside a function's body: what its parameters were called with. */
  readonly passedArguments?: ReadonlyMap<string, Factor | undefined>;
}

/** Most lines above a line that are searched for the loop around it. */
const mostAbove = 100;

/** What a name in a line stands for: the matrix X, or something named like it, or the vector of one token. Undefined if unknown. */
export function kindOf(lines: readonly CodeLine[], at: number, name: string, query: WeightQuery): Kind | undefined {
  const { inputs, weights, output, passedArguments } = query;
  const argument = passedArguments?.get(name);
  if (passedArguments?.has(name) === true) {
    if (!argument || (argument.isTransposed && !argument.isVector)) return undefined;
    return argument.isVector ? 'vector' : query.isFlat ? 'rows' : 'matrix';
  }
  if (weights.includes(name) || name === output) return undefined;
  if (inputs.includes(name)) return query.isFlat ? 'rows' : 'matrix';
  if (roleOf(name)?.role === 'xi') return 'vector';
  if (isListName(name)) return 'rows';
  if (isLooped(lines, at, name, query)) return 'vector';
  if (query.isAny === true || (roleOf(name)?.role === 'x' && !/^m$/i.test(name)) || /^x_?[ijnt]?$/i.test(name))
    return query.isFlat ? 'rows' : 'matrix';
  return undefined;
}

/** Whether the name is a loop variable over the tokens: `for x in X:` above the line, or `[A_q @ x for x in X]` in it. */
function isLooped(lines: readonly CodeLine[], at: number, name: string, { inputs, isFlat }: WeightQuery): boolean {
  if (!/^\w{1,20}$/.test(name)) return false;
  const over = [...inputs.map(escaped), '(?<![\\w.])(?:all_?x|x_?s|x_?list)(?!\\w)'].join('|');
  const loop = new RegExp(
    `\\bfor\\s+(?:\\w+\\s*,\\s*)?${name}\\s+in\\s+(?:enumerate\\(\\s*)?(?:${over})\\s*(?:[:)\\]]|$)`,
    'i',
  );
  let indent = lines[at]?.indent ?? 0;
  if (!isFlat) return false;
  if (loop.test(lines[at]?.code ?? '')) return true;
  for (let i = at - 1; i >= Math.max(0, at - mostAbove) && indent > 0; i--) {
    const line = lines[i] as CodeLine;
    if (line.code === '' || line.indent >= indent) continue;
    indent = line.indent;
    if (loop.test(line.code)) return true;
  }
  return false;
}
