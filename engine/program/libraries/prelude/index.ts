/** Definitions in Python: each is read when it is first asked for, with those that it names. */
import { ownNames, finish } from '../../../text';
import { readProgram, type Unit } from '../../syntax';
import { activations } from './activations';
import { complex } from './complex';
import { containers } from './containers';
import { d2l } from './d2l';
import { data } from './data';
import { attentionKernels, einopsLayers, flashAttention, flexAttention, xformers } from './fused';
import { functional, initialisation, optimisation } from './functional';
import { huggingFace } from './hugging-face';
import { flax, jaxItself, jaxLax, jaxNN, jaxNumpy, jaxRandom } from './jax';
import { keras, kerasBackend, kerasOps } from './keras';
import { convolutions, layers, truncated } from './layers';
import {
  autograd,
  grouping,
  operators,
  queues,
  checkpoints,
  contexts,
  dataclassTools,
  distributed,
  commandLine,
  einopsPacking,
  lightning,
  moduleUtilities,
  namedTuples,
  namespaces,
  rotaryEmbedding,
  scipySpecial,
  sequences,
  timm,
  ways,
} from './helping';
import { equinox, equinoxLayers, mlxCore, mlxFast, mlxLayers, mlxRandom } from './mlx';
import { modules } from './modules';
import { moreOfNumpy, numpyLinalg, numpyRandom } from './numpy';
import { patterns } from './patterns';
import { random } from './random';
import { tensorflow } from './tensorflow';
import { tiktoken } from './tiktoken';
import { moreOfTorch } from './torch';
import { transformers } from './transformers';

const texts = ownNames<string>({
  nn: [modules, containers, activations, transformers, layers].join('\n\n'),
  F: functional + convolutions,
  init: initialisation + truncated,
  'torch.optim': optimisation,
  tf: tensorflow,
  'tf.keras.layers': keras,
  'tf.keras.backend': kerasBackend,
  'tf.keras.ops': kerasOps,
  // Its other layers are not those of Keras: MultiHeadAttention takes other arguments.
  'tfa.layers': 'class SpectralNormalization(tf.keras.layers.SpectralNormalization):\n    pass\n',
  jnp: jaxNumpy,
  jax: jaxItself,
  'jax.lax': jaxLax,
  'jax.nn': jaxNN,
  'jax.random': jaxRandom,
  'flax.linen': flax,
  'mlx.core': mlxCore,
  'mlx.core.random': mlxRandom,
  'mlx.core.fast': mlxFast,
  'mlx.nn': mlxLayers,
  equinox,
  'equinox.nn': equinoxLayers,
  d2l,
  np: moreOfNumpy,
  'np.linalg': numpyLinalg,
  'np.random': numpyRandom,
  'nn.utils.rnn': sequences,
  torch: [complex, moreOfTorch].join('\n\n'),
  'torch.autograd': autograd,
  'nn.utils': moduleUtilities,
  'torch.utils.checkpoint': checkpoints,
  'torch.utils.data': data,
  'torch.distributed': distributed,
  'scipy.special': scipySpecial,
  'timm.layers': timm,
  transformers: huggingFace,
  lightning,
  tiktoken,
  types: namespaces,
  typing: namedTuples,
  contextlib: contexts,
  dataclasses: dataclassTools,
  argparse: commandLine,
  collections: queues,
  itertools: grouping,
  operator: operators,
  functools: ways,
  re: patterns,
  random,
  flash_attn: flashAttention,
  'xformers.ops': xformers,
  einops: einopsPacking,
  'einops.layers.torch': einopsLayers,
  rotary_embedding_torch: rotaryEmbedding,
  'torch.nn.attention': attentionKernels,
  'torch.nn.attention.flex_attention': flexAttention,
});

interface Definition {
  readonly text: string;
  /** Others of the same part that it mentions. */
  readonly needs: readonly string[];
}

const parts = new Map<string, ReadonlyMap<string, Definition>>();

/** Definitions of a module, by name. */
export function definitionsOf(module: string): ReadonlyMap<string, Definition> {
  const known = parts.get(module);
  if (known) return known;
  const pieces = (texts[module] ?? '').split(/\n(?=(?:def|class) )/).flatMap((text) => {
    const name = /^(?:def|class) (\w+)/.exec(text)?.[1];
    return name ? [[name, text] as const] : [];
  });
  const names = new Set(pieces.map(([name]) => name));
  const needed = (text: string): string[] => [...new Set(text.match(/\w+/g))].filter((word) => names.has(word));
  const made = new Map(
    pieces.map(([name, text]) => [name, { text, needs: needed(text).filter((other) => other !== name) }]),
  );
  parts.set(module, made);
  return made;
}

const units = new Map<string, readonly Unit[]>();

/** The statements of a definition. */
export function unitsOf(module: string, name: string): readonly Unit[] {
  const key = `${module}.${name}`;
  const known = units.get(key);
  if (known) return known;
  const made = finish(readProgram(definitionsOf(module).get(name)?.text ?? '', false)).units;
  units.set(key, made);
  return made;
}
