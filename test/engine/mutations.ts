import fc from 'fast-check';

/** Where, how much, and what: a stretch taken out, a stretch said twice, or a piece put in. */
export type Edit = readonly [where: number, length: number, what: string];

/** One to six edits with stretches up to `longest`. */
export const edits = (longest: number, pieces: readonly string[]): fc.Arbitrary<Edit[]> =>
  fc.array(fc.tuple(fc.nat(), fc.nat(longest), fc.constantFrom('cut', 'twice', ...pieces)), {
    minLength: 1,
    maxLength: 6,
  });

export const edited = (text: string, all: readonly Edit[]): string =>
  all.reduce((t, [where, length, what]) => {
    const at = where % (t.length + 1);
    const [before, middle, after] = [t.slice(0, at), t.slice(at, at + length), t.slice(at + length)];
    if (what === 'cut') return before + after;
    return what === 'twice' ? before + middle + middle + after : before + what + middle + after;
  }, text);
