import type { Convention } from '../spec';
import { codeLines, type CodeLine } from './code-lines';
import type { Code } from './mask-use';
import { kindOf, type WeightQuery, type WeightNames } from './weight-kind';
import { argumentsIn, factorOf, isProduct, productAt, type Factor, type Place } from './weight-product';
import { assignment, escaped, functionsIn, linesInScope, parametersOf } from './weight-scope';

/** What code that multiplies by a weight matrix says of it. */
export interface WeightUse {
  readonly convention: Convention;
  /** The line that says so, as it stands there. */
  readonly line: string;
}

/** Calls that are followed, uses in a line, lines of a function and characters of the note. */
const [mostCalls, mostOfOne, longestBody, longestQuote] = [20, 8, 200, 80];

/**
 * Whether the lines of a selection and around it compute X·W or X·Wᵀ: undefined where no line says, and where two
 * contradict each other. Only products with X, with tokens of it or with what stands for X by its name count, of the value that the
 * name has in the selection, also where a function is called with it.
 */
export function weightUse(code: Code, used: WeightNames): WeightUse | undefined {
  const { lines, own } = codeLines(code);
  const sought: WeightQuery = { ...used, functions: functionsIn(lines) };
  const uses = used.weights.flatMap((name) => usesOf(lines, own, name, sought));
  const [first] = uses;
  if (!first || uses.some((use) => use.convention !== first.convention)) return undefined;
  const anything = { ...sought, isAny: true };
  const last = used.output === undefined ? [] : usesOf(lines, own, used.output, anything);
  const isContrary = last.length > 0 && last.every((use) => use.convention !== first.convention);
  return isContrary ? undefined : first;
}

function usesOf(lines: readonly CodeLine[], own: number, name: string, sought: WeightQuery): WeightUse[] {
  const live = linesInScope(lines, own, name);
  const direct = live.flatMap((i) => usesIn(lines, i, escaped(name), sought));
  return [...direct, ...live.slice(0, mostCalls).flatMap((i) => usesInCalledFunction(lines, i, name, sought))];
}

function usesIn(lines: readonly CodeLine[], at: number, word: string, sought: WeightQuery): WeightUse[] {
  const line = lines[at];
  if (!line || !isProduct(line.code)) return [];
  return [...line.code.matchAll(new RegExp(word, 'g'))].slice(0, mostOfOne).flatMap((found): WeightUse[] => {
    const place: Place = { line, start: found.index, end: found.index + found[0].length };
    const product = productAt(place, (written) => kindOf(lines, at, written, sought));
    if (!product) return [];
    const { weight, factor, side } = product;
    // A matrix on the wrong side, or turned on the right one, has its tokens as columns: only its shape can say so.
    const isColumns = !factor.isVector && (side === 'left' ? !factor.isTransposed : factor.isTransposed);
    if (isColumns && (sought.isSquare || sought.isAny === true)) return [];
    const isTurned = (side === 'left') !== weight.isTransposed;
    return [{ convention: isTurned ? 'XWT' : 'XW', line: quoted(line.shown) }];
  });
}

/** `project(X, W_q)`: what the function does with its parameter, where that is not set anew. */
function usesInCalledFunction(lines: readonly CodeLine[], at: number, name: string, sought: WeightQuery): WeightUse[] {
  const { code } = lines[at] as CodeLine;
  return [...code.matchAll(/(?<!\w)(?<!def )(\w+)\(/g)].slice(0, mostOfOne).flatMap((call): WeightUse[] => {
    const home = sought.functions.get(call[1] ?? '') ?? -1;
    const parameters = parametersOf(lines[home]);
    if (!parameters) return [];
    const given = new Map<string, Factor | undefined>();
    let weight: { parameter: string; isTurned: boolean } | undefined;
    for (const { parameter, written } of argumentsByParameter(code, call.index + call[0].length - 1, parameters)) {
      const itself = factorOf(written, (head) => (head === name ? 'matrix' : undefined), [name]);
      if (itself && !itself.isVector) weight = { parameter, isTurned: itself.isTransposed };
      else
        given.set(
          parameter,
          factorOf(written, (head) => kindOf(lines, at, head, sought), sought.inputs),
        );
    }
    if (!weight) return [];
    const uses = usesInBody(lines, home, weight.parameter, { ...sought, given });
    return weight.isTurned ? uses.map(transposedUse) : uses;
  });
}

interface Passed {
  readonly parameter: string;
  /** The argument, as the call has it. */
  readonly written: string;
}

/** What a call passes, by the parameters that take it; nothing where an argument has no parameter. */
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

/** In the body of a function, until its parameter is set anew. */
function usesInBody(lines: readonly CodeLine[], home: number, parameter: string, sought: WeightQuery): WeightUse[] {
  const word = escaped(parameter);
  const indent = lines[home]?.indent ?? 0;
  const uses: WeightUse[] = [];
  for (let i = home + 1; i < Math.min(lines.length, home + longestBody); i++) {
    const line = lines[i] as CodeLine;
    if (line.code !== '' && line.indent <= indent) break;
    if (line.code.includes(parameter) && assignment(word).test(line.code)) break;
    if (line.code.includes(parameter)) uses.push(...usesIn(lines, i, word, sought));
  }
  return uses;
}

const transposedUse = (use: WeightUse): WeightUse => ({ ...use, convention: use.convention === 'XW' ? 'XWT' : 'XW' });

const quoted = (code: string): string => {
  const line = code.trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote - 1).trimEnd()}…` : line;
};
