// Redoes what the inspector shows of random cells from the text of the page alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { explainAttention, type AttentionSpec } from '../../../engine/index';
import { readingAttention } from '../../../engine/program/explain/text';
import { finish } from '../../../engine/text/pace';
import { handWritten } from '../../engine/program-compare';
import { compare, evaluate, valueOf, type Redone } from '../../engine/redo-lines';
import { openLab, startLab } from '../heatmap-harness';
import type { Lab } from '../heatmap-lab';

const fixture = gunzipSync(readFileSync(join(__dirname, '../../fixtures/attention/variants.json.gz'))).toString('utf8');
const variants = (JSON.parse(fixture) as { specs: readonly { spec: AttentionSpec }[] }).specs.map(({ spec }) => spec);

interface Asked {
  readonly spec: AttentionSpec;
  readonly step: string;
  readonly index: readonly number[];
}

/** The attention of each program of our own in which some is found. */
const ofPrograms = (): AttentionSpec[] =>
  handWritten().flatMap(({ text }) => {
    const found = finish(readingAttention(text, undefined));
    return found?.ok ? [found.value.spec] : [];
  });

/** Cells of all operations that compute something, spread over the specs. */
function someCells(specs: readonly AttentionSpec[], count: number): Asked[] {
  const byKind = new Map<string, Asked[]>();
  specs.forEach((spec, s) => {
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    for (const { id, shape, call } of trace.value.plan.steps) {
      const index = shape.map((size, d) => (7 * s + 3 * d) % size);
      const key = `${call.op} ${spec.dtype}`;
      byKind.set(key, [...(byKind.get(key) ?? []), { spec, step: id, index }]);
    }
  });
  const kinds = [...byKind.values()];
  return Array.from({ length: count }, (_, i) => {
    const of = kinds[i % kinds.length] ?? [];
    return of[Math.floor(i / kinds.length) * 5 % of.length] as Asked;
  });
} // prettier-ignore

/** What a reader sees of a cell. */
type Seen = ReturnType<Lab['seen']>;

const seenOf = (page: Page, { spec, step, index }: Asked): Promise<Seen> =>
  page.evaluate(
    async ([s, id, at]) => {
      window.lab.clear();
      await window.lab.inspector(s, id, at);
      return window.lab.seen();
    },
    [spec, step, index] as const,
  );

/** A number of a table, whose margin stands below it. */
function inTable({ note }: Seen, cell = ''): string {
  const bound = /up to (\S+) more/.exec(note)?.[1] ?? '';
  return cell.startsWith('≈') ? `${cell} (±${bound})` : cell;
}

const plain = (cell = ''): number => valueOf(cell.replace(/^[≈…= ]+/, ''));
const withoutMatrix = (text: string): string => text.replace(/ \([^()]* in the matrix\)$/, '');

function redoProducts(seen: Seen): Redone[] {
  let before = 0;
  const checks = seen.rows.flatMap((row) => {
    const [, left, right, product, , sum] = row;
    if (row.length < 6) return [];
    const line = row.join(' ');
    const made = compare(line, plain(left) * plain(right), inTable(seen, product));
    const gap = sum?.startsWith('…');
    const grown = gap ? [] : [compare(`${before} + ${line}`, before + plain(product), inTable(seen, sum))];
    before = plain(sum);
    return [made, ...grown];
  });
  const [, total] = seen.total;
  // Others are added in their places, so that the last sum that is shown need not be the whole.
  if (seen.rows.some((row) => row.length < 6)) return checks;
  return [...checks, compare(`the last sum of ${JSON.stringify(seen.rows)}`, before, total ?? '')];
}

function redoSoftmax(seen: Seen): Redone[] {
  const [, max = '', sum = ''] = seen.total;
  const most = plain(max.replace('max ', ''));
  const checks = seen.rows.flatMap((row) => {
    const [, score, shifted, exponential, , weight] = row;
    const line = `${row.join(' ')}; ${seen.total.join(' ')}`;
    // “14 others”, whose exponentials and weights are added.
    if (row.length < 6) return [compare(line, plain(row[1]) / plain(sum), inTable(seen, row.at(-1)))];
    return [
      compare(line, plain(score) - most, inTable(seen, shifted)),
      compare(line, Math.exp(plain(shifted)), inTable(seen, exponential)),
      compare(line, plain(exponential) / plain(sum), inTable(seen, weight)),
    ];
  });
  const added = seen.rows.reduce((all, row) => all + plain(row.length < 6 ? row[1] : row[3]), 0);
  return [
    ...checks,
    compare(`Σ exp of ${JSON.stringify(seen.rows)}`, added, inTable(seen, sum)),
    ...redoEquation(seen),
  ];
}

