import { exp, log } from '../math';
import { nextDouble, nextPair, type Pcg64 } from './pcg64';

/**
 * The ziggurat of Marsaglia & Tsang, "The ziggurat method for generating random variables", J. Stat. Softw. 5(8), 2000,
 * with 256 strips and 52-bit abscissas: strip i reaches from 0 to x_i = widths[i]·2^52, and lies wholly under the curve
 * below bounds[i]·widths[i].
 */
interface Ziggurat {
  readonly bounds: Float64Array;
  readonly widths: Float64Array;
  /** exp(−x_i²/2) */
  readonly heights: Float64Array;
}

/** Where the tail begins: x_255. */
const tailStart = 3.6541528853610088;
const tailScale = 0.27366123732975828; // 1 / tailStart
/** The area of each strip. */
const area = 0.0049286732339746519;
const grid = 4503599627370496; // 2^52

let ziggurat: Ziggurat | undefined;

/**
 * The paper's recurrence from the tail inwards, in float64. NumPy's tables come from the same recurrence and are equal to
 * these bit for bit, but for one entry: the library they were made with rounded exp(−x²/2) up at strip 38, where the
 * exact value is 0.498 units above the lower neighbour. All strips above follow from it.
 */
function makeZiggurat(): Ziggurat {
  const [bounds, widths, heights] = [new Float64Array(256), new Float64Array(256), new Float64Array(256)];
  const tail = exp(-0.5 * tailStart * tailStart);
  heights.set([1], 0);
  heights.set([tail], 255);
  widths.set([area / tail / grid], 0);
  widths.set([tailStart / grid], 255);
  bounds.set([Math.floor(((tailStart * tail) / area) * grid), 0], 0);
  for (let i = 254, right = tailStart, height = tail; i > 0; i--) {
    const x = Math.sqrt(-2 * log(area / right + height));
    height = exp(-0.5 * x * x) + (i === 38 ? 1.1102230246251565e-16 : 0);
    bounds[i + 1] = roundHalfEven((x / right) * grid);
    widths[i] = x / grid;
    heights[i] = height;
    right = x;
  }
  return { bounds, widths, heights };
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const odd = floor % 2;
  return x - floor > 0.5 || (x - floor === 0.5 && odd === 1) ? floor + 1 : floor;
}

/** One standard normal draw: 8 bits choose the strip, one the sign, 52 the abscissa. */
export function drawZiggurat(pcg: Pcg64): number {
  const { bounds, widths, heights } = (ziggurat ??= makeZiggurat());
  for (;;) {
    nextPair(pcg);
    const i = pcg.low & 0xff;
    const negative = (pcg.low & 0x100) !== 0;
    // Bits 9 to 60 of the 64.
    const abscissa = (pcg.high & 0x1fffffff) * 8388608 + (pcg.low >>> 9);
    const size = abscissa * (widths[i] as number);
    if (abscissa < (bounds[i] as number)) return negative ? -size : size;
    if (i === 0) return drawTail(pcg, (abscissa & 0x100) !== 0);
    const bottom = heights[i] as number;
    if (((heights[i - 1] as number) - bottom) * nextDouble(pcg) + bottom < exp(-0.5 * size * size))
      return negative ? -size : size;
  }
}

// Beyond tailStart, after Marsaglia 1964: two exponentials until the point lies under the curve. 1 − u is exact.
function drawTail(pcg: Pcg64, negative: boolean): number {
  for (;;) {
    const x = -tailScale * log(1 - nextDouble(pcg));
    const y = -log(1 - nextDouble(pcg));
    if (y + y > x * x) return negative ? -(tailStart + x) : tailStart + x;
  }
}
