import type { Result } from '../text';
import { expected, filledText, oneOf, record } from './fields';
import { readChecked, seedCheck } from './results';

/** Tells whose variant is in a folder. It is next to the lesson, whose blocks contain the variant's numbers; nothing is drawn again. */
export interface VariantFile {
  readonly format: 'explain-attention variant';
  readonly version: 1;
  readonly student: string;
  /** Written into the results file. */
  readonly seed: number | null;
  /** The lesson's file name. */
  readonly lesson: string;
}

/** The file's name in a student's folder. */
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

/** Reads a variant file; a damaged one gives Problems with ranges. */
export const readVariantFile = (source: string): Result<VariantFile> => readChecked<VariantFile>(source, variantFile);
