import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isKnownShape } from '../../engine/program/tensor/dims';
import { runProgram, type Program } from '../../engine/program/program';
import { typeName, type Value } from '../../engine/program/machine/values';
import type { Binding } from '../../engine/program/machine/machine';
import type { Node } from '../../engine/program/tensor/graph';
import { finish } from '../../engine/text/pace';

/** A value as test/reference/program_run.py describes it. */
export interface Described {
  readonly kind: string;
  readonly shape?: readonly number[];
  readonly dtype?: string;
  readonly values?: readonly (number | string)[];
  readonly value?: number | string;
  readonly items?: readonly (Described | null)[];
}

export interface Ran {
  readonly names: Readonly<Record<string, Described>>;
  readonly functions: readonly {
    readonly first: number;
    readonly last: number;
    readonly names: Readonly<Record<string, Described>>;
  }[];
  readonly error: string | null;
  /** The last line of the statement that raised it. */
  readonly end: number | null;
  readonly printed: string;
}

/** What a comparison found. */
export interface Comparison {
  readonly wrong: string[];
  /** Names that were compared with all their values, and of those the ones equal to the last bit. */
  compared: number;
  exact: number;
  /** Names of which we know the shape only. */
  shapes: number;
  /** Names that are not known here. */
  unknown: string[];
}

const folder = join(__dirname, '../fixtures/programs');

export const handWritten = (): readonly { readonly name: string; readonly text: string }[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** All in one process. NumPy promotes as NumPy 2 does, which 1.24 can be asked for. */
export function runPython(command: string, texts: readonly string[]): readonly Ran[] {
  const { status, stdout, stderr } = spawnSync(command, [join(__dirname, '../reference/program_run.py')], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    timeout: 600_000,
    env: { ...process.env, PYTHONWARNINGS: 'ignore', NPY_PROMOTION_STATE: 'weak', OMP_NUM_THREADS: '1' },
  });
  if (status !== 0) throw new Error(stderr.slice(-2000));
  return JSON.parse(stdout) as readonly Ran[];
}

/** Operations that are right to the last bit: IEEE's own, and what moves cells. The others are elementary functions and sums. */
const exactOperations = new Set(
  'constant draw cast permute reshape expand slice strided write concat tril triu diagonal diagonal_matrix flip roll tile repeat_interleave pad pick put gather scatter nonzero negative absolute sign floor ceil trunc square relu clip sqrt add subtract multiply divide floor_divide maximum minimum equal not_equal less less_equal greater greater_equal logical_not logical_and logical_or logical_xor isnan isinf isfinite where max min argmax argmin any all sort argsort count_nonzero'.split(
    ' ',
  ),
);

function isExact(node: Node, known = new Map<Node, boolean>()): boolean {
  const found = known.get(node);
  if (found !== undefined) return found;
  const whole = !node.dtype.includes('float');
  // PyTorch's linspace contracts x + i·d where the processor can.
  const drifts = node.attributes.origin === 'torch.linspace';
  const own = !drifts && ((whole && node.operation !== 'mean') || exactOperations.has(node.operation));
  const made = own && node.operands.every((operand) => isExact(operand, known));
  known.set(node, made);
  return made;
}

const epsilons: Readonly<Record<string, number>> = {
  float16: 2 ** -10,
  bfloat16: 2 ** -7,
  float32: 2 ** -23,
  float64: 2 ** -52,
};

const numberOf = (x: number | string | undefined): number =>
  x === 'nan' ? NaN : x === 'inf' ? Infinity : x === '-inf' ? -Infinity : Number(x);

/**
 * |error| ≤ 128·ε·(1 + greatest |value|) for what goes through sums and elementary functions: a program of some dozen steps over vectors of up to a
 * few dozen numbers of about one. Draws of float64 may differ by 3 ulp (engine/random).
 */
export function compareTensor(program: Program, node: Node, expected: Described, into: Comparison, at: string): void {
  const shape = expected.shape ?? [];
  if (!node.shape) {
    into.unknown.push(`${at}: ${node.why?.text ?? ''}`);
    return;
  }
  const known = isKnownShape(node.shape) ? node.shape : undefined;
  if (!known || known.join() !== shape.join()) {
    into.wrong.push(`${at}: shape ${JSON.stringify(node.shape)}, expected ${shape.join('×')}`);
    return;
  }
  if (node.dtype !== expected.dtype) into.wrong.push(`${at}: ${node.dtype}, expected ${expected.dtype}`);
  const dense = finish(program.look(node));
  if (!('data' in dense) || node.assumes) {
    into.shapes++;
    return;
  }
  compareValues(node, dense.data, expected.values ?? [], into, at);
}

