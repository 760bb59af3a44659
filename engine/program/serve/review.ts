/** An attention of a program, what is found in it, and the same attention with all of it mended that can be by certainty: what a printed result is compared with. */
import type { Paced, TextRange } from '../../text';
import { diagnosing, edited, type Edit, type Finding } from '../doctor';
import type { Written } from '../explain';
import { openingNotebook, type StoredOutput } from '../places';
import type { Program, ProgramOptions } from '../program';
import type { Attention } from '../recognise';
import type { AttentionAnswer } from './attention';

export interface Reviewed {
  readonly attention: AttentionAnswer;
  /** Of this attention, in the order in which they stand. */
  readonly findings: readonly Finding[];
  /** The attention of the code with its warnings' mends, where each has one. */
  readonly mended?: Extract<AttentionAnswer, { is: 'found' }>;
}

/** An attention of a text, which may be another than the one that was read. */
export type AnswerIn = (
  text: string,
  program: Program,
  attentions: readonly Attention[],
  which: number,
  edits: readonly Edit[],
) => Paced<AttentionAnswer>;

export function* reviewing(
  text: string,
  program: Program,
  attentions: readonly Attention[],
  { attention, written }: { readonly attention: AttentionAnswer; readonly written: Written },
  outputs: readonly StoredOutput[],
  answerIn: AnswerIn,
  options: ProgramOptions,
): Paced<Reviewed> {
  const own = attention.is === 'found' ? attentions[attention.which]?.site.weights.range : undefined;
  if (attention.is !== 'found' || !own) return { attention, findings: [] };
  const all = (yield* diagnosing(text, program, attentions, options, written)).findings;
  const findings = all.filter(({ which }) => isSame(attentions[which]?.site.weights.range, own));
  const edits = mendsOf(findings);
  if (!edits) return { attention, findings };
  const changed = edited(text, edits);
  const moved = outputs.map((one) => ({ ...one, cell: shifted(one.cell, edits) }));
  const opened = yield* openingNotebook(changed, moved, options);
  const { program: mended, attentions: others } = yield* opened.whole();
  // With other attentions than before, a number does not say which one is meant.
  if (others.length !== attentions.length) return { attention, findings };
  // A mend may leave out what another line is to do then: without a scale behind the softmax there is none.
  const left = (yield* diagnosing(changed, mended, others, options)).findings;
  if (left.some(({ rule }) => !all.some((one) => one.rule === rule))) return { attention, findings };
  const answer = yield* answerIn(changed, mended, others, attention.which, edits);
  // What is not followed to V any more has other weights: those before what comes between.
  const isWhole = answer?.is === 'found' && hasValues(answer) === hasValues(attention);
  return { attention, findings, ...(isWhole && { mended: answer }) };
} // prettier-ignore

const hasValues = ({ nearest }: Extract<AttentionAnswer, { is: 'found' }>): boolean =>
  nearest?.spec.start.from === 'qkv' && nearest.spec.start.v !== undefined;

const isSame = (a: TextRange | undefined, b: TextRange): boolean => a?.start === b.start && a.end === b.end;

/** Undefined where a warning has no mend, or two mends change the same characters. */
function mendsOf(findings: readonly Finding[]): readonly Edit[] | undefined {
  const warnings = findings.filter(({ severity }) => severity === 'warning' || severity === 'error');
  const mends = warnings.flatMap(({ mend }) => mend ?? []);
  const edits = mends.flatMap((mend) => mend.edits).sort((a, b) => a.range.start - b.range.start);
  const overlap = edits.some(({ range }, i) => i > 0 && range.start < (edits[i - 1]?.range.end ?? 0));
  return edits.length === 0 || mends.length < warnings.length || overlap ? undefined : edits;
}

/** A range of a text where it stands after edits that are outside of it or whole inside. */
export function shifted({ start, end }: TextRange, edits: readonly Edit[]): TextRange {
  const by = (offset: number): number =>
    edits.reduce(
      (sum, { range, text }) => sum + (range.end <= offset ? text.length - (range.end - range.start) : 0),
      0,
    );
  return { start: start + by(start), end: end + by(end) };
}
