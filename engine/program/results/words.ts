import { t } from '../../text';
import { planOf, stepNumber } from '../../plan';
import { encodeNumber, type AttentionSpec } from '../../spec';
import { causesOf, evidenceWords, partName, type Evidence, type Finding, type FoundStep, type Matrix, type Named, type Near, type Verdict } from '../../diagnose'; // prettier-ignore

import type { CodeChecked } from './check';
import type { PrintedStack } from './stack';

/** Whether the result is a step of the code, and no mistake was found in the code. */
export const isRight = (checked: CodeChecked, { isComputed }: PrintedStack): boolean =>
  (checked.own.length > 0 || isComputed === true) && !isMistaken(checked);

/** A choice, such as no scale, is no mistake: the code doctor tells them apart. What it does not know may be a mistake of the catalogue. */
const isMistaken = ({ findings, named }: CodeChecked): boolean =>
  findings.some(({ isMistake }) => isMistake) || (findings.length === 0 && named.length === 1);

/** What is said of a program's result: the finding first, then one sentence a line. */
export function codeWords(checked: CodeChecked, spec: AttentionSpec, mine: PrintedStack): readonly string[] {
  const { says, findings } = said(checked, spec, mine);
  return [says, ...findings.flatMap(({ lines, write }) => [...lines, ...write.map((line) => t('write instead: {0}', line))])]; // prettier-ignore
}

/** The same for a page, whose steps are those of the code. */
export function codeVerdict(checked: CodeChecked, spec: AttentionSpec, mine: PrintedStack): Verdict {
  const { slice, differs, own, nearest, right, evidence, digits } = checked;
  const [found] = ownOf(checked, spec, mine);
  const several = mine.slices.length > 1;
  const step = found?.step ?? nearest?.step;
  const head = found?.head ?? (several ? slice : undefined);
  const at = step && { step: step.id, form: found?.form ?? ('plain' as const), ...(head === undefined ? {} : { head }) };
  const cell = evidence ?? nearest?.evidence;
  return {
    name: mine.name,
    is: own.length === 0 ? 'none' : isMistaken(checked) ? 'mistake' : 'step',
    isCode: true,
    ...said(checked, spec, mine),
    rows: encoded(mine.slices[slice] ?? []),
    digits,
    ...(at && { at }),
    ...(right && { right: encoded(right) }),
    ...(cell && { cell: [cell.row, cell.column] as const }),
    differs,
  };
} // prettier-ignore

const encoded = (rows: Matrix): Verdict['rows'] => rows.map((row) => row.map(encodeNumber));

interface Said {
  readonly says: string;
  readonly findings: readonly Finding[];
}

function said(checked: CodeChecked, spec: AttentionSpec, mine: PrintedStack): Said {
  const { name } = mine;
  const own = ownOf(checked, spec, mine).map((found) => (mine.step === undefined ? stepWords(found, spec, name, checked) : departureWords(found, spec, checked)));
  const [says = '', ...also] = own.length > 0 ? own : noStepWords(checked, spec, mine);
  const lines = [...also, ...(checked.evidence ? besideWords(checked.evidence, checked, mine.step !== undefined) : [])];
  const departures = departuresOf(checked);
  const taken = own.length > 0 ? checked.taken : [];
  const same = departures.length === 0 && own.length > 0 ? [t('No mistake was found in the code.')] : [];
  return { says, findings: [...(lines.length + same.length + taken.length > 0 ? [{ lines: [...lines, ...taken, ...same], write: [] }] : []), ...departures] };
} // prettier-ignore

const besideWords = ({ cells, differing, row, column, mine, right }: Evidence, { taken, digits }: CodeChecked, isComputed: boolean): readonly string[] =>
  Number.isNaN(right) ? [] : [t('{0} of {1} numbers are right; [{2}, {3}] differs most: {4}, right is {5}.', cells - differing, cells, row, column, isComputed ? rounded(mine) : mine, taken.length > 0 ? right.toFixed(Math.max(0, digits)) : rounded(right))]; // prettier-ignore

const rounded = (x: number): string => String(Number(x.toPrecision(6)));

function stepWords(found: FoundStep, spec: AttentionSpec, name: string, { digits }: CodeChecked): string {
  const what = codeStep(found, spec);
  if (found.form === 'averaged') return t('{0} is {1}, averaged over heads, as the code computes it: every number, to {2} digits after the point.', name, what, digits); // prettier-ignore
  return found.form === 'transposed'
    ? t('{0} is {1}, transposed, as the code computes it: every number, to {2} digits after the point.', name, what, digits)
    : t('{0} is {1}, as the code computes it: every number, to {2} digits after the point.', name, what, digits);
} // prettier-ignore