function compareValues(
  node: Node,
  actual: Float64Array,
  expected: readonly (number | string)[],
  into: Comparison,
  at: string,
): void {
  const all = expected.map(numberOf);
  const exact = isExact(node) && !(node.dtype === 'float64' && hasDraws(node));
  const { size, epsilon } = exact ? { size: 0, epsilon: 0 } : lineage(node);
  const slack = 128 * epsilon * (1 + size);
  const bad = all.findIndex((x, i) => {
    const y = actual[i] ?? NaN;
    return !(Object.is(x, y) || x === y || Math.abs(x - y) <= slack);
  });
  into.compared++;
  if (bad >= 0)
    into.wrong.push(
      `${at}: element ${bad} is ${actual[bad]}, expected ${all[bad]}${exact ? ' exactly' : ` within ${slack}`} (${node.operation})`,
    );
  else if (all.every((x, i) => Object.is(x, actual[i]) || x === actual[i])) into.exact++;
}

interface Lineage {
  readonly size: number;
  readonly epsilon: number;
}

const lineages = new WeakMap<Node, Lineage>();

/** The greatest finite number, and the coarsest type, of all that a value was computed from: a difference has the errors of what it cancels. */
function lineage(node: Node): Lineage {
  const known = lineages.get(node);
  if (known) return known;
  let [size, epsilon] = [0, epsilons[node.dtype] ?? 0];
  for (const x of node.value?.data ?? []) if (Number.isFinite(x)) size = Math.max(size, Math.abs(x));
  for (const operand of node.operands) {
    const inner = lineage(operand);
    size = Math.max(size, inner.size);
    if (!isExact(operand)) epsilon = Math.max(epsilon, inner.epsilon);
  }
  // A mask's fill is no size that anything is rounded to.
  const made = { size: size > 1e8 ? 1 : size, epsilon };
  lineages.set(node, made);
  return made;
}

const hasDraws = (node: Node, seen = new Set<Node>()): boolean => {
  if (seen.has(node)) return false;
  seen.add(node);
  return node.operation === 'draw' || node.operands.some((operand) => hasDraws(operand, seen));
};

const kinds: Readonly<Record<string, string>> = { symbol: 'int' };

export function compareValue(
  program: Program,
  value: Value,
  expected: Described,
  into: Comparison,
  at: string,
  node?: Node,
): void {
  if (value.kind === 'unknown') {
    into.unknown.push(`${at}: ${value.cause.text}`);
    return;
  }
  if (value.kind === 'tensor') {
    if (expected.kind === 'tensor') compareTensor(program, node ?? value.root.node, expected, into, at);
    else into.wrong.push(`${at}: a tensor, expected ${expected.kind}`);
    return;
  }
  const kind = kinds[value.kind] ?? value.kind;
  if (kind !== expected.kind) {
    // A generator or view of a dict is a list here.
    into.wrong.push(`${at}: ${typeName(value)}, expected ${expected.kind}`);
    return;
  }
  if ((value.kind === 'list' || value.kind === 'tuple') && expected.items) {
    if (value.kind === 'list' && value.unsure) return;
    if (value.items.length !== expected.items.length)
      into.wrong.push(`${at}: ${value.items.length} items, expected ${expected.items.length}`);
    value.items.forEach((item, i) => {
      const other = expected.items?.[i];
      if (other)
        compareValue(
          program,
          item,
          other,
          into,
          `${at}[${i}]`,
          item.kind === 'tensor' ? currentNode(program, item) : undefined,
        );
    });
    return;
  }
  if (value.kind === 'dict' && value.unsure) {
    into.unknown.push(`${at}: ${value.unsure.text}`);
    return;
  }
  if (value.kind === 'dict' && expected.items) {
    const entries = [...value.entries.values()].map(([key, entry]): Value => ({ kind: 'tuple', items: [key, entry] }));
    compareValue(program, { kind: 'list', items: entries }, { kind: 'list', items: expected.items }, into, at);
    return;
  }
  if (!('value' in value)) return;
  into.compared++;
  const [actual, other] = [value.value, expected.value];
  if (value.kind === 'float') {
    const [x, y] = [Number(actual), numberOf(other)];
    // Python's own floats come from correctly rounded functions here and from the C library there; or from tensors of either type.
    const close = Object.is(x, y) || x === y || Math.abs(x - y) <= 1e-6 * (1 + Math.abs(y));
    if (!close) into.wrong.push(`${at}: ${x}, expected ${y}`);
  } else if (value.kind === 'str' ? actual !== other : Number(actual) !== Number(other))
    into.wrong.push(`${at}: ${String(actual)}, expected ${String(other)}`);
}

