/**
 * Hovers over every bracket and brace of real source files and counts what is taken for a matrix:
 *     npx tsx test/precision/hover.ts [--sample 50] [--limit 4000] folder…
 * The sample is spread over all findings by a fixed stride, to be looked at by eye. Files are read, never changed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { literalAt } from '../../engine/parse/index';
import { positionAt, type Problem } from '../../engine/problems';

const extensions = new Set(
  'py js mjs cjs ts tsx json c h cc cpp hpp java cs rs go r R m jl nb wl tex md css scss html kt swift pl sh toml'.split(
    ' ',
  ),
);
/** Each hover looks back to the start of its file, so that large files take long and say as much as their first part. */
const largest = 16_000;

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly text: string;
}

interface Tally {
  files: number;
  brackets: number;
  matrices: number;
  problems: number;
}

interface Options {
  sample: number;
  limit: number;
  folders: string[];
}

function options(args: readonly string[]): Options {
  const found: Options = { sample: 50, limit: 4000, folders: [] };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--sample' || arg === '--limit') found[arg === '--sample' ? 'sample' : 'limit'] = Number(args[++i]);
    else found.folders.push(arg);
  }
  return found;
}

/** Source files below a folder in the order of their names, `limit` at most. */
function filesIn(folder: string, limit: number): string[] {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined && files.length < limit; next = folders.shift()) {
    for (const entry of readdirSync(next, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && extensions.has(extname(path).slice(1)) && statSync(path).size < largest)
        files.push(path);
    }
  }
  return files.slice(0, limit);
}

/** Hovers each bracket that no literal found before it holds. */
function hover(file: string, tally: Tally, findings: Finding[]): void {
  const text = readFileSync(file, 'utf8');
  tally.files++;
  let passed = 0;
  for (let at = 0; at < text.length; at++) {
    if (!'[({'.includes(text.charAt(at)) || at < passed) continue;
    tally.brackets++;
    const found = literalAt(text, at);
    if (!found) continue;
    const { what, start, end } = 'matrix' in found ? ofMatrix(found) : ofProblems(found.problems, at);
    tally['matrix' in found ? 'matrices' : 'problems']++;
    passed = Math.max(at + 1, end);
    findings.push({
      file,
      line: positionAt(text, at).line,
      what,
      text: text.slice(Math.max(0, start - 30), start + 90),
    });
  }
}

type Ranged = { readonly what: string; readonly start: number; readonly end: number };

const ofMatrix = ({ matrix }: Extract<NonNullable<ReturnType<typeof literalAt>>, { matrix: unknown }>): Ranged => ({
  what: `${matrix.format} ${matrix.name ?? '-'} ${matrix.shape.join('×')}`,
  start: matrix.range.start,
  end: matrix.range.end,
});

const ofProblems = (problems: readonly Problem[], at: number): Ranged => ({
  what: `problem ${problems[0]?.code ?? ''}: ${problems[0]?.message ?? ''}`,
  start: at,
  end: Math.max(...problems.map((p) => p.range?.end ?? 0)),
});

function main(): void {
  const { sample, limit, folders } = options(process.argv.slice(2));
  const kinds = new Map<string, Tally>();
  const findings: Finding[] = [];
  for (const file of folders.flatMap((folder) => filesIn(folder, limit))) {
    const kind = extname(file).slice(1);
    const tally = kinds.get(kind) ?? { files: 0, brackets: 0, matrices: 0, problems: 0 };
    kinds.set(kind, tally);
    hover(file, tally, findings);
  }
  console.table(Object.fromEntries(kinds));
  const stride = Math.max(1, Math.floor(findings.length / sample));
  for (const f of findings.filter((_, i) => i % stride === 0).slice(0, sample))
    console.log(`${f.file}:${f.line}  ${f.what}\n    ${JSON.stringify(f.text)}`);
}

main();
