/**
 * Runs the hover of the extension on real source files and counts what it takes for a matrix:
 *     npx tsx test/precision/hover.ts [--sample 50] [--limit 700] [--seed 1] folder…
 * Draws `limit` files of each kind from all folders. In each file it hovers over every bracket and brace (in large files over evenly spaced ones),
 * over the starts of some lines and, in Python, over some words. It prints Markdown: counts by kind, then a random sample of the findings for
 * inspection by eye. RESULTS.md has the verdicts. Files are only read.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { literalAt } from '../../engine/parse/index';
import { nameAt } from '../engine/names-support';
import { positionAt, type Problem } from '../../engine/text/problems';

const extensions = new Set(
  'py pyi ipynb js mjs cjs ts tsx json c h cc cpp hpp java cs rs go r R m jl nb wl tex md rst txt csv tsv css scss html svg xml kt swift pl sh toml yaml yml sql f f90 vim lua rb el'.split(
    ' ',
  ),
);
const largest = 200_000;
/** Number of characters that the extension reads at first (extension/documents/selection.ts, extension/documents/named-matrix.ts). */
const reach = { literal: 16_384, name: 12_288, nameAfter: 1024 };
const mostIn = { brackets: 300, lines: 20, words: 10 };

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly text: string;
}

interface Tally {
  files: number;
  brackets: number;
  lines: number;
  words: number;
  matrices: number;
  refused: number;
}

interface Options {
  sample: number;
  limit: number;
  seed: number;
  folders: string[];
}

function options(args: readonly string[]): Options {
  const found: Options = { sample: 50, limit: 700, seed: 1, folders: [] };
  for (let i = 0; i < args.length; i++) {
    const name = (args[i] ?? '').slice(2);
    if (name === 'sample' || name === 'limit' || name === 'seed') found[name] = Number(args[++i]);
    else found.folders.push(args[i] ?? '');
  }
  return found;
}

/** Mulberry32: numbers in [0, 1), the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random sample of a list in the list's order. All items are equally likely. */
function drawn<T>(all: readonly T[], count: number, random: () => number): T[] {
  let left = all.length;
  let wanted = count;
  return all.filter(() => {
    const taken = random() < wanted / left--;
    if (taken) wanted--;
    return taken;
  });
}

const isFile = (path: string): boolean => {
  const { size } = lstatSync(path);
  return size > 0 && size < largest;
};

/** Source files below a folder. */
function filesIn(folder: string): string[] {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && extensions.has(extname(path).slice(1)) && isFile(path)) files.push(path);
    }
  }
  return files;
}

const offsetsOf = (text: string, pattern: RegExp): number[] => [...text.matchAll(pattern)].map(({ index }) => index);

interface Hovers {
  readonly file: string;
  readonly text: string;
  readonly tally: Tally;
  readonly findings: Finding[];
  readonly random: () => number;
}

function hoverFile(hovers: Hovers): void {
  const { file, text, tally, random } = hovers;
  tally.files++;
  let passed = -1;
  for (const at of drawn(offsetsOf(text, /[[({]/g), mostIn.brackets, random)) {
    if (at < passed) continue;
    tally.brackets++;
    passed = hoverAt(hovers, at);
  }
  for (const at of drawn(offsetsOf(text, /(?<=^[ \t]*)\S/gm), mostIn.lines, random)) {
    tally.lines++;
    hoverAt(hovers, at);
  }
  if (extname(file) !== '.py') return;
  for (const at of drawn(offsetsOf(text, /\b[A-Za-z_]\w*(?= *=[^=])/g), mostIn.words, random)) {
    tally.words++;
    hoverName(hovers, at);
  }
}

/** Hovers at a position and returns the end of the literal found there, or the position itself if there is none. */
function hoverAt({ file, text, tally, findings }: Hovers, at: number): number {
  const start = Math.max(0, at - reach.literal);
  // If the nearby text has a literal, it is read again with the whole text around it.
  if (!literalAt(text.slice(start, at + reach.literal), at - start)) return at;
  const found = literalAt(text, at);
  if (!found) return at;
  const { what, ...range } = 'matrix' in found ? ofMatrix(found.matrix) : ofProblems(found.problems);
  tally['matrix' in found ? 'matrices' : 'refused']++;
  findings.push(finding(file, text, range, what));
  return range.end;
}

function hoverName({ file, text, tally, findings }: Hovers, at: number): void {
  const start = Math.max(0, at - reach.name);
  const found = nameAt(text.slice(start, at + reach.nameAfter), at - start, { before: '', cut: start > 0 });
  // The extension shows problems of names on request only.
  if (!found || 'problems' in found) return;
  tally.matrices++;
  const { name = '', shape } = found.matrix;
  findings.push(finding(file, text, { start: at, end: at + 60 }, `name ${name} ${shape.join('×')}`));
}

const finding = (
  file: string,
  text: string,
  { start, end }: { start: number; end: number },
  what: string,
): Finding => ({
  file: basename(file),
  line: positionAt(text, start).line,
  what,
  text: text.slice(Math.max(0, start - 40), Math.min(end, start + 100)),
});

interface Shown {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

type Matrix = Extract<NonNullable<ReturnType<typeof literalAt>>, { matrix: unknown }>['matrix'];

const ofMatrix = ({ format, name, shape, range }: Matrix): Shown => ({
  what: `${format} ${name ?? '-'} ${shape.join('×')}`,
  ...range,
});

const ofProblems = ([first]: readonly Problem[]): Shown => ({
  what: `refused, ${first?.code ?? ''}: ${first?.message ?? ''}`,
  start: first?.range?.start ?? 0,
  end: first?.range?.end ?? 0,
});

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', 'ˋ').trim();

function main(): void {
  const { sample, limit, seed, folders } = options(process.argv.slice(2));
  const random = randomOf(seed);
  const files = folders.flatMap(filesIn).sort();
  const findings: Finding[] = [];
  console.log(row(['kind', 'files', 'brackets', 'lines', 'words', 'matrices', 'refused']));
  console.log(row(Array.from({ length: 7 }, () => '---')));
  for (const kind of new Set(files.map((file) => extname(file).slice(1)))) {
    const ofKind = files.filter((file) => extname(file).slice(1) === kind);
    const tally: Tally = { files: 0, brackets: 0, lines: 0, words: 0, matrices: 0, refused: 0 };
    for (const file of drawn(ofKind, limit, random))
      hoverFile({ file, text: readFileSync(file, 'utf8'), tally, findings, random });
    console.log(row([kind, ...Object.values(tally)]));
  }
  console.log(`\n${findings.length} findings, of which:\n`);
  for (const { file, line, what, text } of drawn(findings, sample, random))
    console.log(row([`${file}:${line}`, what, `\`${oneLine(text)}\``]));
}

main();