const currentNode = (program: Program, value: Value & { kind: 'tensor' }): Node => program.current(value);

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Whether the texts of exceptions are compared too, or their kinds only. */
export type Errors = 'texts' | 'kinds';

const kindOfError = (text: string): string => text.replace(/:[^]*$/, '');

/** The engine's reading of a program beside Python's own run: module names at the end, local names of each function's last call. */
export function compareProgram(text: string, ran: Ran, errorsBy: Errors = 'texts'): Comparison {
  // What comes after an exception, Python does not run.
  const read = ran.end === null ? text : text.split('\n').slice(0, ran.end).join('\n');
  const program = runProgram(read);
  const into: Comparison = { wrong: [], compared: 0, exact: 0, shapes: 0, unknown: [] };
  for (const [name, expected] of Object.entries(ran.names)) {
    const value = program.names.get(name);
    if (!value) into.wrong.push(`${name}: not bound`);
    else
      compareValue(
        program,
        value,
        expected,
        into,
        name,
        value.kind === 'tensor' ? currentNode(program, value) : undefined,
      );
  }
  const errors = program.notes.filter(({ kind }) => kind === 'error').map((note) => note.text);
  if (ran.error === null && errors.length > 0) into.wrong.push(`raised ${errors.join('; ')}`);
  const said = errorsBy === 'kinds' ? kindOfError : (one: string): string => one;
  if (ran.error !== null && said(errors[0] ?? 'nothing') !== said(ran.error))
    into.wrong.push(`raised ${errors[0] ?? 'nothing'}, expected ${ran.error}`);
  comparePrinted(program, ran, into);
  if (ran.error === null) compareLocals(program, text, ran, into);
  return into;
}

/** What is printed, where all of it is known; the panel writes tensors. */
function comparePrinted(program: Program, ran: Ran, into: Comparison): void {
  const lines = new Set(ran.printed.split('\n'));
  for (const { text } of program.outputs.filter(({ printed }) => printed))
    for (const line of text?.split('\n') ?? [])
      if (!lines.has(line)) into.wrong.push(`printed ${JSON.stringify(line)}`);
}

function compareLocals(program: Program, text: string, ran: Ran, into: Comparison): void {
  const last = new Map<string, Binding>();
  // Of a function that calls itself the outermost call returns last.
  const outer = new Map<string, Binding>();
  const innermost = (line: number): Ran['functions'][number] | undefined =>
    ran.functions.filter(({ first, last: end }) => line >= first && line <= end).sort((a, b) => b.first - a.first)[0];
  for (const binding of program.bindings) {
    if (binding.standIn || binding.stack.length === 0) continue;
    const inside = innermost(lineOf(text, binding.range.start));
    if (!inside) continue;
    const key = `${inside.first} ${binding.name}`;
    last.set(key, binding);
    if ((outer.get(key)?.stack.length ?? Infinity) >= binding.stack.length) outer.set(key, binding);
  }
  for (const { first, names } of ran.functions)
    for (const [name, expected] of Object.entries(names)) {
      const binding = last.get(`${first} ${name}`);
      if (!binding) continue;
      const tries = [
        { of: binding, node: binding.node },
        { of: binding, node: binding.value.kind === 'tensor' ? currentNode(program, binding.value) : undefined },
        ...[outer.get(`${first} ${name}`) ?? []].flat().map((of) => ({ of, node: of.node })),
      ].map(({ of: { value }, node }) => {
        const one: Comparison = { wrong: [], compared: 0, exact: 0, shapes: 0, unknown: [] };
        compareValue(program, value, expected, one, `line ${first} ${name}`, node);
        return one;
      });
      // What was written to after it was bound is compared as it is at the end.
      const best = tries.find(({ wrong }) => wrong.length === 0) ?? (tries[0] as Comparison);
      into.wrong.push(...best.wrong);
      into.unknown.push(...best.unknown);
      into.compared += best.compared;
      into.exact += best.exact;
      into.shapes += best.shapes;
    }
}
