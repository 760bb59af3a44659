/** File names of the built-in course, in order. A test compares them with the folder, which an extension in a browser reads over HTTP and cannot list. */
export const course = [
  '01-tokens-and-embeddings.md',
  '02-positions.md',
  '03-queries-keys-values.md',
  '04-scores-and-scale.md',
  '05-softmax.md',
  '06-masks.md',
  '07-several-heads.md',
  '08-cross-attention.md',
  '09-attention-and-fully-connected.md',
  '10-reading-a-tutorial.md',
  '11-how-a-head-learns.md',
  '12-is-a-pattern-a-reason.md',
] as const;
