import { cell, formula, latexNumber, symbol, type Expression } from '../../operations';
import { timesOf, type RopeScaling, type RowPositions, type Turning } from '../../math';
import type { AttentionSpec } from '../../spec';
import { hasStep, stepOf, type Draft } from './draft';
import { placesOf } from './places';

/* How rotations turn: the spec's base, scaling and precision, with the length of the text where a scaling asks for it. */

/** Undefined where it is 10000^(−2i/d) in float64. */
export function turningOf(draft: Draft): Turning | undefined {
  const { rope, positionsDtype } = draft.spec;
  const scaling = rope?.scaling;
  const turning: Turning = {
    ...(rope?.base !== undefined && { base: rope.base }),
    ...(scaling && { scaling: scaling.kind === 'dynamic' ? { length: lengthOf(draft), ...scaling } : scaling }),
    ...(positionsDtype === 'float32' && { float32: true }),
  };
  return Object.keys(turning).length ? turning : undefined;
}

/** Positions of the whole text, of which a step of a decoder is one: one more than the last of queries and keys. */
function lengthOf({ spec, steps }: Draft): number {
  const places = placesOf({ spec });
  const rows = (branch: 'q' | 'k'): number => (hasStep({ steps }, branch) ? (stepOf({ steps }, branch).shape.at(-2) ?? 0) : 0);
  return Math.max(behind(places.queries, rows('q')), behind(places.keys, rows('k')));
} // prettier-ignore

const behind = (at: RowPositions = 0, rows: number): number =>
  typeof at === 'number' ? at + rows : at.flat().reduce((most, position) => Math.max(most, position + 1), 0);

/** Columns of a head that turn. */
export const turnedWidth = ({ rope }: AttentionSpec, d: number): number => rope?.dims ?? d;

const R = symbol('position', 'R');

/** The formula of rotations; undefined for those of the paper, which the operation itself declares. */
export function rotationsFormula({ base = 10000, scaling }: Turning = {}, width: number, d: number): Expression | undefined {
  if (!scaling && base === 10000 && width === d) return undefined;
  const power = `${latexNumber(base)}^{2i/${width === d ? 'd' : width}}`;
  const times = scaling?.kind === 'yarn' && timesOf({ scaling }) !== 1 ? 'm ' : '';
  const angle = scaling ? 'p\\,\\theta_i' : `\\frac{p}{${power}}`;
  const [inside, outside] = scaling ? ['(', ')'] : ['', ''];
  const both = formula`${cell(R, '2p', 'i', ',')} = ${times}\cos${inside}${angle}${outside},\quad ${cell(R, '2p+1', 'i', ',')} = ${times}\sin${inside}${angle}${outside}`;
  return scaling ? formula`${both},\quad \theta_i = ${frequency(scaling, base, power, width === d ? 'd' : String(width))}` : both;
} // prettier-ignore

function frequency(scaling: RopeScaling, base: number, power: string, d: string): string {
  const s = latexNumber(scaling.factor);
  const [b, exponent] = [latexNumber(base), `${d}/(${d}-2)`];
  switch (scaling.kind) {
    case 'linear':
      return `\\frac{1}{${s} \\cdot ${power}}`;
    case 'ntk':
      return `\\left(${b} \\cdot ${s}^{${exponent}}\\right)^{-2i/${d}}`;
    case 'dynamic': {
      const { original, length = original } = scaling;
      return `\\left(${b} \\cdot \\left(\\tfrac{${s} \\cdot ${Math.max(length, original)}}{${original}} - (${s} - 1)\\right)^{${exponent}}\\right)^{-2i/${d}}`;
    }
    case 'yarn':
    case 'llama3':
      return `\\frac{\\gamma_i + (1 - \\gamma_i) / ${s}}{${power}}`;
  }
}
