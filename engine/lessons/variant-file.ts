import type { Result } from '../text';
import { expected, filledText, oneOf, record } from './fields';
import { readChecked, seedCheck } from './results';

/** Whose variant lies in a folder: stands beside the lesson, whose blocks have the variant's numbers already. Nothing is drawn again. */
export interface VariantFile {
  readonly format: 'explain-attention variant';
  readonly version: 1;
  readonly student: string;
  /** For the results file. */
  readonly seed: number | null;
  /** The lesson's file name. */
  readonly lesson: string;
}

/** What the file is called in a student's folder. */
export const variantFileName = 'explain-attention.variant.json';

const variantFile = record({
  required: {
    format: oneOf('explain-attention variant'),
    version: expected(
      () => '1',
      (v) => v === 1,
    ),
    student: filledText,
    seed: seedCheck,
    lesson: filledText,
  },
});

/** Reads a variant file; a damaged one yields Problems with their places. */
export const readVariantFile = (source: string): Result<VariantFile> => readChecked<VariantFile>(source, variantFile);
