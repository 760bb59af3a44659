import { t, type Problem } from '../../text';

/** Thrown when a tokenizer file needs far more steps than its text justifies. `withPieces` catches it and names the file. */
export class TooMuchWork extends Error {
  constructor(
    /** The part of the file that needs them, as a person finds it there. */
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
