import { t, type Paced } from '../text';
import { encodeNumber, type AttentionSpec, type SpecMatrix } from '../spec';
import type { AttentionTrace } from '../run';
import { parts, type Mistake, type Part } from './catalogue';
import type { Evidence, Named, Printed } from './printed';
import { inputsOf } from './inputs';
import { remade } from './remake';
import type { Checked, Form } from './result';
import { isSameSize, settle, walker, type Choice, type Grid, type Stage } from './walk';
import type { Separation } from './separate';
import { causesOf, evidenceWords, firstOf, partName, separationWords, wordsOf } from './words';

/** What was found of a printed result, as a page shows it. Plain JSON. */
export interface Verdict {
  /** What the result is called. */
  readonly name: string;
  readonly is: Checked['is'];
  /** The finding, in one sentence. */
  readonly says: string;
  readonly findings: readonly Finding[];
  /** The printed result. */
  readonly rows: SpecMatrix;
  /** Digits after the point that were compared. */
  readonly digits: number;
  /** The step that the result is, or is compared with. */
  readonly at?: { readonly step: string; readonly form: Form; readonly head?: number };
  /** The steps are those of the reader's own code: `differs` are those that depart from attention. */
  readonly isCode?: true;
  /** Numbers that are right, where the step that it is compared with is that of the reader's own code. */
  readonly right?: SpecMatrix;
  /** [row, column] where it differs most. */
  readonly cell?: readonly [number, number];
  /** Steps that the mistakes change, in order. */
  readonly differs: readonly string[];
}

/** One explanation of the result: sentences, and the lines of code that would be right. */
export interface Finding {
  readonly lines: readonly string[];
  readonly write: readonly string[];
}

/** The spec that makes the mistakes that were found, and what they are. */
export interface Remade {
  readonly spec: AttentionSpec;
  readonly mistakes: string;
}

/** An input that tells mistakes apart, and what each of them prints of it. */
export interface Apart {
  readonly spec: AttentionSpec;
  readonly says: string;
}

/** What a page shows of a check, with a spec that reproduces the result where there is one. */
export function* verdictOf(
  trace: AttentionTrace,
  name: string,
  mine: Printed,
  checked: Checked,
): Paced<{ readonly verdict: Verdict; readonly remade?: Remade; readonly apart?: Apart }> {
  const about = { name, is: checked.is, rows: mine.rows.map((row) => row.map(encodeNumber)), digits: checked.digits };
  yield;
  const cells = mine.rows.length * (mine.rows[0]?.length ?? 0);
  const [says = '', ...lines] = wordsOf(checked, name, cells);
  if (checked.is === 'step') {
    const [found] = checked.steps;
    const at = found && { step: found.step.id, form: found.form, ...(found.head === undefined ? {} : { head: found.head }) };
    return { verdict: { ...about, says, findings: [{ lines, write: [] }], differs: [], ...(at && { at }) } };
  }
  if (checked.is === 'none') {
    const { nearest } = checked;
    const at = nearest && { step: nearest.step.id, form: 'plain' as const };
    return { verdict: { ...about, says, findings: [{ lines, write: [] }], differs: [], ...(at && { at, ...cellOf(nearest.evidence) }) } };
  }
  const all = checked.is === 'mistake' ? [checked.named] : checked.named;
  const findings = [
    ...all.flatMap((named) => findingsOf(named, checked.is === 'mistake')),
    ...apartFindings(checked.separation),
  ];
  const apart = apartOf(checked.separation);
  const headline = checked.is === 'mistake' ? mistakeWords(name, checked.named) : says;
  if (checked.is === 'several') return { verdict: { ...about, says: headline, findings, differs: [] }, ...(apart && { apart }) };
  yield;
  const { named } = checked;
  const [first = []] = named.mistakes;
  const differs = yield* changedSteps(trace, first, named.part);
  const at = Number.isNaN(named.evidence.right) ? undefined : placeOf(trace, named);
  yield;
  const again = reproduced(trace, named, { ...mine, digits: checked.digits });
  const verdict = { ...about, says: headline, findings, differs, ...(at && { at, ...cellOf(named.evidence) }) };
  return { verdict, ...(again && { remade: again }), ...(apart && { apart }) };
} // prettier-ignore

const cellOf = ({ row, column }: Evidence): { readonly cell: readonly [number, number] } => ({ cell: [row, column] });

function mistakeWords(name: string, { mistakes: [first = []], part }: Named): string {
  const [one, two] = first.map((mistake) => mistake.name());
  return two === undefined
    ? t('{0}: step {1} with 1 mistake. {2}.', name, partName(part), one ?? '')
    : t('{0}: step {1} with 2 mistakes. {2}; {3}.', name, partName(part), one ?? '', two);
}

