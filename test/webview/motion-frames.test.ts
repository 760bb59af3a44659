// Every number that a frame of the motion shows, read from its texts and compared with the trace and with what explains its cell.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  explainAttention,
  explainCell,
  type AttentionSpec,
  type AttentionTrace,
  type CellExplanation,
  type Step,
} from '../../engine/index';
import {
  momentOf,
  readMaterial,
  scopesOf,
  storyOf,
  type Frame,
  type MotionNumber,
  type Piece,
  type Story,
} from '../../webview/motion';
import { formatNumber } from '../../webview/draw';
import { leadingIndex } from '../../webview/trace';
import { sentence, textSpec, theCat, words } from './inputs';

const gunzipped = (path: string): string =>
  gunzipSync(readFileSync(join(__dirname, '../fixtures', path))).toString('utf8');
const variants = (JSON.parse(gunzipped('attention/variants.json.gz')) as { specs: readonly { spec: AttentionSpec }[] }).specs; // prettier-ignore

function traceOf(spec: AttentionSpec): AttentionTrace {
  const trace = explainAttention(spec);
  assert.ok(trace.ok);
  return trace.value;
}

async function told(trace: AttentionTrace, step: Step, scope: 'cell' | 'row', cell: readonly [number, number], room = 560): Promise<Story> {
  const handle = {
    plan: trace.plan,
    spec: trace.spec,
    read: async (...[id, request]: Parameters<AttentionTrace['read']>) => trace.read(id, request),
    explainCell: async (id: string, index: readonly number[]) => explainCell(trace, id, index),
  };
  return storyOf(await readMaterial(handle, { step, cell, slice: { batch: 0, head: 0 }, scope, digits: 2 }), room);
} // prettier-ignore

