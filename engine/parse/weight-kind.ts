import type { CodeLine } from './code-lines';
import { roleOf } from './roles';
import { isListName } from './stack-tokens';
import type { Factor, Kind } from './weight-product';
import { escaped } from './weight-scope';

/** The matrices as the code names them. */
export interface WeightNames {
  /** X, and what keys and values come from. */
  readonly inputs: readonly string[];
  /** W_q, W_k and W_v. */
  readonly weights: readonly string[];
  readonly output?: string | undefined;
  /** X is n×d of one input: `X[i]` is a token's vector. */
  readonly isFlat: boolean;
  /** X has as many rows as columns: W·X does not tell whether its tokens are columns. */
  readonly isSquare: boolean;
}

/** What is looked for. */
export interface WeightQuery extends WeightNames {
  /** Lines of functions by name; none of those that are written twice. */
  readonly functions: ReadonlyMap<string, number>;
  /** Whatever is multiplied counts: heads side by side have no usual name. */
  readonly isAny?: boolean;
  /** Parameters of a function: what they were called with. */
  readonly given?: ReadonlyMap<string, Factor | undefined>;
}

/** Lines above one that are looked at for the loop that it stands in. */
const mostAbove = 100;

/** What a name stands for in a line: X or what is called so, the vector of a token, or nothing that is known. */
export function kindOf(lines: readonly CodeLine[], at: number, name: string, sought: WeightQuery): Kind | undefined {
  const { inputs, weights, output, given } = sought;
  const handed = given?.get(name);
  if (given?.has(name) === true) {
    if (!handed || (handed.isTransposed && !handed.isVector)) return undefined;
    return handed.isVector ? 'vector' : sought.isFlat ? 'rows' : 'matrix';
  }
  if (weights.includes(name) || name === output) return undefined;
  if (inputs.includes(name)) return sought.isFlat ? 'rows' : 'matrix';
  if (roleOf(name)?.role === 'xi') return 'vector';
  if (isListName(name)) return 'rows';
  if (isLooped(lines, at, name, sought)) return 'vector';
  if (sought.isAny === true || (roleOf(name)?.role === 'x' && !/^m$/i.test(name)) || /^x_?[ijnt]?$/i.test(name))
    return sought.isFlat ? 'rows' : 'matrix';
  return undefined;
}

/** `for x in X:` above the line, or `[A_q @ x for x in X]` in it. */
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
