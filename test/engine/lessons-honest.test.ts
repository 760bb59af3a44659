import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mark, traceOfBlock, variantOf, type Lesson, type Question } from '../../engine/index';
import { answerOf } from '../../engine/lessons/answer';
import { isSource, type Step } from '../../engine/plan/index';
import { recomputed, valuesOf, offsetOf, type AttentionTrace } from '../../engine/run/index';
import type { Tensor } from '../../engine/math/index';
import { provideModels } from './box-support';
import { lessonFrom } from './lessons-support';

// Honest arithmetic is right: whoever works an answer out from the digits that are shown, on the page that shows fewest and in the panel, is right.

const lessonsFolder = join(__dirname, '../../extension/lessons');

/** Digits after the point in a lesson's figures and in the panel. */
const surfaces = [3, 4];
const variants = 30;

type Asked = Extract<Question, { kind: 'number' | 'matrix' }>;

/** As a reader works: from rounded numbers, and where those are asked for as well, from numbers worked out and rounded before. */
class Reader {
  private readonly known = new Map<string, Tensor>();
  constructor(
    private readonly trace: AttentionTrace,
    private readonly digits: number,
    private readonly hidden: ReadonlySet<string>,
  ) {}

  rounded(x: number): number {
    return Number.isFinite(x) ? Number(x.toFixed(this.digits)) : x;
  }

  step(id: string): Step {
    const step = this.trace.plan.steps.find((one) => one.id === id);
    assert.ok(step, id);
    return step;
  }

  /** What stands, or comes out, at a step. */
  read(id: string): Tensor {
    const found = this.known.get(id);
    if (found) return found;
    const step = this.step(id);
    const exact = { shape: step.shape, dtype: this.trace.spec.dtype === 'float64' ? ('float64' as const) : ('float32' as const), data: valuesOf(this.trace, step) }; // prettier-ignore
    const is = this.hidden.has(id) && !isSource(step.call) ? this.work(id) : exact;
    const tensor = { ...is, data: is.data.map((x) => this.rounded(x)) } as Tensor;
    this.known.set(id, tensor);
    return tensor;
  }

  work(id: string): Tensor {
    const step = this.step(id);
    return isSource(step.call) ? this.read(id) : recomputed(this.trace.spec, step, new Map(step.operands.map((of) => [of, this.read(of)]))); // prettier-ignore
  }

  at(id: string, cell: readonly number[]): number {
    const { shape } = this.step(id);
    const index = [...shape.slice(cell.length).map(() => 0), ...cell];
    return this.work(id).data[offsetOf(shape, index)] as number;
  }

  row(id: string, cell: readonly number[]): number[] {
    const { shape } = this.step(id);
    const width = shape.at(-1) ?? 1;
    const index = [...shape.slice(cell.length).map(() => 0), ...cell];
    const from = offsetOf(shape, [...index.slice(0, -1), 0]);
    return [...this.read(id).data.slice(from, from + width)];
  }
}

const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);

/** The answer to a question of one number, worked out by the definition of what is asked. */
function numberFrom(reader: Reader, { of }: Extract<Asked, { kind: 'number' }>): number | undefined {
  const { step, cell, take = 'value', row, column, head, to = 0 } = of;
  if (take === 'value') return cell && reader.at(step, cell);
  const softmaxOf = reader.step(step).operands[0] ?? '';
  if (cell) {
    const own = cell.at(-1) ?? 0;
    if (take === 'gradient') {
      const a = reader.row(step, cell);
      return (a[own] ?? NaN) * ((own === to ? 1 : 0) - (a[to] ?? NaN));
    }
    const z = take === 'overAll' ? [...reader.read(softmaxOf).data] : reader.row(softmaxOf, cell);
    const at = take === 'overAll' ? offsetOf(reader.step(softmaxOf).shape, cell) : own;
    const powers = z.map((x) => Math.exp(x - Math.max(...z)));
    if (take === 'exponential') return powers[at];
    return take === 'denominator' ? sum(powers) : (powers[at] ?? NaN) / sum(powers);
  }
  const { shape } = reader.step(step);
  const xs = [...reader.read(step).data].filter((_, i) => {
    const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
    const is = [Math.floor(i / (rows * columns)), Math.floor(i / columns) % rows, i % columns];
    return [head, row, column].every((wanted, d) => wanted === undefined || is[d] === wanted);
  });
  const mean = sum(xs) / xs.length;
  const over: Partial<Record<typeof take, number>> = { sum: sum(xs), mean, variance: sum(xs.map((x) => (x - mean) ** 2)) / xs.length, min: Math.min(...xs), max: Math.max(...xs) }; // prettier-ignore
  return over[take];
}

