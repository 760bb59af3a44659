/** File names of the built-in course, in order. A test compares them with the folder, which an extension in a browser reads over HTTP and cannot list. */
export const course = [
  '01-why-attention.md',
  '02-tokens-and-embeddings.md',
  '03-queries-keys-values.md',
  '04-scores-and-scale.md',
  '05-softmax.md',
  '06-masks.md',
  '07-several-heads.md',
  '08-positions.md',
  '09-the-block.md',
  '10-cross-attention.md',
  '11-attention-and-fully-connected.md',
  '12-the-cache.md',
  '13-rotary-positions.md',
  '14-how-a-head-learns.md',
  '15-is-a-pattern-a-reason.md',
  '16-reading-a-tutorial.md',
] as const;

/** Names under which progress in lessons is kept that had another number once: what was answered then is not lost. */
const formerly: Readonly<Record<string, string>> = {
  '02-tokens-and-embeddings.md': '01-tokens-and-embeddings.md',
  '08-positions.md': '02-positions.md',
  '10-cross-attention.md': '08-cross-attention.md',
  '11-attention-and-fully-connected.md': '09-attention-and-fully-connected.md',
  '14-how-a-head-learns.md': '11-how-a-head-learns.md',
  '15-is-a-pattern-a-reason.md': '12-is-a-pattern-a-reason.md',
  '16-reading-a-tutorial.md': '10-reading-a-tutorial.md',
};

/** The name under which progress in a lesson of the course is kept, by the lesson's file name. */
export const keptName = (file: string): string => formerly[file] ?? file;
