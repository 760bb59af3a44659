import { timesOf, type RopeScaling, type Turning } from '../../math';
import type { CallOf } from '../../plan';
import { tuple } from '../../operations';
import { column, range, rounded, type Dialect, type Line } from './dialect';

/* The lines that compute rotations, with the names of Hugging Face's modeling_rope_utils.py. */

export function rotationLines(call: CallOf<'rotations'>, { name, step }: Line, dialect: Dialect): string[] {
  const [rows = 2, pairs = 1] = step.shape.slice(-2);
  const m = dialect.module;
  const { turning = {}, at } = call;
  const times = timesOf(turning);
  const stacked = `${m}.stack([${m}.cos(angle), ${m}.sin(angle)], ${m === 'np' ? 'axis' : 'dim'}=-2)`;
  const shaped = `${stacked}.reshape(${tuple(step.shape)})`;
  const both = times === 1 ? shaped : `(${shaped} * ${times})`;
  const dtype = turning.float32 ? 'float32' : 'float64';
  const positions = column(dialect, at, rows / 2, dtype);
  const exponent = `2 * ${range(dialect, pairs, dtype)} / ${2 * pairs}`;
  return [
    ...anglesOf(turning, positions, exponent, pairs, dialect),
    `${name} = ${rounded(dialect, both)}  # cosines in even rows, sines in odd ones`,
  ];
}

function anglesOf({ base = 10000, scaling, float32 }: Turning, positions: string, exponent: string, pairs: number, dialect: Dialect): string[] {
  const b = Number.isInteger(base) && base < 1e21 ? `${base}.0` : String(base);
  const d = 2 * pairs;
  if (!scaling && !float32) return [`angle = ${positions} / ${b} ** (${exponent})`];
  const grown = scaling?.kind === 'ntk' ? ` * ${scaling.factor} ** (${d} / ${d - 2})` : scaling?.kind === 'dynamic' ? dynamic(scaling, d) : '';
  const one = (value: string): string => (float32 && dialect.module === 'np' ? `np.float32(${value})` : value);
  const inverse = `inv_freq = 1 / ${one(grown ? `(${b}${grown})` : b)} ** (${exponent})`;
  return [inverse, ...(scaling ? scaled(scaling, base, pairs, dialect, one, float32 ? 'float32' : 'float64') : []), `angle = ${positions} * inv_freq`];
} // prettier-ignore

const dynamic = (
  { factor, original, length = original }: Extract<RopeScaling, { kind: 'dynamic' }>,
  d: number,
): string => ` * (${factor} * ${Math.max(length, original)} / ${original} - (${factor} - 1)) ** (${d} / ${d - 2})`;

/** Lines that change `inv_freq`. */
function scaled(scaling: RopeScaling, base: number, pairs: number, dialect: Dialect, one: (value: string) => string, dtype: 'float64' | 'float32'): string[] {
  const { factor } = scaling;
  const clip = dialect.module === 'np' ? 'np.clip' : 'torch.clamp';
  switch (scaling.kind) {
    case 'ntk':
    case 'dynamic':
      return [];
    case 'linear':
      return [`inv_freq = inv_freq / ${one(String(factor))}`];
    case 'yarn': {
      const { original, betaFast = 32, betaSlow = 1, truncate = true } = scaling;
      const pairOf = (turns: number): string => `${2 * pairs} * math.log(${original} / (${turns} * 2 * math.pi)) / (2 * math.log(${base}))`;
      const [low, high] = truncate ? [`math.floor(${pairOf(betaFast)})`, `math.ceil(${pairOf(betaSlow)})`] : [pairOf(betaFast), pairOf(betaSlow)];
      return [
        `low, high = max(${low}, 0), min(${high}, ${2 * pairs - 1})`,
        `kept = 1 - ${clip}((${range(dialect, pairs, dtype)} - low) / ((high if high != low else high + 0.001) - low), 0, 1)`,
        `inv_freq = inv_freq / ${one(String(factor))} * (1 - kept) + inv_freq * kept`,
      ];
    }
    case 'llama3': {
      const { lowFrequency, highFrequency, original } = scaling;
      return [
        `kept = ${clip}((${original}.0 * inv_freq / (2 * math.pi) - ${lowFrequency}) / (${highFrequency} - ${lowFrequency}), 0, 1)`,
        `inv_freq = (1 - kept) * inv_freq / ${one(String(factor))} + kept * inv_freq`,
      ];
    }
  }
} // prettier-ignore
