// `npm run mutants -- planner cell --count=200 --seed=7`: builds small faults into a room (a part) of the engine, one at a time, and runs its tests.
// RESULTS.md lists the faults that no test notices. Without a room's name all rooms are tried. Options: `--file=PART` takes only files whose path
// contains PART, `--minutes=5` stops a room after this time, `--without=PART,PART` leaves out test files whose name contains a PART, `--survivors` tries
// only the survivors of the room's last run, `--dry` does not write RESULTS.md, `--all` prints for each fault which test noticed it.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/paths';
import { bundlePath, bundleTests, folder } from './bundle';
import type { Order, Reached, Report } from './child';
import { equivalents } from './equivalents';
import { type Mutant, mutantsOf } from './mutate';
import { type Outcome, publish, type Score, summary } from './results';
import { type Room, rooms, slowest } from './rooms';
import { ask, endWorker } from './worker';

function filesOf({ files }: Room): string[] {
  const below = (path: string): string[] =>
    statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path)).flatMap((name) => below(`${path.replace(/\/$/, '')}/${name}`))
      : [path];
  const isSource = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.d.ts');
  return files.flatMap(below).filter((path) => isSource(path));
}

const testsOf = ({ tests }: Room): string[] =>
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.test.ts') && tests.test(name))
    .map((name) => `test/${name}`)
    .sort();

type Known = Pick<Mutant, 'file' | 'source' | 'from' | 'to'>;

/** Compares the text of the line and not its number, because lines may have moved. */
const isAmong = (mutant: Mutant, known: readonly Known[]): boolean =>
  known.some((one) => one.file === mutant.file && one.source === mutant.source && one.from === mutant.from && one.to === mutant.to); // prettier-ignore

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random sample in random order, so that a run that ends early has tried a random sample too. */
function sample<T>(all: readonly T[], count: number, seed: number): T[] {
  const random = randomFrom(seed);
  const keyed = all.map((item) => ({ item, key: random() })).sort((a, b) => a.key - b.key);
  return keyed.slice(0, count).map(({ item }) => item);
}

interface Stage {
  /** The mutant is reached while the files are loaded, so they need a new process. */
  readonly fresh: boolean;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly milliseconds: number;
}

/** The test files that reach a mutant, the fastest first. Within a file the tests that reach it run before the others. */
function stagesFor(id: number, { tests, loading, imports }: Report, most: number): Stage[] {
  const usable = tests.filter(({ failed, milliseconds }) => !failed && milliseconds <= most);
  const reach = ({ mutants }: Reached): boolean => mutants.includes(id);
  const names = Object.keys(loading).filter((file) => imports.includes(id) || loading[file]?.mutants.includes(id) || usable.some((test) => test.file === file && reach(test))); // prettier-ignore
  const rank = (test: Reached): number => (reach(test) ? 0 : 1e9) + test.milliseconds;
  const stages = names.map((file): Stage => {
    const own = usable.filter((test) => test.file === file).sort((a, b) => rank(a) - rank(b));
    const milliseconds = own.reduce((sum, test) => sum + test.milliseconds, loading[file]?.milliseconds ?? 0);
    const fresh = imports.includes(id) || !!loading[file]?.mutants.includes(id);
    return { fresh, files: [file], tests: own.map(({ test }) => test), milliseconds };
  });
  const cost = ({ fresh, milliseconds }: Stage): number => milliseconds + (fresh ? 1000 : 0);
  return packed(stages.filter(({ tests: own }) => own.length).sort((a, b) => cost(a) - cost(b)));
}

/** Combines fast files into stages of up to a second. */
function packed(stages: readonly Stage[]): Stage[] {
  const result: Stage[] = [];
  for (const stage of stages) {
    const last = result.at(-1);
    if (!last || last.fresh !== stage.fresh || last.milliseconds + stage.milliseconds > 1000) result.push(stage);
    else result.splice(-1, 1, { fresh: last.fresh, files: [...last.files, ...stage.files], tests: [...last.tests, ...stage.tests], milliseconds: last.milliseconds + stage.milliseconds }); // prettier-ignore
  }
  return result;
}

