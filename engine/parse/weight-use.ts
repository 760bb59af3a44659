import type { Convention } from '../spec';
import { codeLines, type CodeLine } from './code-lines';
import type { Code } from './mask-use';
import { kindOf, type WeightQuery, type WeightNames } from './weight-kind';
import { argumentsIn, factorOf, isProduct, productAt, type Factor, type Occurrence } from './weight-product';
import { assignment, escaped, functionsIn, linesInScope, parametersOf } from './weight-scope';

/** How code applies the weight matrices. */
export interface WeightUse {
  readonly convention: Convention;
  /** The line that tells so, as written. */
  readonly line: string;
}

/** Most calls that are followed, most uses in a line, most lines of a function's body, most characters of the quoted line. */
const [mostCalls, mostOfOne, longestBody, longestQuote] = [20, 8, 200, 80];

/**
 * Whether the code of a selection and around it computes X·W or X·Wᵀ. Undefined if no line tells, or if two contradict each other. Only products with
 * X, with its tokens or with something named like X count, and only while the name has the value of the selection. Functions that are called with the
 * weight are searched too.
 */
export function weightUse(code: Code, used: WeightNames): WeightUse | undefined {
  const { lines, own } = codeLines(code);
  const query: WeightQuery = { ...used, functions: functionsIn(lines) };
  const uses = used.weights.flatMap((name) => usesOf(lines, own, name, query));
  const [first] = uses;
  if (!first || uses.some((use) => use.convention !== first.convention)) return undefined;
  const anything = { ...query, isAny: true };
  const last = used.output === undefined ? [] : usesOf(lines, own, used.output, anything);
  const isContrary = last.length > 0 && last.every((use) => use.convention !== first.convention);
  return isContrary ? undefined : first;
}

function usesOf(lines: readonly CodeLine[], own: number, name: string, query: WeightQuery): WeightUse[] {
  const live = linesInScope(lines, own, name);
  const direct = live.flatMap((i) => usesIn(lines, i, escaped(name), query));
  return [...direct, ...live.slice(0, mostCalls).flatMap((i) => usesInCalledFunction(lines, i, name, query))];
}

function usesIn(lines: readonly CodeLine[], at: number, word: string, query: WeightQuery): WeightUse[] {
  const line = lines[at];
  if (!line || !isProduct(line.code)) return [];
  return [...line.code.matchAll(new RegExp(word, 'g'))].slice(0, mostOfOne).flatMap((found): WeightUse[] => {
    const place: Occurrence = { line, start: found.index, end: found.index + found[0].length };
    const product = productAt(place, (written) => kindOf(lines, at, written, query));
    if (!product) return [];
    const { weight, factor, side } = product;
    // A matrix with tokens as rows would not fit on this side of the weight, so its tokens must be columns. With a square X that is not certain.
    const isColumns = !factor.isVector && (side === 'left' ? !factor.isTransposed : factor.isTransposed);
    if (isColumns && (query.isSquare || query.isAny === true)) return [];
    const isTurned = (side === 'left') !== weight.isTransposed;
    return [{ convention: isTurned ? 'XWT' : 'XW', line: quoted(line.shown) }];
  });
}

/** Uses of a weight in a function that is called with it: `project(X, W_q)`. Ends where the function assigns to its parameter. */
function usesInCalledFunction(lines: readonly CodeLine[], at: number, name: string, query: WeightQuery): WeightUse[] {
  const { code } = lines[at] as CodeLine;
  return [...code.matchAll(/(?<!\w)(?<!def )(\w+)\(/g)].slice(0, mostOfOne).flatMap((call): WeightUse[] => {
    const home = query.functions.get(call[1] ?? '') ?? -1;
    const parameters = parametersOf(lines[home]);
    if (!parameters) return [];
    const passedArguments = new Map<string, Factor | undefined>();
    let weight: { parameter: string; isTurned: boolean } | undefined;
    for (const { parameter, written } of argumentsByParameter(code, call.index + call[0].length - 1, parameters)) {
      const itself = factorOf(written, (head) => (head === name ? 'matrix' : undefined), [name]);
      if (itself && !itself.isVector) weight = { parameter, isTurned: itself.isTransposed };
      else
        passedArguments.set(
          parameter,
          factorOf(written, (head) => kindOf(lines, at, head, query), query.inputs),
        );
    }
    if (!weight) return [];
    const uses = usesInBody(lines, home, weight.parameter, { ...query, passedArguments });
    return weight.isTurned ? uses.map(transposedUse) : uses;
  });
}

interface Passed {
  readonly parameter: string;
  /** The argument's text. */
  readonly written: string;
}

/** The arguments of a call by parameter. Empty if an argument has no parameter. */
function argumentsByParameter(code: string, open: number, parameters: readonly string[]): readonly Passed[] {
  const isMethod = /^(?:self|cls)$/.test(parameters[0] ?? '');
  const names = isMethod ? parameters.slice(1) : parameters;
  const passed: Passed[] = [];
  for (const [i, argument] of argumentsIn(code, open).entries()) {
    const [, key, value] = /^(\w+)\s*=(?!=)\s*(.*)$/.exec(argument) ?? [];
    const parameter = key ?? names[i];
    if (parameter === undefined) return [];
    passed.push({ parameter, written: value ?? argument });
  }
  return passed;
}

/** Uses in a function's body, up to an assignment to the parameter. */
function usesInBody(lines: readonly CodeLine[], home: number, parameter: string, query: WeightQuery): WeightUse[] {
  const word = escaped(parameter);
  const indent = lines[home]?.indent ?? 0;
  const uses: WeightUse[] = [];
  for (let i = home + 1; i < Math.min(lines.length, home + longestBody); i++) {
    const line = lines[i] as CodeLine;
    if (line.code !== '' && line.indent <= indent) break;
    if (line.code.includes(parameter) && assignment(word).test(line.code)) break;
    if (line.code.includes(parameter)) uses.push(...usesIn(lines, i, word, query));
  }
  return uses;
}

const transposedUse = (use: WeightUse): WeightUse => ({ ...use, convention: use.convention === 'XW' ? 'XWT' : 'XW' });

const quoted = (code: string): string => {
  const line = code.trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote - 1).trimEnd()}…` : line;
};