/** Of a step that is looked at since its line is marked. */
function departureWords(found: FoundStep, spec: AttentionSpec, { findings, evidence }: CodeChecked): string {
  const what = codeStep(found, spec);
  const isMistake = findings.some((one) => one.isMistake);
  // What stands before this step is taken as it is: its numbers alone tell nothing.
  if (evidence === undefined) return isMistake ? t('A mistake in the code:') : t('Is this meant?');
  return isMistake ? t('{0}: the numbers of this step are wrong.', what) : t('{0}: the numbers of this step are others than in standard attention.', what);
} // prettier-ignore

/** `step 7, attn_weights`, as the panel counts. */
function codeStep({ step }: Pick<FoundStep, 'step'>, spec: AttentionSpec): string {
  const plan = planOf(spec);
  const number = stepNumber(plan.ok ? plan.value : { steps: [] }, step.id);
  return t('step {0}, {1}', number, nameOf(step.id, spec) ?? step.symbol);
}

/** One that has the result's name, if there is one: a view of a step has its numbers too. */
function ownOf({ own }: CodeChecked, spec: AttentionSpec, { name }: PrintedStack): readonly FoundStep[] {
  const named = own.filter(({ step }) => name.startsWith(nameOf(step.id, spec) ?? '?'));
  return (named.length > 0 ? named : own).slice(0, 1);
}

const nameOf = (id: string, { start }: AttentionSpec): string | undefined =>
  start.from === 'program' ? start.steps.find((step) => step.id === id)?.name : undefined;

function noStepWords(checked: CodeChecked, spec: AttentionSpec, { name, isComputed }: PrintedStack): readonly string[] {
  const { nearest, other, standsIn } = checked;
  if (isComputed) return [t('{0} is what the code computes there, and no step of its attention.', name)];
  if (standsIn)
    return [
      t('{0} cannot be compared: the code draws numbers without a seed, or does not say them.', name),
      t('Print Q, K and V (or X and the weights) too, or give a seed: then they are taken as printed.'),
    ];
  const is = other && otherWords(other);
  return [
    t('{0} is no step of the code as it stands: it was printed before an edit, or by other code.', name),
    ...(is ?? (nearest ? nearestWords(nearest, spec) : [t('No step has its shape.')])),
  ]; // prettier-ignore
}

function nearestWords(near: Near, spec: AttentionSpec): readonly string[] {
  const { cells, differing, row, column, mine, right } = near.evidence;
  return [t('Nearest step of the code: {0}. {1} of {2} numbers agree; [{3}, {4}] differs most: {5}, the code gives {6}.', codeStep(near, spec), cells - differing, cells, row, column, mine, rounded(right))];
} // prettier-ignore

/** What a result is beside the code's own steps; undefined where it is nothing known. */
function otherWords(other: NonNullable<CodeChecked['other']>): readonly string[] | undefined {
  if (other.is === 'step') return other.steps.slice(0, 1).map(({ step }) => t('It is {0} of attention without a mistake, to {1} digits after the point.', step.words.name, other.digits)); // prettier-ignore
  if (other.is === 'mistake') return [t('It is {0} of attention with a mistake:', partName(other.named.part)), ...namedWords(other.named)];
  if (other.is !== 'several') return undefined;
  return [t('Several mistakes give these numbers; they cannot be told apart here.'), ...other.named.slice(0, 3).flatMap(namedWords)];
} // prettier-ignore

const namedWords = ({ mistakes, evidence, part }: Named): readonly string[] => [
  ...mistakes.flatMap((set) => set.map((one) => one.name())),
  ...evidenceWords(evidence, partName(part)),
];

/** One for each line of the code that departs, with what would be right there. */
function departuresOf({ findings, named, departs }: CodeChecked): readonly Finding[] {
  const [only, ...more] = named;
  const names = only && more.length === 0 ? only.mistakes : [];
  const known = names.map((set) => set.map((one) => one.name()).join('; '));
  const alone = known.length > 0 ? [t('What the code computes is attention with exactly this: {0}.', known.join(` ${t('or')} `))] : []; // prettier-ignore
  const ofCode = findings.map(({ line, message, instead, isMistake }, i): Finding => ({
    lines: [
      isMistake ? t('Mistake in {0}: {1}', line.where, line.code) : t('To check in {0}: {1}', line.where, line.code),
      message,
      ...(i === 0 ? alone : []),
    ],
    write: instead === undefined ? [] : [instead],
  }));
  if (ofCode.length > 0 || !departs) return ofCode;
  const [set = []] = names;
  const first = t('First line that departs from standard attention: {0}: {1}', departs.where, departs.code);
  return [{ lines: [first, ...alone, ...causesOf(set)], write: [...new Set(set.map(({ fix }) => fix))] }];
} // prettier-ignore
