/** Names that a piece of a program uses without importing them, as everybody calls them: `np`, `torch`, `F`. */
import { ownNames, t } from '../../text';
import { note, type Machine, type Run, type Value } from '../machine';
import { moduleOf } from './imports';

const usual = ownNames<readonly [module: string, called: string]>({
  torch: ['torch', 'PyTorch'],
  nn: ['torch.nn', 'torch.nn'],
  F: ['torch.nn.functional', 'torch.nn.functional'],
  np: ['numpy', 'NumPy'],
  numpy: ['numpy', 'NumPy'],
  math: ['math', 'math'],
  copy: ['copy', 'copy'],
  random: ['random', 'random'],
  einops: ['einops', 'einops'],
  plt: ['matplotlib.pyplot', 'matplotlib.pyplot'],
  tf: ['tensorflow', 'TensorFlow'],
  jax: ['jax', 'JAX'],
  jnp: ['jax.numpy', 'jax.numpy'],
});

/** The library that such a name means, with a note that says so; undefined where the text binds the name somewhere. */
export function* unimported(m: Machine, name: string): Run<Value | undefined> {
  const [module, called] = usual[name] ?? [];
  if (module === undefined || called === undefined || m.binds(name)) return undefined;
  note(m, 'assumed', t('{0} is not imported here; read as {1}', name, called));
  const value = yield* moduleOf(m, module);
  m.globals.names.set(name, value);
  return value;
}
