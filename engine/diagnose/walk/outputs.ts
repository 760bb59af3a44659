import {
  columnsOf,
  flipped,
  grid,
  isSquareGrid,
  mapped,
  meanOf,
  product,
  put,
  reshaped,
  rowwise,
  type Grid,
} from './grid';
import type { Choice, Inputs, Next, Stage } from './stage';

/* From the heads' sums to the output. */

const joined = (heads: readonly Grid[]): Grid => {
  const [{ height, width } = { height: 0, width: 0 }] = heads;
  return grid(
    height,
    width * heads.length,
    (i, out) => {
      heads.forEach((one, head) => {
        put(out, one.row(i), head * width);
      });
    },
    { from: heads },
  );
};

function mergedAs(heads: readonly Grid[], id: string | undefined): Grid | undefined {
  const [{ height, width } = { height: 0, width: 0 }] = heads;
  const count = heads.length;
  if (id === undefined) return joined(heads);
  if (count === 1) return undefined;
  if (id === 'viewMerge') return reshaped(heads, height, count * width);
  if (id === 'strideMerge') return columnsOf(joined(heads), count * width, (j) => (j % count) * width + Math.floor(j / count));
  if (id === 'headsReversed') return joined([...heads].reverse());
  if (id === 'headsAveraged') return meanOf(heads);
  if (id === 'headsSummed') return meanOf(heads, 1);
  if (id === 'lastHead') return heads.at(-1);
  if (id === 'firstHead') return heads[0];
  if (id === 'headsStacked') return reshaped(heads, count * height, width);
  if (id === 'headsMeanRepeated') return joined(heads.map(() => meanOf(heads)));
  return undefined;
} // prettier-ignore

export function merge(_inputs: Inputs, { merge: id }: Choice, stage: Stage): Next {
  const made = mergedAs(stage.now, id);
  return made && { ...stage, now: [made] };
}

const plus = (g: Grid, bias: number[]): Grid =>
  rowwise(g, (row, out) => {
    for (let j = 0; j < out.length; j++) out[j] = (row[j] as number) + (bias[j] as number);
  });

export function out({ wo, bo }: Inputs, { out: id }: Choice, stage: Stage): Next {
  const [from] = stage.now;
  if (!from) return undefined;
  if (id === 'outputWhole') return { ...stage, now: [mapped(applied(from, wo, bo) ?? from, Math.trunc)] };
  if (id === 'noBo' || id === 'boTwice') {
    if (!bo) return undefined;
    const made = applied(from, wo, id === 'noBo' ? undefined : bo);
    return made && { ...stage, now: [id === 'noBo' ? made : plus(made, bo)] };
  }
  if (id === 'noWo') return wo ? stage : undefined;
  if (id === 'transposedWo' || id === 'woTwice') {
    if (!wo || !isSquareGrid(wo)) return undefined;
    const made = applied(from, id === 'transposedWo' ? flipped(wo) : wo, bo);
    return made && { ...stage, now: [id === 'woTwice' ? (applied(made, wo, bo) ?? made) : made] };
  }
  const made = applied(from, wo, bo);
  return made && { ...stage, now: [made] };
}

function applied(from: Grid, wo: Grid | undefined, bo: number[] | undefined): Grid | undefined {
  if (wo && wo.height !== from.width) return undefined;
  const made = wo ? product(from, wo) : from;
  return bo ? plus(made, bo) : made;
}
