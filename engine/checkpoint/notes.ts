import { t, type Result } from '../text';
import type { Tokenizer } from '../tokens';
import type { NotFinite } from './forward';
import type { Checkpoint } from './open';

/** Names that a sentence lists. */
const mostNamed = 6;

/** What of a folder its forward pass does without, in sentences: a reader decides whether it matters. */
export function notesOf(
  { unread: { fields, tensors } }: Pick<Checkpoint, 'unread'>,
  tokenizer?: Result<Tokenizer>,
): readonly string[] {
  return [
    ...(fields.length > 0
      ? [t('config.json has fields that are not known here ({0}). What they change of the model is not in these numbers.', named(fields))] // prettier-ignore
      : []),
    ...(tokenizer?.ok ? tokenizer.value.notes.map(({ message }) => message) : []),
    ...(tokenizer && !tokenizer.ok ? tokenizer.problems.map(({ message }) => message) : []),
    ...(tensors.length > 0 ? [t('Tensors of the file that this pass does not read: {0}.', named(tensors))] : []),
  ];
}

/** Where numbers of a pass stopped being numbers, and the tensor that has such a number. */
export function notFiniteWords({ at, tensor }: NotFinite): string {
  if (at === 'embedding')
    return tensor === undefined
      ? t('numbers are NaN or infinite from the embedded tokens on')
      : t('numbers are NaN or infinite from the embedded tokens on: so is a number of {0}', tensor);
  if (at === 'scores') return t('scores of the vocabulary are NaN or infinite');
  const { stack, layer } = at;
  const place = stack === 'layers' ? t('layer {0}', layer) : stack === 'encoder' ? t('layer {0} of the encoder', layer) : t('layer {0} of the decoder', layer); // prettier-ignore
  return tensor === undefined
    ? t('numbers are NaN or infinite from {0} on, though its tensors are finite', place)
    : t('numbers are NaN or infinite from {0} on: so is a number of {1}', place, tensor);
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? t('{0} and {1} more', shown, names.length - mostNamed) : shown;
}