/** The number that a text says; its last digit may be off by one unit, as it is rounded. */
function assertRounds({ text, value, step }: MotionNumber): void {
  const plain = text.replace(/^≈ /, '').replaceAll('−', '-');
  if (!Number.isFinite(value)) return assert.equal(plain, Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞');
  assert.match(plain, /^-?\d+(\.\d+)?(e-?\d+)?$/, `${text} of ${step}`);
  const [digits = '', power = '0'] = plain.split('e');
  const unit = 10 ** -(digits.split('.')[1]?.length ?? 0);
  // The mantissas: 1.80e308 is the right rounding of the largest float64, though no float64 itself; nor can the smallest be divided.
  const [mantissa = '', own = '0'] = value.toExponential(15).split('e');
  const off = Math.abs(Number(digits) - Number(mantissa) * 10 ** (Number(own) - Number(power)));
  assert.ok(off <= unit * 0.5000001 + 1e-14, `${text} of ${step} is said of ${value}`);
}

/** Each number in what explains a cell, and the sums of those of its terms that a frame shows as one. */
function numbersOf(cell: CellExplanation): number[] {
  if (cell.kind === 'products')
    return cell.terms.flatMap((t) => [t.left.value, t.right.value, t.product, t.partialSum]);
  if (cell.kind === 'softmax') return [cell.max, cell.sum, ...cell.terms.flatMap((t) => [t.operand.value, t.shifted, t.exponential, t.weight])]; // prettier-ignore
  if (cell.kind === 'quotient') return [cell.operand.value, cell.by];
  if (cell.kind === 'masked') return [cell.operand.value, cell.mask.value];
  if (cell.kind === 'unchanged' || cell.kind === 'moved') return [];
  if (cell.kind === 'rotated') return [cell.own, cell.partner, cell.cosine, cell.sine].map(({ value }) => value);
  return assert.fail(`no frames of ${cell.kind}`);
}

/** The cells that a story shows by themselves: terms without such a cell are shown as one. */
const cellsShown = (frames: readonly Frame[]): ReadonlySet<string> =>
  new Set(frames.flatMap(({ pieces }) => pieces.flatMap(({ number }) => (number?.is === 'cell' ? [`${number.step} ${number.index.join()}`] : [])))); // prettier-ignore

/** What the terms that a story shows as one add up to. */
function othersOf(cell: CellExplanation, shown: ReadonlySet<string>): number[] {
  const left = <T>(terms: readonly T[], of: (term: T) => { step: string; index: readonly number[] }): readonly T[] =>
    terms.filter((term) => !shown.has(`${of(term).step} ${of(term).index.join()}`));
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  if (cell.kind === 'products') return [sum(left(cell.terms, (t) => t.right).map((t) => t.product))];
  if (cell.kind !== 'softmax') return [];
  const terms = left(cell.terms, (t) => t.operand);
  return [sum(terms.map((t) => t.exponential)), sum(terms.map((t) => t.weight))];
}

const cells = new WeakMap<AttentionTrace, Map<string, CellExplanation>>();

/** What explains a cell, found once. */
function explained(trace: AttentionTrace, step: string, index: readonly number[]): CellExplanation {
  const known = cells.get(trace) ?? new Map<string, CellExplanation>();
  cells.set(trace, known);
  const key = `${step} ${index.join()}`;
  const found = known.get(key) ?? explainCell(trace, step, index);
  known.set(key, found);
  return found;
}

/** A number belongs to the trace, or to what explains its cell. */
function assertBelongs(trace: AttentionTrace, number: MotionNumber, shown: ReadonlySet<string>): void {
  const { is, step, index, value } = number;
  assertRounds(number);
  if (is === 'cell') return assert.ok(Object.is(trace.value(step, index), value), `${step} ${index.join()}: ${value}`);
  const cell = explained(trace, step, index);
  const known = [cell.value, ...numbersOf(cell), ...othersOf(cell, shown)];
  assert.ok(known.some((one) => Object.is(one, value)), `${value} is in nothing that explains ${step} ${index.join()}`); // prettier-ignore
}

const labelsKnown = new WeakMap<AttentionTrace, ReadonlySet<string>>();

/** Symbols and labels of a plan, with the index that stands beside a label that may repeat. */
function labelsOf(trace: AttentionTrace): ReadonlySet<string> {
  const known = labelsKnown.get(trace) ?? new Set(trace.plan.steps.flatMap((s) => [s.symbol, s.symbol.toLowerCase(), ...[s.rowLabels, s.columnLabels].flatMap((of) => of.flatMap((label, i) => [label, `${i} ${label}`, `${label} (${i})`]))])); // prettier-ignore
  labelsKnown.set(trace, known);
  return known;
}

/** Digits stand nowhere but in numbers, in labels of the plan and in how many others there are. */
function assertFrame(trace: AttentionTrace, frame: Frame, shown: ReadonlySet<string> = new Set()): number {
  const labels = labelsOf(trace);
  const numbers = [...frame.pieces.flatMap(({ number }) => number ?? []), ...frame.said.numbers];
  for (const number of numbers) assertBelongs(trace, number, shown);
  for (const { text, below, number } of frame.pieces) {
    assert.ok(!number || text === undefined);
    for (const label of [text, below]) if (label && /\d/.test(label)) assert.ok(labels.has(label) || /^\d+ (others|hidden)$/.test(label), label);
  }
  let rest = frame.said.text;
  for (const name of frame.said.names) if (labels.has(name.replace(/^“(.*)”$/s, '$1')) || /^(row|column) \d+$/.test(name)) rest = rest.replace(name, '');
  for (const { text } of frame.said.numbers) {
    assert.ok(rest.includes(text), `${text} is not in “${rest}”`);
    rest = rest.replace(text, '');
  }
  assert.doesNotMatch(rest, /\d/, frame.said.text);
  return numbers.length;
} // prettier-ignore

function assertStory(trace: AttentionTrace, story: Story): number {
  assert.ok(story.frames.length > 0);
  let seen = 0;
  const shown = cellsShown(story.frames);
  for (const frame of story.frames) {
    const ids = frame.pieces.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'a piece is twice in a frame');
    for (const { id, y, height } of frame.pieces) assert.ok(y >= 0 && y + height <= story.height + 2, `${id} leaves the stage`);
    seen += assertFrame(trace, frame, shown);
  }
  return seen;
} // prettier-ignore

