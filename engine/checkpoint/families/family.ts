import type { Architecture, Linear, Norm, Unembedding } from '../architecture';
import type { Config } from '../config';

/** What a family reads: config.json, and which tensors the file has. */
export interface Source {
  readonly config: Config;
  readonly has: (tensor: string) => boolean;
}

/** Writes the architecture of a model from its config.json. Throws a ConfigProblem where a field is missing or not built. */
export type Family = (source: Source) => Architecture;

/** The first of the prefixes under which the file has a tensor: files hold a model with or without the name of its wrapper. */
export const prefixOf = ({ has }: Source, tensor: string, prefixes: readonly string[]): string =>
  prefixes.find((prefix) => has(prefix + tensor)) ?? prefixes[0] ?? '';

/** A layer of nn.Linear: W out×in. Whether it has a bias is said by config.json and not by the file, whose other biases the library does not read. */
export const linear = (name: string, inputs: number, outputs: number, hasBias: boolean): Linear => ({
  weight: `${name}.weight`,
  ...(hasBias && { bias: `${name}.bias` }),
  layout: 'out×in',
  inputs,
  outputs,
});

/** LayerNorm; old files call gain and bias `gamma` and `beta`. */
export const layerNorm = ({ has }: Source, name: string, epsilon: number): Norm => {
  const isOld = has(`${name}.gamma`);
  const bias = `${name}.${isOld ? 'beta' : 'bias'}`;
  return {
    kind: 'layer',
    weight: `${name}.${isOld ? 'gamma' : 'weight'}`,
    ...(has(bias) && { bias }),
    epsilon,
  };
};

export const rmsNorm = (name: string, epsilon: number, gain?: '1+g'): Norm => ({
  kind: 'rms',
  weight: `${name}.weight`,
  epsilon,
  ...(gain && { gain }),
});

/** Projections in three products, one head's columns after the other's. */
export const apart =
  (headWidth: number, group: number) =>
  (part: 'q' | 'k' | 'v', head: number): { linear: number; column: number } => ({
    linear: ['q', 'k', 'v'].indexOf(part),
    column: (part === 'q' ? head : Math.floor(head / group)) * headWidth,
  });

/**
 * What turns the last states into logits: a table of its own, else, where config.json says that the two are one, the embedding's, else nothing. `more`
 * goes with a table.
 */
export function predicting(
  { config, has }: Source,
  own: readonly string[],
  { table, isTied }: { readonly table: string; readonly isTied: boolean },
  more: Omit<Unembedding, 'table'> = {},
): Pick<Architecture, 'predicts' | 'unembedding'> {
  const tied = config.flag('tie_word_embeddings', isTied) ? table : undefined;
  const last = own.find(has) ?? tied;
  return last === undefined ? { predicts: 'nothing' } : { predicts: 'next', unembedding: { table: last, ...more } };
}

/** Which part of a head turns. transformers 5 saves it twice. */
export function partOf(config: Config, parameters: Config | undefined, otherwise: number): number {
  const own = config.number('partial_rotary_factor', otherwise);
  return parameters?.number('partial_rotary_factor', own) ?? own;
}

export const each = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
