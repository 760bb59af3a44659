import { t, type Paced } from '../text';
import { encodeNumber, type AttentionSpec, type SpecMatrix } from '../spec';
import type { AttentionTrace } from '../run';
import { parts, type Mistake, type Part } from './catalogue';
import type { Evidence, Named, Printed } from './check';
import { inputsOf } from './inputs';
import type { Matrix } from './matrices';
import { remade } from './remake';
import type { Checked, Form } from './result';
import { walker, type Choice, type Stage } from './walk';
import { evidenceWords, firstOf, partName, wordsOf } from './words';

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

/** What a page shows of a check, with a spec that reproduces the result where there is one. */
export function* verdictOf(
  trace: AttentionTrace,
  name: string,
  mine: Printed,
  checked: Checked,
): Paced<{ readonly verdict: Verdict; readonly remade?: Remade }> {
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
  const findings = all.flatMap((named) => findingsOf(named, checked.is === 'mistake'));
  const headline = checked.is === 'mistake' ? mistakeWords(name, checked.named) : says;
  if (checked.is === 'several') return { verdict: { ...about, says: headline, findings, differs: [] } };
  yield;
  const { named } = checked;
  const [first = []] = named.mistakes;
  const differs = changedSteps(trace, first, named.part);
  const at = Number.isNaN(named.evidence.right) ? undefined : placeOf(trace, named);
  yield;
  const again = reproduced(trace, named, { ...mine, digits: checked.digits });
  const verdict = { ...about, says: headline, findings, differs, ...(at && { at, ...cellOf(named.evidence) }) };
  return { verdict, ...(again && { remade: again }) };
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
    ],
    write: [...new Set(set.map(({ fix }) => fix))],
  }));

/** The first set of mistakes that fields of a spec can say. */
function reproduced(trace: AttentionTrace, { mistakes }: Named, mine: Printed): Remade | undefined {
  for (const set of mistakes) {
    const spec = remade(trace, set, mine);
    if (spec) return { spec, mistakes: set.map((one) => one.name()).join('; ') };
  }
  return undefined;
}

// --- parts as steps -----------------------------------------------------------------

/** The steps that may hold a part's result, the first that a plan has. */
const idsOf: Readonly<Record<Exclude<Part, 'project'>, readonly string[]>> = {
  cut: ['scores'],
  scale: ['scaled'],
  mask: ['masked'],
  softmax: ['weights'],
  mix: ['headOutputs', 'attended', 'output'],
  merge: ['concat', 'output'],
  out: ['output'],
};

const stepFor = ({ plan }: AttentionTrace, part: Exclude<Part, 'project'>): string | undefined =>
  idsOf[part].find((id) => plan.steps.some((step) => step.id === id));

function placeOf(trace: AttentionTrace, { part, head }: Named): Verdict['at'] {
  const step = part === 'project' ? undefined : stepFor(trace, part);
  return step === undefined ? undefined : { step, form: 'plain', ...(head === undefined ? {} : { head }) };
}

/** Computed, not inferred from the parts' order: a mistake may change nothing in some of them. */
function changedSteps(trace: AttentionTrace, set: readonly Mistake[], last: Part): readonly string[] {
  const inputs = inputsOf(trace.spec);
  if (!inputs.ok) return [];
  const walk = walker(inputs.value);
  const choice: Choice = Object.fromEntries(set.map(({ part, id }) => [part, id]));
  const changed = parts.slice(0, parts.indexOf(last) + 1).flatMap((part) => {
    const [right, mine] = [walk({}, part), walk(choice, part)];
    if (!right || !mine) return [];
    if (part === 'project') return changedBranches(right, mine);
    const step = isSame(right.now, mine.now) ? undefined : stepFor(trace, part);
    return step === undefined ? [] : [step];
  });
  const known = new Set(trace.plan.steps.map(({ id }) => id));
  return [...new Set(changed)].filter((id) => known.has(id));
}

const changedBranches = (right: Stage, mine: Stage): readonly string[] =>
  (['q', 'k', 'v'] as const).filter((branch) => !isSame(right[branch], mine[branch]));

const isSame = (a: readonly Matrix[], b: readonly Matrix[]): boolean =>
  a.length === b.length && a.every((m, i) => String(m) === String(b[i]));