const blockOf = (q: Question): string | undefined => (q.kind === 'number' ? (q.of.about ?? q.about) : q.about);

function stepsAsked(lesson: Lesson, block: string | undefined): ReadonlySet<string> {
  const all = lesson.questions.filter((q) => blockOf(q) === block);
  return new Set(all.flatMap((q) => (q.kind === 'number' ? [q.of.step] : q.kind === 'matrix' ? [q.step] : [])));
}

/** Every numeric question of a lesson, answered from the digits of a surface: how many, and what was not right. */
function honestly(lesson: Lesson, digits: number): { count: number; faults: string[] } {
  const faults: string[] = [];
  let count = 0;
  for (const q of lesson.questions) {
    if (q.kind !== 'number' && q.kind !== 'matrix') continue;
    const block = lesson.blocks.find(({ id }) => id === blockOf(q));
    assert.ok(block);
    const trace = traceOfBlock(block);
    assert.ok(trace.ok);
    const reader = new Reader(trace.value, digits, stepsAsked(lesson, blockOf(q)));
    const answer = answerOf(q, lesson);
    assert.ok(answer.ok && (answer.value.kind === 'number' || answer.value.kind === 'matrix'));
    const { digits: places, tolerance } = answer.value;
    const written = (x: number): number => Number(x.toFixed(places));
    const own = q.kind === 'number' ? numberFrom(reader, q) : undefined;
    if (q.kind === 'number' && own === undefined) continue;
    count++;
    const response =
      q.kind === 'matrix' ? q.cells.map((cell) => written(reader.at(q.step, cell))) : written(own ?? NaN);
    const marked = mark(q, lesson, response);
    if (!marked.ok || marked.value.verdict !== 'right') faults.push(`${q.id} with ${digits} digits: ${JSON.stringify(response)} is ${marked.ok ? marked.value.reason : 'refused'}`); // prettier-ignore
    const beyond = tolerance + 10 ** -Math.min(places, 3);
    const values = answer.value.kind === 'number' ? [answer.value.value] : answer.value.cells.map(({ value }) => value);
    const off = values.map((x) => x + beyond);
    const wrong = mark(q, lesson, q.kind === 'matrix' ? off : (off[0] ?? NaN));
    if (values.every(Number.isFinite) && (!wrong.ok || wrong.value.verdict !== 'wrong')) faults.push(`${q.id}: ${beyond} beyond is not wrong`); // prettier-ignore
  }
  return { count, faults };
}

describe('answers worked out from the digits that are shown', function () {
  this.timeout(120_000);
  before(provideModels);
  for (const name of readdirSync(lessonsFolder).filter((file) => /^\d\d-.*\.md$/.test(file)))
    it(`are right: ${name}, as written and in ${variants} variants`, () => {
      const lesson = lessonFrom(readFileSync(join(lessonsFolder, name), 'utf8'));
      const faults = new Set<string>();
      for (let seed = 0; seed <= variants; seed++) {
        const dealt = seed === 0 ? lesson : variantOf(lesson, seed);
        const one = 'ok' in dealt ? (dealt.ok ? dealt.value : undefined) : dealt;
        if (!one) continue;
        for (const digits of surfaces) for (const fault of honestly(one, digits).faults) faults.add(`seed ${seed}: ${fault}`);
      }
      assert.deepEqual([...faults].slice(0, 10), []);
    });
}); // prettier-ignore