/** Each bar and the number whose size it shows. */
function barsOf(pieces: readonly Piece[]): { readonly bar: Piece; readonly number: Piece }[] {
  const byId = new Map(pieces.map((piece) => [piece.id, piece]));
  return pieces.flatMap((bar) => {
    const key = bar.id.replace(/^bar-/, '');
    const number = byId.get(`number-${key}`) ?? byId.get(`product-${key}`);
    return bar.look === 'bar' && number?.number ? [{ bar, number }] : [];
  });
}

/** In a frame each bar is as long as its number is large, beside the others of its height. */
function assertBars(frame: Frame): number {
  const bars = barsOf(frame.pieces);
  for (const { bar, number } of bars) {
    const size = Math.abs(number.number?.value ?? NaN);
    const most = bars.filter((one) => one.bar.height === bar.height).reduce((a, b) => (Math.abs(b.number.number?.value ?? 0) > Math.abs(a.number.number?.value ?? 0) ? b : a));
    const wanted = size === 0 ? 0 : (size / Math.abs(most.number.number?.value ?? NaN)) * most.bar.width;
    assert.ok(Math.abs(bar.width - wanted) <= 1, `${bar.id} is ${bar.width} long beside ${number.number?.text}, not ${wanted}`);
  }
  return bars.length;
} // prettier-ignore

const geometry = ({ x, y, width, height, turn }: Pick<Piece, 'x' | 'y' | 'width' | 'height' | 'turn'>): string =>
  [x, y, width, height, turn ?? 0].map((one) => one.toFixed(6)).join();

/** At any time the words and all digits are those of one frame, and no digit is beside a bar or an arrow that says another number. */
function assertTime(story: Story, time: number): void {
  const { at, pieces } = momentOf(story, time);
  const frame = story.frames[at] ?? assert.fail(`no frame at ${time}`);
  const [from, to] = [story.frames[Math.floor(time)], story.frames[Math.ceil(time)]];
  assert.ok(frame === from || frame === to);
  const own = new Map(frame.pieces.map((piece) => [piece.id, piece]));
  const seen = pieces.filter(([, { opacity }]) => opacity > 0);
  const rests = (id: string, place: Piece): boolean => own.has(id) && geometry(place) === geometry(own.get(id) as Piece);
  const moving = seen.some(([{ id, look }, place]) => look !== 'label' && !rests(id, { ...place, id, look }));
  for (const [piece] of seen) {
    assert.equal(piece, own.get(piece.id), `${piece.id} at ${time} is of another frame`);
    if (!piece.number) continue;
    const both = [from, to].map((one) => one?.pieces.find(({ id }) => id === piece.id)?.number?.value);
    assert.ok(!moving || Object.is(both[0], both[1]), `${piece.id} is ${piece.number.text} at ${time} while something moves`);
  }
  const places = new Map(seen.map(([{ id }, place]) => [id, place]));
  for (const { bar, number } of barsOf(seen.map(([piece]) => piece))) {
    const [drawn, digits] = [places.get(bar.id), places.get(number.id)];
    if (!drawn || !digits || Math.abs(drawn.y - 4 - digits.y) > 0.5) continue;
    assert.ok(Math.abs(drawn.width - (own.get(bar.id)?.width ?? NaN)) < 1e-6, `${bar.id} at ${time} beside ${number.number?.text}`);
  }
} // prettier-ignore

const numbersIn = (frame: Frame | undefined, prefix: string): number[] =>
  (frame?.pieces ?? [])
    .filter(({ id }) => id.startsWith(prefix))
    .sort((a, b) => a.x - b.x)
    .map(({ number }) => number?.value ?? NaN);

/** A finite fill is not written as an infinite one, which `Number(value.toPrecision(4))` would be of the largest float64. */
const largestFloat = '−1.79769e308';

