import { seeded } from '../plan/draws';
import { isSource, type CallOf, type SourceCall } from '../plan/operations';
import type { Plan, Step } from '../plan/plan';
import { spread } from '../spec/shapes/mask';
import { alibi, rotations, sinusoidal } from '../math/positions';
import type { RandomStream } from '../random/index';
import { decodeNumber, type AttentionSpec, type SpecNumber } from '../spec/spec';
import { allocate, sizeOf, type Tensor } from '../math/tensor';
import { rowsOf } from '../spec/pieces';

/** The values of the plan's source steps alone (given, drawn, tokens, positions, masks): what a GPU backend starts from. */
export function sourceValues(spec: AttentionSpec, plan: Plan): ReadonlyMap<string, Tensor> {
  const produce = sourceProducer(spec, plan);
  const values = new Map<string, Tensor>();
  for (const step of plan.steps) if (isSource(step.call)) values.set(step.id, produce(step, step.call));
  return values;
}

/** Makes a source step's values. Steps are to be asked for in the order of the plan. */
export type Produce = (step: Step, call: SourceCall) => Tensor;

/** Draws come from one stream, in the order of the plan's steps, as a program would draw them. */
export function sourceProducer(spec: AttentionSpec, plan: Plan): Produce {
  let stream: RandomStream | undefined;
  return (step, call) => {
    const out = allocate(spec.dtype, step.shape);
    switch (call.op) {
      case 'given':
        fill(out, flatten(spread(valueAt(spec, call.path), step.shape)));
        break;
      case 'tokens':
        fill(out, tokenValues(plan, call));
        break;
      case 'random': {
        stream ??= seeded(spec);
        fill(
          out,
          stream.normal(sizeOf(step.shape)).map((x) => x / call.divideBy),
        );
        break;
      }
      case 'sinusoidal':
        sinusoidal(call.layout, out);
        break;
      case 'rotations':
        rotations(out);
        break;
      case 'alibi':
        alibi(out);
        break;
      case 'patternMask':
        fillPattern(out, call);
        break;
      case 'givenMask':
        fill(
          out,
          flatten(spread(valueAt(spec, call.path), step.shape)).map((x) =>
            (x === 0) === (call.hiddenIs === 0) ? 1 : 0,
          ),
        );
    }
    return out;
  };
}

function tokenValues({ tokens }: Plan, { rows }: CallOf<'tokens'>): number[] {
  if (!rows) return tokens.map(({ id }) => id);
  const numbers = rowsOf(tokens);
  return tokens.flatMap(({ id }, i) => [id, numbers[i] as number]);
}

function fill(out: Tensor, values: ArrayLike<number>): void {
  if (values.length !== out.data.length) throw new Error(`${values.length} values for shape ${out.shape.join('×')}`);
  out.data.set(values);
}

/** The numbers of nested arrays (or of one row), in row-major order. */
function flatten(nested: unknown): number[] {
  const out: number[] = [];
  const walk = (at: unknown): void => {
    if (Array.isArray(at)) at.forEach(walk);
    else out.push(decodeNumber(at as SpecNumber));
  };
  walk(nested);
  return out;
}

/** The field of a spec at `start.q`, `projections.wq`, … */
const valueAt = (spec: AttentionSpec, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], spec);

function fillPattern(out: Tensor, call: CallOf<'patternMask'>): void {
  const columns = out.shape.at(-1) ?? 0;
  for (let i = 0; i < out.data.length; i++) out.data[i] = hiddenBy(call, Math.floor(i / columns), i % columns);
}

/** 1 where a pattern hides the key from the query. */
const hiddenBy = ({ after, before, visible }: CallOf<'patternMask'>, query: number, key: number): 0 | 1 =>
  key - query > after || query - key > before || key >= visible ? 1 : 0;