/** Undefined if the machine was too busy to tell: the tests did not end without the mutant either. */
async function tryMutant(id: number, all: Report, slowestTest: number): Promise<Outcome | undefined> {
  const most = 1000 + 50 * (all.times[id] ?? 0);
  let ran = 0;
  for (const stage of stagesFor(id, all, slowestTest)) {
    const order = { bundle: bundlePath, mutant: id, files: stage.files, tests: stage.tests, most };
    const limit = 60_000 + 20 * stage.milliseconds;
    const attempt = (within: number): Promise<Report | undefined> =>
      stage.fresh ? tryFresh({ ...order, fresh: true }, within) : tryHere(order, within);
    // On a busy machine a run may exceed its limit, so it gets a second try with four times the limit.
    const report = (await attempt(limit)) ?? (await attempt(4 * limit));
    if (!report) return (await endsWithout(order, limit)) ? { noticed: true, by: 'it did not end' } : undefined;
    if (report.failed) return { noticed: true, by: `${report.failed} (${report.why ?? ''})` };
    ran += report.tests.length;
  }
  return { noticed: false, by: ran ? `${ran} tests` : 'no test reaches it' };
}

/** Whether the same tests end within the same limit without the mutant. */
async function endsWithout({ mutant: _, ...plain }: Order, limit: number): Promise<boolean> {
  return (await ask(plain, limit)) !== undefined;
}

const fails = async (order: Order, test: string, limit: number): Promise<boolean> => {
  const report = await ask({ ...order, tests: [test] }, limit);
  return report !== undefined && (report.failed !== undefined || report.tests.length === 0);
};

/** A test may fail because the machine is busy, and not because of the mutant: the one that failed has to fail again. */
async function tryFresh(order: Order, limit: number): Promise<Report | undefined> {
  const report = await ask(order, limit);
  if (!report?.failed || report.failed === 'loading' || (await fails(order, report.failed, limit))) return report;
  return ask(order, limit);
}

/**
 * Tries a mutant in the process that earlier mutants ran in. A value that one of them left in a cache may make a test fail. So a failed test is run again
 * without a mutant, and then with it; if it does not pass and fail, the order is repeated in a new process.
 */
async function tryHere(order: Order, limit: number): Promise<Report | undefined> {
  const report = await ask(order, limit);
  if (!report?.failed || report.failed === 'loading') return report;
  const { mutant: _, ...plain } = order;
  const again = await ask({ ...plain, tests: [report.failed] }, limit);
  if (again && !again.failed && again.tests.length && (await fails(order, report.failed, limit))) return report;
  endWorker();
  return ask(order, limit);
}

const slowPath = join(folder, 'slow.json');
const survivorsPath = join(folder, 'survivors.json');

const readByRoom = <T>(path: string): Record<string, readonly T[]> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, readonly T[]>) : {};

function writeOfRoom<T>(path: string, name: string, list: readonly T[]): void {
  writeFileSync(path, JSON.stringify({ ...readByRoom<T>(path), [name]: list }, undefined, 1));
}

/** Runs all tests once without a mutant. Tests that are too slow are recorded, and the next run leaves them out. */
async function reachOf(name: string, files: readonly string[], most: number): Promise<Report> {
  const without = readByRoom<string>(slowPath)[name] ?? [];
  endWorker();
  const report = await ask({ bundle: bundlePath, files, without }, 1_800_000);
  endWorker();
  if (!report || report.failed === 'loading') throw new Error(`the tests do not run: ${report?.why ?? 'no report'}`);
  const failing = report.tests.filter(({ failed }) => failed).map(({ test }) => test);
  if (failing.length) console.log(`left out, since they fail without any mutant:\n  ${failing.join('\n  ')}`);
  const slow = report.tests.filter(({ milliseconds }) => milliseconds > most).map(({ test }) => test);
  writeOfRoom(slowPath, name, [...without, ...slow]);
  return report;
}

