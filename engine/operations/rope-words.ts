import { baseOf, timesOf, turnsOf, type RopeScaling, type Turning } from '../math';
import { joined, number, say, type Sentence } from '../text';

/* What a scaling of RoPE does, in words. */

interface Rotated {
  readonly rope?: { readonly dims?: number; readonly scaling?: RopeScaling } | undefined;
}

const figures = (x: number): number => Number(x.toPrecision(6));

/** How the pairs of rotations turn; `pairs` is how many there are. */
export function speedWords({ base, scaling, float32 }: Turning = {}, pairs: number): Sentence {
  const paper = say('The first pairs turn fast, the last slowly.');
  const said = [
    ...(base === undefined || base === 10000 ? [] : [say('The base (rope_theta) is {0}, where the paper has 10000.', number(String(base)))]),
    ...(scaling ? [scalingWords(scaling, base, pairs)] : []),
    ...(float32 ? [say('Angles are computed in float32, as Hugging Face does.')] : []),
  ]; // prettier-ignore
  return said.reduce((all, one) => joined(all, one), paper);
}

function scalingWords(scaling: RopeScaling, base: number | undefined, pairs: number): Sentence {
  const given = { ...(base !== undefined && { base }), scaling };
  const { factor } = scaling;
  switch (scaling.kind) {
    case 'linear':
      return say('Linear scaling divides every position by {0}.', factor);
    case 'ntk':
      return say('NTK-aware scaling raises the base to {0}.', figures(baseOf(given, 2 * pairs)));
    case 'dynamic': {
      const { original, length = original } = scaling;
      return length <= original
        ? say('The text has {0} positions and the model was trained on {1}: dynamic scaling changes nothing yet.', length, original)
        : say('The text has {0} positions and the model was trained on {1}: dynamic scaling raises the base to {2}.', length, original, figures(baseOf(given, 2 * pairs)));
    } // prettier-ignore
    case 'yarn':
    case 'llama3': {
      const turns = turnsOf(pairs, given);
      const [kept, whole] = [turns.filter(({ share }) => share === 1), turns.filter(({ share }) => share === 0)];
      const counts = [kept.length, pairs - kept.length - whole.length, whole.length] as const;
      const band =
        scaling.kind === 'yarn'
          ? say('YaRN keeps {0} of the pairs as they are, mixes {1}, and has {2} turn slower by {3}.', ...counts, factor)
          : say('Llama 3’s scaling keeps {0} of the pairs as they are, mixes {1}, and has {2} turn slower by {3}.', ...counts, factor);
      const times = timesOf(given);
      return times === 1 ? band : joined(band, say('Cosines and sines are multiplied by {0}.', figures(times)));
    } // prettier-ignore
  }
}

/** Whether a rotation keeps lengths, and which columns stay as they are. */
export function lengthWords({ rope = {} }: Rotated, d: number): Sentence {
  const { dims = d, scaling } = rope;
  const times = scaling ? timesOf({ scaling }) : 1;
  const length =
    times === 1
      ? say('Lengths do not change: a rotation keeps them.')
      : say('Each pair becomes {0} times as long, so that scores grow by the square of that (YaRN).', figures(times));
  return dims >= d
    ? length
    : joined(length, say('The first {0} of {1} [columns|rows] turn (partial rotary); the others stay.', dims, d));
}
