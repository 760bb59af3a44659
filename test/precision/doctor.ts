/**
 * Runs the code doctor on attention code of public repositories, which is right but for what a reader finds otherwise:
 *     npx tsx test/precision/doctor.ts FOLDER LIST [FOLDER LIST …] [--json FILE] [--seconds 20] [--say]
 * `--seconds`: of the processor, for a file. FOLDER contains the files as owner+name/path, LIST names them (wild-a.csv). Prints a table in Markdown: attentions that were really computed, findings
 * by rule. DOCTOR.md has the figures and the verdicts by eye. Files are only read, never changed or run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosingText, type Diagnosis } from '../../engine/program/doctor/diagnose';
import { rules, type RuleId } from '../../engine/program/doctor/rules';
import { positionAt } from '../../engine/index';
import { filesBeside } from './wild/beside';
import { sourceOfFile } from './wild/cells';

interface Row extends Omit<Diagnosis, 'findings'> {
  readonly file: string;
  readonly found: readonly { readonly rule: RuleId; readonly line: number; readonly message: string; readonly mended: boolean }[];
  readonly fault?: string;
  readonly milliseconds: number;
} // prettier-ignore

const words = process.argv.slice(2);
const option = (name: string): string | undefined => words[words.indexOf(`--${name}`) + 1];
const has = (name: string): boolean => words.includes(`--${name}`);
const places = words.filter((word, i) => !word.startsWith('--') && !['--json', '--seconds'].includes(words[i - 1] ?? '')); // prettier-ignore
const limit = 1000 * Number(has('seconds') ? option('seconds') : 20);

function diagnosed(folder: string, repository: string, path: string): Row {
  const root = join(folder, repository.replace('/', '+'));
  const file = `${repository}/${path}`;
  const began = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  const nothing = { findings: [], computed: 0, places: 0, attentions: 0, causes: [] };
  let [diagnosis, fault, text]: [Diagnosis, string | undefined, string] = [nothing, undefined, ''];
  try {
    text = sourceOfFile(path, readFileSync(join(root, path), 'utf8')).text;
    const work = diagnosingText(text, { files: filesBeside(root, join(root, path)) });
    for (let part = work.next(); ; part = work.next()) {
      if (part.done) {
        diagnosis = part.value;
        break;
      }
      if (spent() > limit) throw new Error(`not read within ${limit / 1000} s`);
    }
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  }
  const { findings, ...counts } = diagnosis;
  const found = findings.map(({ rule, range, message, mend }) => ({ rule, message, mended: mend !== undefined, line: positionAt(text, range.start).line })); // prettier-ignore
  return { file, ...counts, found, ...(fault !== undefined && { fault }), milliseconds: Math.round(spent()) }; // prettier-ignore
}

const sum = (of: readonly Row[], count: (row: Row) => number): number => of.reduce((n, row) => n + count(row), 0);
const isLoud = (rule: RuleId): boolean => rules[rule].severity === 'warning';

function lineOf(name: string, rows: readonly Row[]): string {
  const findings = rows.flatMap(({ found }) => found);
  const cells = [name, rows.length, rows.filter(({ fault }) => fault !== undefined).length, sum(rows, (row) => row.attentions), sum(rows, (row) => row.computed), sum(rows, (row) => row.places), findings.filter(({ rule }) => isLoud(rule)).length, findings.filter(({ rule }) => !isLoud(rule)).length]; // prettier-ignore
  return `| ${cells.join(' | ')} |`;
}

const all: Row[] = [];
console.log(
  '| list | files | faults | attentions | computed | at places | warnings | information |\n|---|---|---|---|---|---|---|---|',
);
for (let i = 0; i + 1 < places.length; i += 2) {
  const [folder = '', list = ''] = [places[i], places[i + 1]];
  const named = readFileSync(list, 'utf8').trim().split('\n').slice(1).map((row) => row.split(',')); // prettier-ignore
  const rows = named.map(([repository = '', path = '']) => {
    if (has('say')) console.error(path);
    return diagnosed(folder, repository, path);
  });
  all.push(...rows);
  console.log(lineOf(list.replace(/^.*\/|\.csv$/g, ''), rows));
}
console.log(lineOf('all', all));
console.log('\n| rule | severity | findings | files |\n|---|---|---|---|');
for (const rule of Object.keys(rules) as RuleId[]) {
  const of = all.filter(({ found }) => found.some((one) => one.rule === rule));
  if (of.length > 0) console.log(`| ${rule} | ${rules[rule].severity} | ${sum(of, ({ found }) => found.filter((one) => one.rule === rule).length)} | ${of.length} |`); // prettier-ignore
}
const to = has('json') ? option('json') : undefined;
if (to !== undefined) writeFileSync(to, JSON.stringify(all, undefined, 1));
