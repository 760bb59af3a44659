/**
 * Checks results that NumPy computed with mistakes (test/reference/mistakes.py), each alone and in pairs, over many inputs:
 *     npx tsx test/precision/mistakes.ts [--inputs 50] [--first 0] [--pairs 6] [--json FILE] [--say]
 *     npx tsx test/precision/mistakes.ts --table FILE...
 * Prints a table; the second form that of several runs. `--say` tells each result that was not named alone. Pairs are those in different parts.
 * A name that is not the planted one is judged by NumPy's numbers for that name.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { catalogue } from '../../engine/diagnose';
import type { SpecMatrix } from '../../engine/index';
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
const perInput = Number(option('pairs', '6'));
const program = 'test/reference/mistakes.py';

interface Line {
  readonly input: number;
  /** Rows and columns of the result, and heads. */
  readonly size: readonly [number, number, number];
  readonly ids: readonly string[];
  readonly digits: number;
  readonly outcome: Outcome;
  readonly names: readonly string[];
  readonly seconds: number;
}

/** NumPy's results of an input with other mistakes than those that were planted in it. */
class Asked {
  private readonly python = spawn('/usr/bin/python3', [program, '--asked'], { stdio: ['pipe', 'pipe', 'inherit'] });
  private readonly answers = createInterface({ input: this.python.stdout })[Symbol.asyncIterator]();

  async rowsOf(input: number, sets: readonly string[]): Promise<readonly (SpecMatrix | null)[]> {
    if (sets.length === 0) return [];
    this.python.stdin.write(`${JSON.stringify({ input, sets: sets.map((set) => set.split('+')) })}\n`);
    const { value } = (await this.answers.next()) as { value: string };
    return JSON.parse(value) as readonly (SpecMatrix | null)[];
  }

  end(): void {
    this.python.stdin.end();
  }
}

const keyOf = (ids: readonly string[]): string => [...ids].sort().join('+');

async function check(input: Input, number: number, asked: Asked): Promise<readonly Line[]> {
  const trace = traceOf(input);
  const [right, ...planted] = input.planted;
  if (right?.ids.length !== 0) throw new Error('the first result is to be the right one');
  const known = new Map(input.planted.map(({ ids, rows }) => [keyOf(ids), rowsOf(rows)]));
  const pairs = planted.filter(({ ids }) => ids.length === 2 && isPair(ids)).slice(0, perInput);
  const lines: Line[] = [];
  for (const { ids, rows } of [...planted.filter(({ ids: all }) => all.length === 1), ...pairs])
    for (const digits of [2, 4, 8]) {
      const mine = rowsOf(rows);
      const printed = JSON.stringify(roundedTo(mine, digits));
      const began = performance.now();
      const checked = saidOf(trace, mine, digits);
      const seconds = (performance.now() - began) / 1000;
      const names = namesIn(checked);
      const unknown = names.filter((name) => !known.has(name));
      (await asked.rowsOf(number, unknown)).forEach((found, i) => known.set(unknown[i] ?? '', found ? rowsOf(found) : []));
      const same = (set: string): boolean => JSON.stringify(roundedTo(known.get(set) ?? [], digits)) === printed;
      const leavesStep = (id: string): boolean => lines.some((line) => line.outcome === 'a step' && keyOf(line.ids) === id && line.digits === digits);
      const outcome = judged(ids, checked, same, leavesStep);
      lines.push({ input: number, size: [mine.length, mine[0]?.length ?? 0, input.spec.heads], ids, digits, outcome, names, seconds });
      if (words.includes('--say') && !['alone', 'cannot be seen'].includes(outcome))
        console.error(`${number} ${ids.join('+')} ${digits}: ${outcome}, ${checked.is}: ${names.slice(0, 6).join(' | ')}`);
    }
  return lines;
} // prettier-ignore

const share = (part: number, of: number): string => `${part} (${of === 0 ? 0 : ((100 * part) / of).toFixed(1)} %)`;

function table(lines: readonly Line[]): string {
  const heads = ['planted', 'results', ...outcomes];
  const rows = [1, 2].flatMap((many) =>
    [2, 4, 8].map((digits) => {
      const all = lines.filter((one) => one.ids.length === many && one.digits === digits);
      const counts = outcomes.map((outcome) => share(all.filter((one) => one.outcome === outcome).length, all.length));
      return [`${many === 1 ? 'one mistake' : 'two'}, ${digits} digits`, String(all.length), ...counts];
    }),
  );
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function report(lines: readonly Line[]): string {
  const inputs = new Map(lines.map(({ input, size }) => [input, size]));
  const heads = [...inputs.values()].map(([, , many]) => many);
  const rows = [...inputs.values()].map(([many]) => many);
  const seen = new Set(lines.filter(({ outcome }) => outcome !== 'cannot be seen').flatMap(({ ids }) => ids));
  const unseen = catalogue.filter(({ id }) => !seen.has(id)).map(({ id }) => id);
  const pairs = new Set(lines.filter(({ ids }) => ids.length === 2).map(({ input, ids }) => `${input} ${keyOf(ids)}`));
  const slowest = lines.reduce((most, { seconds }) => Math.max(most, seconds), 0);
  return `${table(lines)}

Inputs: ${inputs.size}, ${Math.min(...rows)} to ${Math.max(...rows)} rows, ${Math.min(...heads)} to ${Math.max(...heads)} heads. Mistakes: ${catalogue.length}. Pairs: ${pairs.size}.
Changed no result: ${unseen.join(', ') || 'none'}. Slowest check: ${slowest.toFixed(2)} s.`;
}

async function main(): Promise<void> {
  if (words[0] === '--table') {
    console.log(report(words.slice(1).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as readonly Line[])));
    return;
  }
  const first = option('first', '0');
  const python = spawn('/usr/bin/python3', [program, option('inputs', '50'), String(2 * perInput), first], { stdio: ['ignore', 'pipe', 'inherit'] });
  const asked = new Asked();
  const lines: Line[] = [];
  let number = Number(first);
  const file = option('json', '');
  for await (const line of createInterface({ input: python.stdout })) {
    lines.push(...(await check(JSON.parse(line) as Input, number++, asked)));
    if (file) writeFileSync(file, JSON.stringify(lines));
  }
  asked.end();
  console.log(report(lines));
} // prettier-ignore
void main();
