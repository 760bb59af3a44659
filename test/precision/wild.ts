/**
 * Runs our interpreter on attention code from public repositories:
 *     npx tsx test/precision/wild.ts FOLDER --list test/precision/wild-a.csv [--json FILE] [--seconds 600] [--only PATH] [--progress] [--show refused|silent|found|lacks|shapes|printed|slow]
 * FOLDER contains the files as owner+name/path, and the list names them (repository, path, commit). Prints Markdown. WILD.md has the figures of the
 * last run and the verdicts by eye. Files are only read, never changed or run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBeside } from './wild/beside';
import { sourceOfFile } from './wild/cells';
import { judgeFile, type FileVerdict } from './wild/judge';
import { details, tables } from './wild/report';

export interface Judged extends FileVerdict {
  readonly path: string;
  readonly fault?: string;
}

const args = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
};

function judged(folder: string, repository: string, path: string): Judged {
  const root = join(folder, repository.replace('/', '+'));
  const file = join(root, path);
  const name = `${repository}/${path}`;
  try {
    return { path: name, ...judgeFile(sourceOfFile(file, readFileSync(file, 'utf8')), filesBeside(root, file)) };
  } catch (error) {
    const fault =
      error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ') : String(error);
    return {
      path: name,
      fault,
      cells: [],
      printed: [],
      characters: 0,
      milliseconds: 0,
      longestPause: 0,
      stopped: false,
    };
  }
}

const [folder = '.'] = args;
const only = option('only');
const rows = readFileSync(option('list') ?? join(folder, 'list.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1);
/** Takes every third row first, so that a run that is stopped early has covered the whole list evenly. */
const mixed = [0, 1, 2].flatMap((first) => rows.filter((_, i) => i % 3 === first));
const end = performance.now() + 1000 * Number(option('seconds') ?? Infinity);
const results: Judged[] = [];
for (const row of mixed) {
  const [repository = '', path = ''] = row.split(',');
  if (only && !`${repository}/${path}`.includes(only)) continue;
  if (performance.now() > end) break;
  if (args.includes('--progress')) console.error(path);
  results.push(judged(folder, repository, path));
}
const json = option('json');
if (json) writeFileSync(json, JSON.stringify(results));
console.log(tables(results));
const show = option('show');
if (show) console.log(details(results, show));
