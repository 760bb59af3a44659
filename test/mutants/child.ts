// Runs tests of a bundle in a process of its own. First it runs all tests, to learn which test reaches which mutant. Then it runs, for one mutant at a
// time, the tests that reach it.
import type ChildProcess from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';

/** A request to run tests. A file is loaded once, for the first order that names it. No mutant is on while it loads, unless the order is `fresh`. */
export interface Order {
  readonly bundle: string;
  readonly files: readonly string[];
  /** The mutant to switch on. If absent, the mutants that each test reaches are reported. */
  readonly mutant?: number;
  /** The mutant is also on while files are loaded. The process cannot be used again afterwards. */
  readonly fresh?: boolean;
  /** The tests to run, in this order. If absent, all tests except those in `without`. */
  readonly tests?: readonly string[];
  readonly without?: readonly string[];
  /** The number of times the mutant may be reached before the test counts as an endless loop. */
  readonly most?: number;
}

export interface Reached {
  readonly test: string;
  readonly file: string;
  readonly milliseconds: number;
  readonly failed: boolean;
  readonly mutants: readonly number[];
}

/** Time to load a file, and the mutants that were reached while it loaded. */
export interface Loaded {
  readonly milliseconds: number;
  readonly mutants: readonly number[];
}

export interface Report {
  /** The first test that failed, or `loading` if a file could not be loaded. */
  readonly failed?: string;
  readonly why?: string;
  readonly tests: readonly Reached[];
  readonly loading: Readonly<Record<string, Loaded>>;
  /** Mutants that are reached while the imports of the tests are loaded. */
  readonly imports: readonly number[];
  /** How often each mutant was reached. */
  readonly times: Readonly<Record<number, number>>;
}

type Part = Mocha.Suite | Mocha.Test;

const times: Record<number, number> = {};
const imports = new Set<number>();
const loading: Record<string, Loaded> = {};
let mutant: number | undefined;
let most = Infinity;
/** The set that records the mutants that are reached now. */
let open = imports;
let opened = imports;

Object.assign(globalThis, {
  $m: (id: number): boolean => {
    open.add(id);
    const count = (times[id] ?? 0) + 1;
    times[id] = count;
    if (id === mutant && count > most) throw new Error('a loop without end');
    return id === mutant;
  },
  /** Called when the imports of a test file are loaded and its own code starts. */
  $load: (): void => void (open = opened),
});

const mocha = new Mocha({ timeout: 600_000, reporter: Mocha.reporters.Base });
mocha.cleanReferencesAfterRun(false);
mocha.suite.emit('pre-require', globalThis as never, '', mocha);

/**
 * Python is not mutated, so what it answers to one program and one input is kept in a file: importing its libraries for each mutant would take most of
 * a run, and on a busy machine longer than a mutant's limit.
 */
const processes = createRequire(import.meta.url)('node:child_process') as typeof ChildProcess;
const { spawnSync, execFileSync } = processes;
const answers = join(dirname(fileURLToPath(import.meta.url)), 'python');

type Call = readonly [command: string, args: readonly string[], options?: { readonly encoding?: unknown; readonly input?: unknown }]; // prettier-ignore

/** The file that keeps the answer to a call; undefined for a call that may read or write files. */
function answerTo([command, args, { encoding, input } = {}]: Call): string | undefined {
  const [first = '', script = ''] = args;
  const readsInput = typeof input === 'string' && (first === '-c' || first.endsWith('program_run.py'));
  if (encoding !== 'utf8' || !command.includes('python') || !(readsInput || /^import /.test(script))) return undefined;
  const program = first === '-c' ? '' : readFileSync(first);
  const hash = createHash('sha256')
    .update(JSON.stringify([command, args, input]))
    .update(program)
    .digest('hex');
  return join(answers, `${hash}.json`);
}

