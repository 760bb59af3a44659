import { scalar, type SequenceValue } from './values';

/** A shape as a program holds it. */
export const dimsText = (shape: readonly number[]): SequenceValue => ({
  kind: 'sequence',
  items: shape.map((n) => scalar(n, 'int')),
});
