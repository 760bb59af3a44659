import { t, type Result } from '../text';
import type { Tokenizer } from '../tokens';
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
    ...(tensors.length > 0 ? [t('Tensors of the file that this pass does not read: {0}.', named(tensors))] : []),
  ];
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? t('{0} and {1} more', shown, names.length - mostNamed) : shown;
}
