// The suites of `npm test`, in the order in which they run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium, swiftShaderIcd } from './chromium';
import { root } from './paths';
import { run, type RunResult, tail } from './processes';
import { ensurePython } from './python';
import { type Counts, readCounts } from './reporter';

export interface Outcome extends Counts {
  /** Remarks for the reader of the table: which host was used, or why a suite ended prematurely. */
  notes: string[];
}

export interface Suite {
  name: string;
  words: string;
  /** Where its tests are. */
  folder?: string;
  /** Suites that must run before. */
  needs?: string[];
  run(): Promise<Outcome>;
}

/**
 * For tests that drive a browser: a failed test is run once more and named in the table, because VS Code sometimes loads a restored page late. Such a
 * test has a race condition to be fixed.
 */
const onceMore = ['--retries=1'];

/** All suites. Every *.test.ts under test/ belongs to the suite of its folder; test.ts fails if one belongs to none. */
export const suites: Suite[] = [
  { name: 'typecheck', words: 'the types of each folder, by the compiler', run: typecheck },
  { name: 'lint', words: 'ESLint and Prettier', run: lint },
  { name: 'engine', words: 'the engine in Node', folder: 'test/engine', run: engine },
  { name: 'unit', words: "the extension's parts that need no VS Code", folder: 'test/extension/unit', run: unit },
  { name: 'build', words: 'the bundles', run: build },
  mochaSuite('webview', 'the page in Chromium', 'test/webview', ['build'], { flags: onceMore, sideBySide: true }),
  {
    name: 'extension',
    words: 'in the extension host of a real VS Code',
    folder: 'test/extension/suite',
    needs: ['build'],
    run: extension,
  },
  {
    name: 'web',
    words: 'in the web extension host of a real VS Code',
    folder: 'test/extension/web',
    needs: ['build'],
    run: web,
  },
  mochaSuite('e2e', 'a person in a real VS Code', 'test/extension/e2e', ['build'], { flags: onceMore }),
  mochaSuite('vsix', 'the package, installed in a real VS Code', 'test/host'),
];

function mochaSuite(name: string, words: string, folder: string, needs: string[] = [], how: How = {}): Suite {
  return { name, words, folder, needs, run: () => inBrowser(folder, how) };
}

/** Files of a folder without those of installed packages, which have tests of their own. */
const ownFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => !name.includes('/node_modules/'));

/** Test files that no suite runs. */
export function strayTests(): string[] {
  const files = ownFiles('test').filter((name) => name.endsWith('.test.ts'));
  return files.filter((file) => !suites.some(({ folder }) => folder && file.startsWith(`${folder}/`)));
}

const node = (args: string[], options = {}) => run(process.execPath, args, { cwd: root, ...options });
const bin = (path: string) => join(root, 'node_modules', path);

/** Runs programs, each of which counts as one test by its exit code. Prints only the output of those that fail. */
async function checks(named: Record<string, Promise<RunResult>>): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, notes: [] };
  for (const [name, result] of Object.entries(named)) {
    const { code, output } = await result;
    console.log(code === 0 ? `  ✓ ${name}` : `  ✗ ${name}\n${output}`);
    if (code === 0) outcome.passed++;
    else outcome.failed++;
  }
  return outcome;
}

function typecheck(): Promise<Outcome> {
  const isFolder = (name: string) => !/^(\.|node_modules|dist)/.test(name);
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && isFolder(entry.name),
  );
  const configs = folders.flatMap(({ name }) => ownFiles(name).filter((file) => /\/tsconfig[^/]*\.json$/.test(file)));
  const check = (path: string) => node(['--import', 'tsx', 'test/host/typecheck.ts', path, ...configs]);
  return checks(Object.fromEntries(configs.map((path) => [`types by ${path}`, check(path)])));
}