/** Alternatives that give the same numbers here stand below each other, each with its name; that of a single one is in the headline. */
const findingsOf = ({ mistakes, evidence, part }: Named, isAlone: boolean): readonly Finding[] =>
  mistakes.map((set) => ({
    lines: [
      ...(isAlone && mistakes.length === 1 ? [] : set.map((one) => `${one.name()}.`)),
      t('First step that differs: {0}.', partName(firstOf(set))),
      ...evidenceWords(evidence, partName(part)),
      ...causesOf(set),
    ],
    write: [...new Set(set.map(({ fix }) => fix))],
  }));

const apartFindings = (separation: Separation | 'none' | undefined): readonly Finding[] =>
  separation === undefined
    ? []
    : [
        {
          lines: separationWords(separation).filter((_, i, all) => i === 0 || i >= all.length - printsIn(separation)),
          write: [],
        },
      ];

const printsIn = (separation: Separation | 'none'): number => (separation === 'none' ? 0 : separation.prints.length);

/** The input itself is opened; in words there is what each mistake prints of it. */
const apartOf = (separation: Separation | 'none' | undefined): Apart | undefined =>
  separation === undefined || separation === 'none'
    ? undefined
    : { spec: separation.spec, says: separationWords(separation).slice(-separation.prints.length).join(' ') };

/** The first set of mistakes that fields of a spec can say. */
function reproduced(trace: AttentionTrace, { mistakes }: Named, mine: Printed): Remade | undefined {
  for (const set of mistakes) {
    const spec = remade(trace, set, mine);
    if (spec) return { spec, mistakes: set.map((one) => one.name()).join('; ') };
  }
  return undefined;
}

// --- parts as steps -----------------------------------------------------------------

/** The steps that may hold a part's result, the first that a plan has; and the result in a stage. */
interface StepsOf {
  readonly id: readonly string[];
  readonly of: (stage: Stage) => readonly Grid[];
}

const now = ({ now: all }: Stage): readonly Grid[] => all;
const branch = (id: 'q' | 'k' | 'v'): StepsOf => ({ id: [`${id}Step`, id], of: (stage) => stage[id] });
const one = (get: (stage: Stage) => Grid | undefined) => (stage: Stage) => [get(stage) ?? []].flat();

const steps: Readonly<Record<Part, readonly StepsOf[]>> = {
  input: [{ id: ['x'], of: one(({ x }) => x) }],
  norm: [{ id: ['normed'], of: one(({ normed }) => normed) }],
  project: [branch('q'), branch('k'), branch('v')],
  cut: [],
  turn: [{ id: ['scores'], of: now }],
  scale: [{ id: ['scaled'], of: now }],
  mask: [{ id: ['masked'], of: now }],
  softmax: [{ id: ['weights'], of: now }],
  mix: [{ id: ['headOutputs', 'attended', 'output'], of: now }],
  merge: [{ id: ['concat', 'output'], of: now }],
  out: [{ id: ['output'], of: now }],
  sum: [{ id: ['residualNormed', 'residual', 'output'], of: now }],
};
const stepsOf = (part: Part): readonly StepsOf[] => steps[part];

const stepFor = ({ plan }: AttentionTrace, part: Part): string | undefined =>
  stepsOf(part)
    .flatMap(({ id }) => id)
    .find((id) => plan.steps.some((step) => step.id === id));

function placeOf(trace: AttentionTrace, { part, head }: Named): Verdict['at'] {
  const step = stepFor(trace, part);
  return step === undefined ? undefined : { step, form: 'plain', ...(head === undefined ? {} : { head }) };
}

/** Computed, not inferred from the parts' order: a mistake may change nothing in some of them. */
function* changedSteps(trace: AttentionTrace, set: readonly Mistake[], last: Part): Paced<readonly string[]> {
  const inputs = yield* inputsOf(trace);
  if (!inputs.ok) return [];
  const { walk } = walker(inputs.value);
  const choice: Choice = Object.fromEntries(set.map(({ part, id }) => [part, id]));
  const [right, mine] = [walk({}), walk(choice)];
  const changed: string[] = [];
  const end = Math.max(...[last, ...set.map(({ part }) => part)].map((part) => parts.indexOf(part)));
  for (let i = 0; i <= end; i++) {
    const [part, a, b] = [parts[i], right[i], mine[i]];
    if (!part || !a || !b) continue;
    for (const { id, of } of stepsOf(part)) {
      const step = id.find((one) => trace.plan.steps.some((known) => known.id === one));
      if (step !== undefined && !(yield* isSame(of(a), of(b)))) changed.push(step);
    }
  }
  return [...new Set(changed)];
}

function* isSame(a: readonly Grid[], b: readonly Grid[]): Paced<boolean> {
  if (a.length !== b.length) return false;
  for (const [i, one] of a.entries()) {
    const other = b[i];
    if (one === other) continue;
    if (!other || !isSameSize(one, other)) return false;
    for (const g of [one, other]) yield* settle(g);
    for (let row = 0; row < one.height; row++) {
      if (String(one.row(row)) !== String(other.row(row))) return false;
      yield;
    }
  }
  return true;
}