async function score(name: string, room: Room, options: Options): Promise<Score> {
  const began = Date.now();
  const files = filesOf(room).filter((file) => file.includes(options.file));
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
  const drawn = options.survivors
    ? all.filter((mutant) => isAmong(mutant, readByRoom<Known>(survivorsPath)[name] ?? []))
    : sample(all, options.count, options.seed);
  const mutants = drawn.filter((mutant) => !isAmong(mutant, equivalents));
  const tests = testsOf(room).filter((file) => !options.without.some((part) => file.includes(part)));
  const most = room.slowest ?? slowest;
  await bundleTests(tests, mutants);
  const reached = await reachOf(name, tests, most);
  console.log(`${name}: ${mutants.length} of ${all.length} mutants, ${reached.tests.length} tests, ${((Date.now() - began) / 1000).toFixed(0)} s`); // prettier-ignore
  if (options.all) console.log(timesOf(reached));
  const outcomes: Outcome[] = [];
  const tried: Mutant[] = [];
  const ends = Date.now() + 60_000 * options.minutes;
  for (const [id, mutant] of mutants.entries()) {
    if (Date.now() > ends) break;
    const outcome = await tryMutant(id, reached, most);
    if (!outcome) {
      console.log(`  LEFT OUT, as its tests do not end without it either: ${mutant.file}:${mutant.line}  ${mutant.from}  →  ${mutant.to}`); // prettier-ignore
      continue;
    }
    tried.push(mutant);
    outcomes.push(outcome);
    if (!outcome.noticed || options.all) console.log(`${outcome.noticed ? '  noticed ' : '  SURVIVED'} ${mutant.file}:${mutant.line}  ${mutant.from}  →  ${mutant.to}   [${outcome.by.replaceAll('\n', ' ')}]`); // prettier-ignore
  }
  endWorker();
  if (!options.survivors) writeOfRoom(survivorsPath, name, tried.filter((_, id) => outcomes[id]?.noticed === false)); // prettier-ignore
  return {
    name,
    seed: options.seed,
    all: all.length,
    mutants: tried,
    equivalent: drawn.length - mutants.length,
    outcomes,
    seconds: (Date.now() - began) / 1000,
  };
}

function timesOf({ tests, loading }: Report): string {
  const lines = Object.entries(loading).map(([file, { milliseconds }]) => {
    const own = tests.filter((test) => test.file === file);
    const sum = own.reduce((total, test) => total + test.milliseconds, 0);
    return `  ${file}: loading ${milliseconds.toFixed(0)} ms, ${own.length} tests ${sum.toFixed(0)} ms`;
  });
  return lines.join('\n');
}

interface Options {
  readonly count: number;
  /** Time limit for the mutants of a room. */
  readonly minutes: number;
  readonly seed: number;
  readonly file: string;
  /** Test files whose name contains one of these are left out. */
  readonly without: readonly string[];
  readonly survivors: boolean;
  readonly dry: boolean;
  readonly all: boolean;
}

async function main(args: readonly string[]): Promise<void> {
  const given = (name: string): string | undefined => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3); // prettier-ignore
  const options: Options = {
    count: Number(given('count') ?? 200),
    minutes: Number(given('minutes') ?? Infinity),
    seed: Number(given('seed') ?? Date.now() % 100_000),
    file: given('file') ?? '',
    without: given('without')?.split(',') ?? [],
    survivors: args.includes('--survivors'),
    dry: args.includes('--dry') || args.includes('--survivors'),
    all: args.includes('--all'),
  };
  const named = args.filter((arg) => !arg.startsWith('--'));
  mkdirSync(folder, { recursive: true });
  for (const name of named.length ? named : Object.keys(rooms)) {
    const room = rooms[name];
    if (!room) throw new Error(`no room ${name}; there are ${Object.keys(rooms).join(', ')}`);
    const result = await score(name, room, options);
    console.log(summary(result));
    if (!options.dry) publish(result);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