/** A line after a result, that does not go on from it, is a calculation of its own; what it makes may stand in front. */
function redoEquation({ equation }: Seen): Redone[] {
  const calculations: string[] = [];
  for (const line of equation) {
    const before = calculations.at(-1) ?? '';
    if (/ [=≈] /.test(before) && !/^[=≈] /.test(line)) calculations.push(line.replace(/^[\p{L} ]+: /u, ''));
    else calculations.splice(-1, 1, `${before} ${line}`.trim());
  }
  return calculations.flatMap(redoSides);
}

/** `a · b`, `= c · d`, `= 0.5`: each side from the digits of the one before. */
function redoSides(calculation: string): Redone[] {
  const text = withoutMatrix(calculation)
    .replace(/ · (cos|sin) /g, ' · ')
    .replace(/√\d+ \(([^)]*)\)/g, '$1')
    .replace(/\(10000\S+\)/, '');
  if (!/[=≈] /.test(text)) return [];
  const [first = '', ...rest] = text.split(/ (?=[=≈] )/);
  let before = /10000/.test(first) ? undefined : evaluate(first.replace(/(\d) (?=[−+] )/g, '$1'));
  return rest.map((part) => {
    const margin = / (\(±[^()]*\))$/.exec(part)?.[0] ?? '';
    const side = part.slice(2, part.length - margin.length);
    const found = evaluate(side);
    const isNumber = /^−?[\d.e−∞]+$|^NaN$/.test(side);
    // A side with operations is compared by its last digit that is new: what it comes to by hand.
    const check =
      before === undefined || !isNumber
        ? { line: `${text}: ${part}`, holds: before === undefined || Math.abs(found - before) <= 0.02 * (1 + Math.abs(found)), about: false }
        : compare(`${text}: ${part}`, before, `${part[0] ?? '='} ${side}${margin}`);
    before = found;
    return check;
  });
} // prettier-ignore

function combined(a: number, sign: string, b: number): number {
  if (sign === '+') return a + b;
  if (sign === '−') return a - b;
  if (sign === '×') return a * b;
  if (sign === '÷') return a / b;
  // The largest of several; of a sign that says nothing the first number is the result.
  return sign === ',' ? Math.max(a, b) : a;
}

function redoLedger({ ledger }: Seen): Redone[] {
  const entries = ledger.map(([sign = '', name = '', number = '']) => ({ sign, name, number: withoutMatrix(number) }));
  const [first, second] = entries;
  const last = entries.at(-1);
  if (!first || !last) return [];
  const from = entries.slice(0, -1);
  const found =
    second?.sign === '→'
      ? plain(second.number)
      : second?.sign === 'hidden'
        ? plain(last.number)
        : from
            .slice(1)
            .reduce((before, { sign, number }) => combined(before, sign, plain(number)), plain(first.number));
  const value = first.sign === 'exp' ? Math.exp(found) : found;
  return [compare(JSON.stringify(ledger), value, `${last.sign} ${last.number}`)];
}

function redo(seen: Seen): Redone[] {
  if (seen.heads.includes('×')) return redoProducts(seen);
  if (seen.heads.includes('exp')) return redoSoftmax(seen);
  return seen.ledger.length ? redoLedger(seen) : redoEquation(seen);
}

describe('arithmetic that adds up, in the inspector', () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await startLab();
    ({ page } = await openLab(browser));
  });
  after(() => browser.close());

  it('holds to the last digit that is shown, for cells of every operation', async () => {
    const checks: Redone[] = [];
    const cells = [...someCells(variants, 300), ...someCells(ofPrograms(), 300)];
    for (const cell of cells) checks.push(...redo(await seenOf(page, cell)));
    const wrong = checks.filter(({ holds }) => !holds);
    const about = checks.filter((check) => check.about);
    console.log(`      ${checks.length} lines, ${wrong.length} do not hold, ${about.length} are ≈`);
    assert.deepEqual(wrong.slice(0, 5).map(({ line }) => line), []); // prettier-ignore
    assert.ok(checks.length > 1000 && about.length <= 0.05 * checks.length, `${about.length} of ${checks.length}`);
  }).timeout(120_000);
});
