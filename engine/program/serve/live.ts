/** The attention of a program that has stopped in a process: first what is to be read of it, then, with these numbers, the attention itself. */
import type { Paced, Problem, TextRange } from '../../text';
import { comparing, neededOf, readingLive, type Compared, type LiveProgram, type Stopped } from '../live';
import type { Attention } from '../recognise';
import type { ImportedFile, Program } from '../program';
import { isLibrary } from '../libraries/index';
import { shownOf } from '../recognise';
import type { AttentionAnswer } from './attention';

export type LiveAnswer =
  | { readonly is: 'none' }
  | { readonly is: 'refused'; readonly problems: readonly Problem[] }
  /** Paths whose numbers are needed, and paths that are compared; and the shape of the weights. */
  | {
      readonly is: 'needs';
      readonly leaves: readonly string[];
      readonly checks: readonly string[];
      readonly weights: readonly number[];
    }
  | {
      readonly is: 'found';
      readonly attention: AttentionAnswer;
      /** Paths whose numbers are the process's. */
      readonly taken: readonly string[];
      readonly compared: Compared;
      /** Names whose shape or number type is another in the process. */
      readonly others: LiveProgram['entered']['others'];
    };

interface Asked {
  readonly text: string;
  readonly stopped: Stopped;
  readonly at?: TextRange;
  readonly files?: readonly (ImportedFile & { readonly module: string })[];
}

type AnswerAttention = (
  asked: { readonly text: string; readonly at: number },
  of: { readonly program: Program; readonly attentions: readonly Attention[] },
) => Paced<AttentionAnswer>;

export function* answerLive(
  { text, stopped, at, files = [] }: Asked,
  answerAttention: AnswerAttention,
): Paced<{ readonly answer: LiveAnswer; readonly missing: readonly string[] }> {
  const missing = new Set<string>();
  const live = yield* readingLive(stopped, at, (module) => {
    const file = files.find((one) => one.module === module);
    if (!file && !isLibrary(module)) missing.add(module);
    return file;
  });
  return { answer: yield* answerOf(text, live, answerAttention), missing: [...missing] };
}

function* answerOf(text: string, live: LiveProgram, answerAttention: AnswerAttention): Paced<LiveAnswer> {
  const { which, attentions, entered } = live;
  const attention = which === undefined ? undefined : attentions[which];
  if (which === undefined || !attention) return { is: 'none' };
  const { leaves, checks } = neededOf(live, which);
  const { numbers, line } = entered.stopped;
  const { shape = [] } = shownOf(attention, attentions).site.weights;
  const weights = shape.filter((dim) => typeof dim === 'number');
  if (leaves.some((path) => !numbers[path])) return { is: 'needs', leaves, checks, weights };
  const found = yield* answerAttention({ text, at: which }, live);
  if (found.is === 'refused') return { is: 'refused', problems: found.problems };
  if (found.is !== 'found') return { is: 'none' };
  const { start } = found.spec;
  const spec = start.from === 'program' ? { ...found.spec, start: { ...start, stopped: line } } : found.spec;
  return { is: 'found', attention: { ...found, spec }, taken: leaves, compared: yield* comparing(live), others: entered.others };
} // prettier-ignore
