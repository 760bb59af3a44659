/**
 * Checks results that NumPy computed with mistakes (test/reference/mistakes.py), each alone and in pairs, over many inputs:
 *     npx tsx test/precision/mistakes.ts [--inputs 50] [--first 0] [--pairs 6] [--json FILE] [--say]
 * Prints a table. `--say` tells each result that was not named alone. Pairs are those in different parts.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { catalogue } from '../../engine/diagnose';
import {
  isPair,
  judged,
  namesIn,
  outcomes,
  roundedTo,
  rowsOf,
  saidOf,
  traceOf,
  type Input,
  type Outcome,
} from '../engine/planted';

const words = process.argv.slice(2);
const option = (name: string, otherwise: string): string =>
  words.includes(`--${name}`) ? (words[words.indexOf(`--${name}`) + 1] ?? otherwise) : otherwise;
const asked = [option('inputs', '50'), String(2 * Number(option('pairs', '6'))), option('first', '0')];

interface Line {
  readonly input: number;
  readonly ids: readonly string[];
  readonly digits: number;
  readonly outcome: Outcome;
  readonly names: readonly string[];
}
const lines: Line[] = [];
let slowest = 0;

function check(input: Input, number: number): void {
  const trace = traceOf(input);
  const [right, ...planted] = input.planted;
  const byIds = new Map(input.planted.map(({ ids, rows }) => [[...ids].sort().join('+'), rowsOf(rows)]));
  let pairs = 0;
  for (const { ids, rows } of planted) {
    if (ids.length === 2 && (!isPair(ids) || pairs++ >= Number(option('pairs', '6')))) continue;
    for (const digits of [2, 4, 8]) {
      const mine = JSON.stringify(roundedTo(rowsOf(rows), digits));
      const same = (set: string): boolean => JSON.stringify(roundedTo(byIds.get(set) ?? [], digits)) === mine;
      const began = performance.now();
      const checked = saidOf(trace, rowsOf(rows), digits);
      slowest = Math.max(slowest, performance.now() - began);
      const names = namesIn(checked);
      const outcome = judged(ids, checked, same);
      lines.push({ input: number, ids, digits, outcome, names });
      if (words.includes('--say') && !['alone', 'cannot be seen'].includes(outcome))
        console.error(
          `${number} ${ids.join('+')} ${digits}: ${outcome}, ${checked.is}: ${names.slice(0, 6).join(' | ')}`,
        );
    }
  }
  if (right?.ids.length !== 0) throw new Error('the first result is to be the right one');
}

const share = (part: number, of: number): string => `${part} (${of === 0 ? 0 : ((100 * part) / of).toFixed(1)} %)`;

function table(): string {
  const heads = ['given', 'results', ...outcomes];
  const rows = [1, 2].flatMap((many) =>
    [2, 4, 8].map((digits) => {
      const all = lines.filter((one) => one.ids.length === many && one.digits === digits);
      const counts = outcomes.map((outcome) => share(all.filter((one) => one.outcome === outcome).length, all.length));
      return [`${many === 1 ? 'one mistake' : 'two'}, ${digits} digits`, String(all.length), ...counts];
    }),
  );
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

async function main(): Promise<void> {
  const program = spawn('/usr/bin/python3', [
    join(__dirname, '../reference/mistakes.py'),
    asked[0] ?? '',
    asked[1] ?? '',
    asked[2] ?? '',
  ]);
  program.stderr.pipe(process.stderr);
  let number = Number(asked[2]);
  for await (const line of createInterface({ input: program.stdout })) check(JSON.parse(line) as Input, number++);
  const seen = new Set(lines.filter(({ outcome }) => outcome !== 'cannot be seen').flatMap(({ ids }) => ids));
  const unseen = catalogue.filter(({ id }) => !seen.has(id)).map(({ id }) => id);
  console.log(
    `${table()}\n\nMistakes: ${catalogue.length}. Changed no result: ${unseen.join(', ') || 'none'}. Slowest check: ${(slowest / 1000).toFixed(2)} s.`,
  );
  const file = option('json', '');
  if (file) writeFileSync(file, JSON.stringify(lines));
}
void main();
