import type { Convention } from '../spec';
import { codeLines, type CodeLine } from './code-lines';
import type { Code } from './mask-use';
import { roleOf } from './roles';
import { isListName } from './stack';
import { argumentsIn, factorOf, isProduct, productAt, type Factor, type Place } from './weight-product';

/** What code that multiplies by a weight matrix says of it. */
export interface WeightUse {
  readonly convention: Convention;
  /** The line that says so, as it stands there. */
  readonly line: string;
}

/** The matrices as the code names them. */
export interface Used {
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

/** Lines that name one matrix, on each side of the selection's end; uses, calls, lines of a function and of the note. */
const [mostLines, mostUses, mostCalls, mostOfOne, longestBody, longestQuote] = [200, 100, 20, 8, 200, 80];

/**
 * Whether the lines of a selection and around it compute X·W or X·Wᵀ: undefined where no line says, and where two
 * contradict each other. Only products with X, with tokens of it or with what stands for X by its name count, of the value that the
 * name has in the selection, also where a function is called with it.
 */
export function weightUse(code: Code, used: Used): WeightUse | undefined {
  const { lines, own } = codeLines(code);
  const sought: Sought = { ...used, functions: functionsIn(lines) };
  const uses = used.weights.flatMap((name) => usesOf(lines, own, name, sought));
  const [first] = uses;
  if (!first || uses.some((use) => use.convention !== first.convention)) return undefined;
  const anything = { ...sought, isAny: true };
  const last = used.output === undefined ? [] : usesOf(lines, own, used.output, anything);
  const isContrary = last.length > 0 && last.every((use) => use.convention !== first.convention);
  return isContrary ? undefined : first;
}

interface Sought extends Used {
  /** Lines of functions by name; none of those that are written twice. */
  readonly functions: ReadonlyMap<string, number>;
  /** Whatever is multiplied counts: heads side by side have no usual name. */
  readonly isAny?: boolean;
  /** Parameters of a function: what they were called with. */
  readonly given?: ReadonlyMap<string, Factor | undefined>;
}

function usesOf(lines: readonly CodeLine[], own: number, name: string, sought: Sought): WeightUse[] {
  const word = escaped(name);
  const assigned = assignment(word);
  const all = lines.flatMap(({ code }, i) => (code.includes(name) && new RegExp(word).test(code) ? [i] : []));
  const said = [...all.filter((i) => i < own).slice(-mostLines), ...all.filter((i) => i >= own).slice(0, mostLines)];
  const defs = new Map(said.map((i) => [i, defAround(lines, i)]));
  const isParameter = (i: number): boolean =>
    defs.get(i)?.some((d) => parametersOf(lines[d])?.includes(name) === true) === true;
  const outside = said.filter((i) => !isParameter(i));
  const set = outside.filter((i) => assigned.test(lines[i]?.code ?? ''));
  const from = set.findLast((i) => i < own) ?? -1;
  const to = set.find((i) => i > from) ?? Infinity;
  // The body of a function that stands above the only value is run after it.
  const counts = (i: number): boolean =>
    (i > from && i < to) || (i < from && set.length === 1 && (defs.get(i)?.length ?? 0) > 0);
  const live = outside.filter(counts).slice(0, mostUses);
  const direct = live.flatMap((i) => usesIn(lines, i, word, sought));
  return [...direct, ...live.slice(0, mostCalls).flatMap((i) => handedOver(lines, i, name, sought))];
}

function usesIn(lines: readonly CodeLine[], at: number, word: string, sought: Sought): WeightUse[] {
  const line = lines[at];
  if (!line || !isProduct(line.code)) return [];
  return [...line.code.matchAll(new RegExp(word, 'g'))].slice(0, mostOfOne).flatMap((found): WeightUse[] => {
    const place: Place = { line, start: found.index, end: found.index + found[0].length };
    const product = productAt(place, (written) => kindOf(lines, at, written, sought));
    if (!product) return [];
    const { weight, factor, side } = product;
    // A matrix on the wrong side, or turned on the right one, has its tokens as columns: only its shape can say so.
    const isColumns = !factor.isVector && (side === 'left' ? !factor.isTurned : factor.isTurned);
    if (isColumns && (sought.isSquare || sought.isAny === true)) return [];
    const isTurned = (side === 'left') !== weight.isTurned;
    return [{ convention: isTurned ? 'XWT' : 'XW', line: quoted(line.shown) }];
  });
}

/** `project(X, W_q)`: what the function does with its parameter, where that is not set anew. */
function handedOver(lines: readonly CodeLine[], at: number, name: string, sought: Sought): WeightUse[] {
  const { code } = lines[at] as CodeLine;
  return [...code.matchAll(/(?<!\w)(?<!def )(\w+)\(/g)].slice(0, mostOfOne).flatMap((call): WeightUse[] => {
    const home = sought.functions.get(call[1] ?? '') ?? -1;
    const parameters = parametersOf(lines[home]);
    if (!parameters) return [];
    const isMethod = /^(?:self|cls)$/.test(parameters[0] ?? '');
    const names = isMethod ? parameters.slice(1) : parameters;
    const given = new Map<string, Factor | undefined>();
    let weight: { parameter: string; isTurned: boolean } | undefined;
    for (const [i, argument] of argumentsIn(code, call.index + call[0].length - 1).entries()) {
      const [, key, value] = /^(\w+)\s*=(?!=)\s*(.*)$/.exec(argument) ?? [];
      const parameter = key ?? names[i];
      if (parameter === undefined) return [];
      const written = value ?? argument;
      const itself = factorOf(written, (head) => (head === name ? 'matrix' : undefined), [name]);
      if (itself && !itself.isVector) weight = { parameter, isTurned: itself.isTurned };
      else
        given.set(
          parameter,
          factorOf(written, (head) => kindOf(lines, at, head, sought), sought.inputs),
        );
    }
    if (!weight) return [];
    const { parameter, isTurned } = weight;
    const word = escaped(parameter);
    const indent = lines[home]?.indent ?? 0;
    const uses: WeightUse[] = [];
    for (let i = home + 1; i < Math.min(lines.length, home + longestBody); i++) {
      const line = lines[i] as CodeLine;
      if (line.code !== '' && line.indent <= indent) break;
      if (line.code.includes(parameter) && assignment(word).test(line.code)) break;
      if (line.code.includes(parameter)) uses.push(...usesIn(lines, i, word, { ...sought, given }));
    }
    return isTurned ? uses.map((use) => ({ ...use, convention: use.convention === 'XW' ? 'XWT' : 'XW' })) : uses;
  });
}

/** What a name stands for in a line: X or what is called so, the vector of a token, or nothing that is known. */
function kindOf(lines: readonly CodeLine[], at: number, name: string, sought: Sought): Kind | undefined {
  const { inputs, weights, output, given } = sought;
  const handed = given?.get(name);
  if (given?.has(name) === true) {
    if (!handed || (handed.isTurned && !handed.isVector)) return undefined;
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

export type Kind = 'matrix' | 'rows' | 'vector';

/** `for x in X:` above the line, or `[A_q @ x for x in X]` in it. */
function isLooped(lines: readonly CodeLine[], at: number, name: string, { inputs, isFlat }: Sought): boolean {
  if (!/^\w{1,20}$/.test(name)) return false;
  const over = [...inputs.map(escaped), '(?<![\\w.])(?:all_?x|x_?s|x_?list)(?!\\w)'].join('|');
  const loop = new RegExp(
    `\\bfor\\s+(?:\\w+\\s*,\\s*)?${name}\\s+in\\s+(?:enumerate\\(\\s*)?(?:${over})\\s*(?:[:)\\]]|$)`,
    'i',
  );
  let indent = lines[at]?.indent ?? 0;
  if (!isFlat) return false;
  if (loop.test(lines[at]?.code ?? '')) return true;
  for (let i = at - 1; i >= Math.max(0, at - mostUses) && indent > 0; i--) {
    const line = lines[i] as CodeLine;
    if (line.code === '' || line.indent >= indent) continue;
    indent = line.indent;
    if (loop.test(line.code)) return true;
  }
  return false;
}

const quoted = (code: string): string => {
  const line = code.trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote - 1).trimEnd()}…` : line;
};

const escaped = (name: string): string => `(?<![\\w.])${name.replace(/[^\w]/g, '\\$&')}(?!\\w)`;

/** `W_q = …`, `W_q, W_k = …`, `W_q[0] = …`, `W_q *= 2`, `for W_q in …`, `W_q.mul_(2)`. */
const assignment = (word: string): RegExp =>
  new RegExp(
    `^[^=(;<>!]{0,200}${word}[^=(;<>!]{0,200}=(?!=)|^for\\b[^=(]{0,200}${word}.{0,200}\\bin\\b|${word}(?:\\.data)?\\.(?!requires_grad_)\\w{1,40}_\\(|${word}\\s*:=`,
  );

const header = /^(?:async\s+)?def\s+(\w+)\s*\(/;

function functionsIn(lines: readonly CodeLine[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [i, { code }] of lines.entries()) {
    const name = header.exec(code)?.[1];
    if (name !== undefined) found.set(name, found.has(name) ? -1 : i);
  }
  return found;
}

/** Names of a function's parameters, without what they are by default. */
function parametersOf(line: CodeLine | undefined): readonly string[] | undefined {
  const found = line && header.exec(line.code);
  return found ? argumentsIn(line.code, found[0].length - 1).map((p) => /^\w*/.exec(p)?.[0] ?? '') : undefined;
}

/** The functions that a line stands in, innermost first. */
function defAround(lines: readonly CodeLine[], at: number): readonly number[] {
  const found: number[] = [];
  let indent = lines[at]?.indent ?? 0;
  if (header.test(lines[at]?.code ?? '')) found.push(at);
  for (let i = at - 1; i >= 0 && indent > 0; i--) {
    const line = lines[i] as CodeLine;
    if (line.code === '' || line.indent >= indent) continue;
    indent = line.indent;
    if (header.test(line.code)) found.push(i);
  }
  return found;
}
