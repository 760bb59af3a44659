/** Programs of the teaching subset, drawn: the same seed gives the same program. */
import { someTensor } from './creation';
import { Draw } from './draw';
import { moves } from './moves';
import { numbers } from './numbers';
import { plain } from './plain';
import { structures } from './structures';
import { Writer } from './writer';

/** One program: some tensors, then about a dozen steps. */
export function generated(seed: number): string {
  const draw = new Draw(seed);
  const w = new Writer(draw, draw.chance(0.5) ? 'np' : 'torch');
  w.line(w.library === 'np' ? 'import numpy as np' : 'import torch');
  for (let i = draw.int(1, 2); i > 0; i--) someTensor(w);
  for (let i = draw.int(5, 12); i > 0; i--) {
    const part = draw.unit();
    draw.pick(part < 0.38 ? numbers : part < 0.76 ? moves : part < 0.88 ? structures : plain)(w);
  }
  return w.text();
}

export interface Generated {
  readonly name: string;
  readonly text: string;
}

/** `size` programs from `first` on. */
export const generatedPrograms = (first: number, size: number): readonly Generated[] =>
  Array.from({ length: size }, (_, i) => ({ name: `generated ${first + i}`, text: generated(first + i) }));