function kept<T>(call: Call, run: () => T, isKept: (result: T) => boolean): T {
  const path = answerTo(call);
  if (path && existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
  const result = run();
  mkdirSync(answers, { recursive: true });
  if (path && isKept(result)) writeFileSync(path, JSON.stringify(result));
  return result;
}

Object.assign(processes, {
  spawnSync: (...call: Parameters<typeof spawnSync>) =>
    kept(
      call as unknown as Call,
      () => {
        const { status, stdout, stderr, error } = spawnSync(...call);
        return { status, stdout, stderr, error };
      },
      ({ status }) => status === 0,
    ),
  execFileSync: (...call: Parameters<typeof execFileSync>) => kept(call as unknown as Call, () => execFileSync(...call), () => true),
}); // prettier-ignore

/** CPU time of this process in milliseconds, which other load on the machine does not change. */
const now = (): number => process.cpuUsage().user / 1000;

const fileOf = new Map<Part, string>();
function load(bundle: string, file: string): void {
  if (loading[file]) return;
  const began = now();
  [open, opened] = [imports, new Set()];
  const loaders = createRequire(import.meta.url)(bundle) as Record<string, () => void>;
  loaders[file]?.();
  for (const part of [...mocha.suite.suites, ...mocha.suite.tests]) if (!fileOf.has(part)) fileOf.set(part, file);
  loading[file] = { milliseconds: now() - began, mutants: [...opened] };
}

/** A test's name: its file, its full title, and its number among the tests with the same title. */
const names = new Map<Mocha.Test, string>();
function nameTests(suite: Mocha.Suite, path: string, seen: Map<string, number>): void {
  for (const test of suite.tests) {
    const title = `${path || (fileOf.get(test) ?? '')} › ${test.title}`;
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    names.set(test, count > 1 ? `${title} #${count}` : title);
  }
  for (const inner of suite.suites) nameTests(inner, `${path || (fileOf.get(inner) ?? '')} › ${inner.title}`, seen);
}

/** Keeps only the tests with a finite rank, sorts suites and tests by rank, and returns a function that undoes this. */
function select(all: Mocha.Suite, rankOfTest: (name: string) => number): () => void {
  const ranks = new Map<Part, number>();
  const undo: (() => void)[] = [];
  const rankOf = (part: Part): number => ranks.get(part) ?? Infinity;
  const ranked = <T extends Part>(parts: readonly T[]): T[] =>
    parts.filter((part) => rankOf(part) < Infinity).sort((a, b) => rankOf(a) - rankOf(b));
  const keep = (suite: Mocha.Suite): number => {
    const { tests, suites } = suite;
    for (const test of tests) ranks.set(test, rankOfTest(names.get(test) ?? ''));
    for (const inner of suites) ranks.set(inner, keep(inner));
    [suite.tests, suite.suites] = [ranked(tests), ranked(suites)];
    undo.push(() => ([suite.tests, suite.suites] = [tests, suites]));
    return Math.min(Infinity, ...[...tests, ...suites].map(rankOf));
  };
  keep(all);
  return () => undo.forEach((one) => one());
}

/** Runs the selected tests. Mutants that a `before` hook reaches count for every test of its suite. */
function runTests(): Promise<Pick<Report, 'failed' | 'why' | 'tests'>> {
  const tests: Reached[] = [];
  const shared = new Map<Mocha.Suite, Set<number>>();
  let failed: { failed: string; why: string } | undefined;
  let began = 0;
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve({ ...failed, tests }));
    runner.on('hook', ({ parent, title }: Mocha.Hook) => {
      if (!parent || !title.includes('"before all"')) return;
      open = shared.get(parent) ?? new Set();
      shared.set(parent, open);
    });
    runner.on('test', () => {
      open = new Set();
      began = now();
    });
    runner.on('fail', (test: Mocha.Test, error: Error) => {
      failed ??= { failed: names.get(test) ?? test.fullTitle(), why: `${error.name}: ${error.message}`.slice(0, 300) };
    });
    runner.on('test end', (test: Mocha.Test) => {
      const mutants = new Set(open);
      let file = fileOf.get(test) ?? '';
      for (let suite = test.parent; suite; suite = suite.parent) {
        for (const id of shared.get(suite) ?? []) mutants.add(id);
        file = fileOf.get(suite) ?? file;
      }
      if (test.isPending()) return;
      tests.push({ test: names.get(test) ?? '', file, milliseconds: now() - began, failed: test.isFailed(), mutants: [...mutants] }); // prettier-ignore
    });
  });
}

async function obey(order: Order): Promise<Report> {
  const { files, tests, without = [] } = order;
  if (order.fresh) ({ mutant, most = Infinity } = order);
  try {
    for (const file of files) load(order.bundle, file);
  } catch (error) {
    return { failed: 'loading', why: String(error).slice(0, 300), tests: [], loading, imports: [...imports], times };
  }
  nameTests(mocha.suite, '', new Map());
  const ranks = tests && new Map(tests.map((name, at) => [name, at]));
  const undo = select(mocha.suite, (name) => (ranks ? (ranks.get(name) ?? Infinity) : without.includes(name) ? Infinity : 0)); // prettier-ignore
  ({ mutant, most = Infinity } = order);
  if (mutant !== undefined) times[mutant] = 0;
  mocha.bail(mutant !== undefined);
  const ran = await runTests();
  undo();
  mutant = undefined;
  return { ...ran, loading, imports: [...imports], times };
}

process.on('message', (order: Order) => void obey(order).then((report) => process.send?.(report)));