describe('frames of the motion', function () {
  this.timeout(60_000);
  const cat = traceOf(textSpec(sentence));
  const stepIn = (trace: AttentionTrace, id: string): Step =>
    trace.plan.steps.find((s) => s.id === id) ?? assert.fail(id);

  it('say nothing but numbers of the trace, in every variant, for a cell and a row, on narrow and wide stages', async () => {
    let seen = 0;
    const stories = new Map<string, number>();
    for (const [v, { spec }] of variants.entries()) {
      const trace = traceOf(spec);
      const steps = trace.plan.steps.filter((step) => scopesOf(step).length > 0);
      for (const [s, step] of steps.entries()) {
        const [rows = 1, columns = 1] = step.shape.slice(-2);
        const cell = [s % rows, (s * 3 + 1) % columns] as const;
        const scopes = scopesOf(step);
        const scope = scopes[(v + s) % scopes.length] ?? 'cell';
        const story = await told(trace, step, scope, cell, [270, 560][s % 2]);
        seen += assertStory(trace, story);
        stories.set(step.call.op, (stories.get(step.call.op) ?? 0) + 1);
      }
    }
    for (const op of ['matmul', 'softmax', 'divide', 'mask', 'rope']) assert.ok((stories.get(op) ?? 0) > 10, op);
    assert.ok(seen > 20_000, `${seen} numbers`);
  }); // prettier-ignore

  it('are of one moment at any time between them: words, digits, bars and arrows', async () => {
    const swept = new Map<string, number>();
    let bars = 0;
    const traces = [cat, traceOf(textSpec(words(12), { dModel: 12, dk: 12 } as Partial<AttentionSpec>)), ...variants.map(({ spec }) => traceOf(spec))];
    for (const trace of traces)
      for (const step of trace.plan.steps)
        for (const scope of scopesOf(step)) {
          const key = `${step.call.op} ${step.role ?? ''} ${scope}`;
          if ((swept.get(key) ?? 0) >= 12) continue;
          const story = await told(trace, step, scope, [0, 0], [270, 560][(swept.get(key) ?? 0) % 2]);
          swept.set(key, (swept.get(key) ?? 0) + 1);
          for (const frame of story.frames) bars += assertBars(frame);
          for (let time = 0; time <= Math.min(24, story.frames.length - 1); time += 1 / 16) assertTime(story, time);
        }
    for (const op of ['matmul scores cell', 'matmul scores row', 'matmul output row', 'softmax weights row', 'divide scores row', 'mask scores row', 'rope'])
      assert.ok([...swept.keys()].some((key) => key.startsWith(op)), `${op} of ${[...swept.keys()].join('; ')}`);
    assert.ok(bars > 500, `${bars} bars`);
  }); // prettier-ignore

  it('leave no box empty at the end of a row, wide or narrow, short or long', async () => {
    const long = traceOf(textSpec(words(12), { mask: 'causal' } as Partial<AttentionSpec>));
    for (const trace of [cat, long])
      for (const step of trace.plan.steps.filter(({ call }) => ['softmax', 'divide', 'mask'].includes(call.op)))
        for (const room of [270, 420, 620]) {
          const last = (await told(trace, step, 'row', [4, 2], room)).frames.at(-1) ?? assert.fail();
          const digits = new Set(last.pieces.flatMap(({ number, x, y }) => (number ? [`${x},${y}`] : [])));
          const boxes = last.pieces.filter(({ look, number }) => !number && (look === 'slot' || look === 'cell'));
          assert.deepEqual(boxes.filter(({ x, y }) => !digits.has(`${x},${y}`)).map(({ id }) => id), [], `${step.id}, ${room}`);
        }
  }); // prettier-ignore

  it('say so of long sums and long rows too, where some terms are one', async () => {
    const trace = traceOf(textSpec(words(30), { dModel: 24, dk: 24 } as Partial<AttentionSpec>));
    for (const id of ['scores', 'weights', 'output']) {
      const step = stepIn(trace, id);
      const lead = leadingIndex(trace, step, { batch: 0, head: 0 });
      assert.equal(lead.length, step.shape.length - 2);
      for (const scope of scopesOf(step)) assertStory(trace, await told(trace, step, scope, [20, 5]));
    }
    const wide = traceOf(
      textSpec(words(6), { projections: { from: 'random', dK: 24, dV: 24 } } as Partial<AttentionSpec>),
    );
    const [first] = (await told(wide, stepIn(wide, 'scores'), 'cell', [2, 5])).frames;
    assert.ok(numbersIn(first, 'left-').length < 24);
    assert.match(first?.said.text ?? '', /: as many numbers each\. Shown: the pairs with the largest products\.$/);
  });

  it('show a sum only as that of the lines that have gone into it, of a long product too', async () => {
    const long = traceOf(textSpec(words(30), { dModel: 24, dk: 24 } as Partial<AttentionSpec>));
    let [sums, unsummed] = [0, 0];
    for (const [trace, id, cell] of [[cat, 'scores', [1, 2]], [long, 'output', [20, 3]]] as const)
      for (const { pieces } of (await told(trace, stepIn(trace, id), 'cell', cell)).frames) {
        const gone = pieces.filter(({ id, dim }) => id.startsWith('product-') && dim);
        const total = pieces.find(({ id }) => id.startsWith('sum-'))?.number?.value;
        if (total === undefined) unsummed += Number(gone.length > 0);
        else if (++sums) assert.ok(Math.abs(gone.reduce((sum, { number }) => sum + (number?.value ?? NaN), 0) - total) < 1e-12);
      }
    assert.ok(sums > 4 && unsummed > 4, `${sums} sums, ${unsummed} frames without`);
  }); // prettier-ignore

  it('end with what NumPy has: a score, a row of weights, a row of the output', async () => {
    const near = (actual: readonly number[], expected: readonly unknown[]): void => {
      assert.equal(actual.length, expected.length);
      actual.forEach((x, i) => assert.ok(Math.abs(x - Number(expected[i])) < 1e-12, `${x}, NumPy ${String(expected[i])}`));
    };
    const { scores = [], weights = [], output = [] } = theCat.default;
    const score = await told(cat, stepIn(cat, 'scores'), 'cell', [1, 2]);
    near(numbersIn(score.frames.at(-1), 'sum-'), [scores[1]?.[2]]);
    near(numbersIn((await told(cat, stepIn(cat, 'scores'), 'row', [4, 2])).frames.at(-1), 'sum-'), scores[4] ?? []);
    near(numbersIn((await told(cat, stepIn(cat, 'weights'), 'row', [4, 2])).frames.at(-1), 'number-'), weights[4] ?? []);
    near(numbersIn((await told(cat, stepIn(cat, 'output'), 'row', [4, 2], 900)).frames.at(-1), 'sum-').slice(0, 4), (output[4] ?? []).slice(0, 4));
  }); // prettier-ignore

  it('are caught with a wrong digit, and with a number of another cell', async () => {
    const story = await told(cat, stepIn(cat, 'scores'), 'cell', [1, 2]);
    const frame = story.frames[4] ?? assert.fail();
    const change = (by: (number: MotionNumber) => MotionNumber): Frame => ({ ...frame, pieces: frame.pieces.map((piece) => (piece.number ? { ...piece, number: by(piece.number) } : piece)) });
    const lastDigit = (text: string): string => text.replace(/\d$/, (digit) => String((Number(digit) + 2) % 10));
    assert.throws(() => assertFrame(cat, change((n) => ({ ...n, text: lastDigit(n.text) }))), /is said of/);
    assert.throws(() => assertFrame(cat, change((n) => ({ ...n, index: [0, 0] }))), /scores|q|k/);
    assert.throws(() => assertFrame(cat, { ...frame, said: { ...frame.said, text: `${frame.said.text} 7` } }), /7/);
    assert.throws(() => assertFrame(cat, { ...frame, pieces: [...frame.pieces, { id: 'x', look: 'plain', x: 0, y: 0, width: 9, height: 9, text: '1.5' }] }), /1\.5/);
  }); // prettier-ignore

  it('write the largest of all numbers as a finite one', () => {
    assert.equal(formatNumber(-Number.MAX_VALUE, { decimals: 2, exponent: false }), largestFloat);
    assert.equal(formatNumber(-1e9, { decimals: 2, exponent: false }), '−1e9');
  });

  it('are the same for the same material', async () => {
    const one = await told(cat, stepIn(cat, 'weights'), 'row', [1, 2]);
    assert.deepEqual(one, await told(cat, stepIn(cat, 'weights'), 'row', [1, 2]));
  });
});