function lint(): Promise<Outcome> {
  return checks({
    'eslint .': node([bin('eslint/bin/eslint.js'), '.']),
    'prettier --check .': node([bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.']),
  });
}

/** The bundles of the tests, and the page as it is packaged, once for all processes that drive it (test/webview/harness.ts). */
function build(): Promise<Outcome> {
  const page = join(root, 'test-results/page');
  process.env['EXPLAIN_ATTENTION_PAGE'] = page;
  return checks({
    'node esbuild.mjs': node(['esbuild.mjs']),
    'node esbuild.mjs --page --production': node(['esbuild.mjs', '--page', '--production', `--outdir=${page}`]),
  });
}

/**
 * Runs the engine's tests. A missing Python or WebGPU driver counts as a failure and is named with the command to install it; the tests that need it
 * skip themselves.
 */
async function engine(): Promise<Outcome> {
  const missing: string[] = [];
  const note = (error: Error) => void missing.push(error.message);
  await ensurePython().catch(note);
  const browser = await ensureChromium().catch(note);
  const icd = process.env['VK_ICD_FILENAMES'] ?? (browser ? swiftShaderIcd(browser) : undefined);
  // WebGPU in Node runs in software, by the driver that comes with the browser.
  const outcome = await mocha('test/engine', { env: icd ? { VK_ICD_FILENAMES: icd } : {}, sideBySide: true });
  return { ...outcome, failed: outcome.failed + missing.length, notes: [...missing, ...outcome.notes] };
}

/** Values of stopped programs are read there: without debugpy that counts as a failure, as a missing Python does. */
async function unit(): Promise<Outcome> {
  const missing: string[] = [];
  await ensurePython().catch((error: Error) => void missing.push(error.message));
  const outcome = await mocha('test/extension/unit');
  return { ...outcome, failed: outcome.failed + missing.length, notes: [...missing, ...outcome.notes] };
}

async function inBrowser(folder: string, how: How): Promise<Outcome> {
  await ensureChromium();
  return mocha(folder, how);
}

interface How {
  env?: NodeJS.ProcessEnv;
  flags?: string[];
  /** Runs two files at a time, each in its own process. Files that say `// Runs alone: …` run after these, one by one. */
  sideBySide?: boolean;
}

/** Runs every test file below a folder. */
async function mocha(folder: string, how: How = {}): Promise<Outcome> {
  const files = ownFiles(folder).filter((name) => name.endsWith('.test.ts'));
  if (!how.sideBySide) return mochaRun(files, how);
  const isAlone = (file: string) => /^\/\/ Runs alone: /m.test(readFileSync(join(root, file), 'utf8'));
  const alone = files.filter(isAlone);
  const together = await mochaRun(files.filter((file) => !alone.includes(file)), how, ['--parallel', '--jobs=2']); // prettier-ignore
  return alone.length ? both(together, await mochaRun(alone, how)) : together;
}

const both = (a: Outcome, b: Outcome): Outcome => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  notes: [...a.notes, ...b.notes],
});

async function mochaRun(files: string[], { env = {}, flags = [] }: How, more: string[] = []): Promise<Outcome> {
  const reporter = ['--reporter', join(root, 'test/host/reporter.ts')];
  const args = [bin('mocha/bin/mocha.js'), '--import=tsx', ...reporter, ...flags, ...more, ...files];
  return counted(await node(args, { env: { ...process.env, ...env }, echo: true, limit: 2400 }));
}

async function extension(): Promise<Outcome> {
  await ensureChromium();
  const result = await node(['--import', 'tsx', 'test/host/run-suite.ts'], { echo: true, limit: 900 });
  const host = /^host: (.*)$/m.exec(result.output)?.[1];
  const outcome = counted(result);
  return { ...outcome, notes: [...(host ? [host] : []), ...outcome.notes] };
}

async function web(): Promise<Outcome> {
  await ensureChromium();
  return counted(await node(['--import', 'tsx', 'test/host/run-web.ts'], { echo: true, limit: 400 }));
}

/** The outcome of a mocha run. One that ended prematurely, ran no test, or exited with an error without a failed test counts as a failure. */
function counted({ code, output }: RunResult): Outcome {
  const counts = readCounts(output);
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const bad = (note: string): Outcome => ({ passed, failed: failed + 1, skipped, notes: [note] });
  if (!counts) return bad(`died (exit code ${code}) after printing:\n${tail(output, 15)}`);
  if (passed + failed + skipped === 0) return bad('ran no test');
  if (code !== 0 && failed === 0) return bad(`ended with exit code ${code}:\n${tail(output, 15)}`);
  return { passed, failed, skipped, notes: remarks(output) };
}

/** The tests that failed or were repeated, each with the first lines of the reporter's message. */
function remarks(output: string): string[] {
  const lines = output.split('\n');
  return lines.flatMap((line, at) =>
    /^\s*[✗~] /.test(line) ? [[line.trim(), ...lines.slice(at + 1, at + 5)].join('\n')] : [],
  );
}
