import { t, type Problem } from '../../text';

/** A file from somewhere asks for more than its text is worth. Caught in `withPieces`, which names the file; it reaches no one. */
export class TooMuchWork extends Error {
  constructor(
    /** What asks for it, as a person finds it in the file. */
    readonly what: string,
    readonly steps: number,
  ) {
    super(`${what}: ${steps}`);
  }
}

export const tooMuchWork = (file: string, { what, steps }: TooMuchWork): Problem => ({
  code: 'tokenizer-work',
  path: 'start.tokenizer',
  message: t('{0}: {1} takes more than {2} steps on this text', file, what, steps),
  hint: t('Select less text, or choose another tokenizer.'),
});
