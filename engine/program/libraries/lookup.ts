/** What a library's name means: a row of the table, a definition in Python, a module, a constant, a class of ours. */
import { ownNames, finish, t } from '../../text';
import { runBody, inPlace, into, makeClass, sharesPlaces } from '../evaluate';
import {
  type Machine,
  addNode,
  builtin,
  cause,
  float,
  nodeOf,
  none,
  overwrite,
  str,
  type Frame,
  type ModuleValue,
  type TensorValue,
  type Value,
  refuseOverlap,
} from '../machine';
import { dtypes, type Library } from '../tensor';
import { sourceOf } from '../syntax';
import { creationRows } from './creation';
import { drawRows } from './draws';
import { einopsRows } from './einops';
import { elementwiseRows } from './elementwise';
import { helpers } from './helpers';
import { itertoolsRows } from './itertools';
import { generatorRows } from './generators';
import { jaxRows } from './jax';
import { memberRows } from './members';
import { joinRows } from './joins';
import { moveRows } from './moves';
import { definitionsOf, unitsOf } from './prelude/index';
import { flag } from './patterns';
import { productRows } from './products';
import { pythonRows } from './python';
import { reductionRows } from './reductions';
import { byName, callable, type Row } from './table';
import { viewRows } from './views';

export const rows: readonly Row[] = [
  ...elementwiseRows,
  ...reductionRows,
  ...viewRows,
  ...joinRows,
  ...moveRows,
  ...creationRows,
  ...drawRows,
  ...productRows,
  ...memberRows,
  ...pythonRows,
  ...itertoolsRows,
  ...einopsRows,
  ...jaxRows,
  ...generatorRows,
];

let named: ReadonlyMap<string, Row> | undefined;
const table = (): ReadonlyMap<string, Row> => (named ??= byName(rows));

/** Modules under the short names of the table. */
const aliases = ownNames<string>({
  numpy: 'np',
  'numpy.random': 'np.random',
  'numpy.linalg': 'np.linalg',
  'numpy.lib.stride_tricks': 'np.lib.stride_tricks',
  'torch.nn': 'nn',
  'torch.nn.functional': 'F',
  'torch.nn.init': 'init',
  'torch.nn.parameter': 'nn',
  'torch.nn.utils': 'nn.utils',
  'torch.nn.utils.rnn': 'nn.utils.rnn',
  'torch.nn.utils.parametrizations': 'nn.utils',
  'nn.utils.parametrizations': 'nn.utils',
  'torch.nn.modules': 'nn',
  'nn.functional': 'F',
  'nn.init': 'init',
  'nn.parameter': 'nn',
  'nn.modules': 'nn',
  'torch.functional': 'torch',
  // torch.functional has torch.nn.functional under this name.
  'torch.F': 'F',
  'd2l.torch': 'd2l',
  'numpy.typing': 'typing',
  tensorflow: 'tf',
  keras: 'tf.keras',
  tensorflow_addons: 'tfa',
  'tensorflow_addons.layers': 'tfa.layers',
  'jax.numpy': 'jnp',
  'flax.linen.module': 'flax.linen',
  pytorch_lightning: 'lightning',
  'lightning.pytorch': 'lightning',
  'timm.models.layers': 'timm.layers',
  'timm.models': 'timm',
  'timm.models.vision_transformer': 'timm.layers',
  'transformers.activations': 'transformers',
  'transformers.cache_utils': 'transformers',
  'transformers.configuration_utils': 'transformers',
  'transformers.modeling_outputs': 'transformers',
  'transformers.modeling_utils': 'transformers',
  'transformers.utils': 'transformers',
  'collections.abc': 'typing',
  'flash_attn.flash_attn_interface': 'flash_attn',
  'xformers.ops.fmha': 'xformers.ops',
  'xformers.ops.fmha.attn_bias': 'xformers.ops',
});

const libraries = new Set(
  'argparse numpy scipy string torch einops fancy_einsum flash_attn xformers d2l math typing dataclasses functools collections itertools copy abc warnings os sys time random inspect contextlib enum logging gc rotary_embedding_torch tensorflow tensorflow_addons keras jax flax mlx equinox timm transformers lightning operator pytorch_lightning re tiktoken types __future__'.split(
    ' ',
  ),
);
const submodules = new Set(
  `timm timm.layers
  torch.nn.attention torch.nn.attention.flex_attention nn.utils nn.utils.rnn torch.utils torch.utils.checkpoint torch.utils.data torch.optim torch.cuda torch.backends
  torch.backends.cudnn torch.backends.mps torch.linalg torch.jit torch.special torch.random torch.autograd torch.amp torch.cuda.amp torch._dynamo torch.distributed
  lightning lightning.fabric
  einops.layers einops.layers.torch
  xformers.ops
  np.random np.linalg np.lib np.lib.stride_tricks
  scipy.special
  os.path
  tf.keras tf.keras.layers tf.keras.models tf.nn tf.math tf.linalg tf.random tf.keras.activations tf.keras.backend tf.keras.ops tfa.layers
  jax.nn jax.lax jax.random
  flax.linen
  mlx.core mlx.core.random mlx.core.fast mlx.nn
  equinox.nn`.split(/\s+/),
);

/** Modules of which there is a table: what they lack is named when it is used. */
export const isLibrary = (module: string): boolean => {
  const [top = ''] = module.split('.');
  return (
    libraries.has(top) &&
    (module === top || aliases[module] !== undefined || submodules.has(aliasOf(module)) || module.startsWith('typing'))
  );
};
export const aliasOf = (module: string): string =>
  aliases[module] ?? module.replace(/^tensorflow\.(?:python\.)?/, 'tf.').replace(/^keras\./, 'tf.keras.');

const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const constants = ownNames<Value>({
  'math.pi': float(Math.PI),
  'math.e': float(Math.E),
  'math.inf': float(Infinity),
  'math.nan': float(NaN),
  'math.tau': float(2 * Math.PI),
  'string.ascii_lowercase': str('abcdefghijklmnopqrstuvwxyz'),
  'string.ascii_uppercase': str('ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  'string.ascii_letters': str('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  'string.digits': str('0123456789'),
  'string.hexdigits': str('0123456789abcdefABCDEF'),
  'string.octdigits': str('01234567'),
  'string.punctuation': str(punctuation),
  'string.whitespace': str(' \t\n\r\x0b\x0c'),
  'string.printable': str(
    `0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ${punctuation} \t\n\r\x0b\x0c`,
  ),
  'np.pi': float(Math.PI),
  'np.e': float(Math.E),
  'np.inf': float(Infinity),
  'np.nan': float(NaN),
  'np.infty': float(Infinity),
  'np.Inf': float(Infinity),
  'np.NaN': float(NaN),
  'np.newaxis': none,
  'tf.newaxis': none,
  'jax.Array': makeClass('ndarray'),
  'torch.pi': float(Math.PI),
  'torch.e': float(Math.E),
  'torch.inf': float(Infinity),
  'torch.nan': float(NaN),
  'torch.__version__': str('2.5.1'),
  'np.__version__': str('2.1.0'),
  'torch.Tensor': makeClass('Tensor'),
  'np.ndarray': makeClass('ndarray'),
  'torch.dtype': makeClass('dtype'),
  ...Object.fromEntries(Object.entries({ I: 2, IGNORECASE: 2, M: 8, MULTILINE: 8, S: 16, DOTALL: 16, U: 32, UNICODE: 32, X: 64, VERBOSE: 64, A: 256, ASCII: 256 }).map(([name, bits]) => [`re.${name}`, flag(bits)])), // prettier-ignore
  'typing.TYPE_CHECKING': { kind: 'bool', value: false },
  'enum.Enum': makeClass('Enum'),
  'abc.ABC': makeClass('ABC'),
});

const otherTypes = ownNames<(typeof dtypes)[number]>({
  'torch.float': 'float32',
  'torch.double': 'float64',
  'torch.half': 'float16',
  'torch.long': 'int64',
  'torch.int': 'int32',
  'torch.short': 'int16',
  'np.single': 'float32',
  'np.double': 'float64',
  'np.half': 'float16',
  'np.int_': 'int64',
  'np.bool_': 'bool',
  'np.float_': 'float64',
  'np.long': 'int64',
});

function typeNamed(name: string): Value | undefined {
  const [module = '', last = ''] = name.split('.');
  if (module === 'tf' && last !== '') return typeNamed(`torch.${last}`);
  if (module === 'jnp') return typeNamed(`np.${last}`);
  if (name === 'mlx.core.bfloat16') return typeNamed('torch.bfloat16');
  if (name.startsWith('mlx.core.')) return typeNamed(`np.${name.slice(9)}`);
  if (module !== 'torch' && module !== 'np') return undefined;
  const dtype = otherTypes[name] ?? dtypes.find((one) => one === last && !(module === 'np' && one === 'bfloat16'));
  const library: Library = module === 'np' ? 'numpy' : 'torch';
  return dtype && { kind: 'dtype', dtype, library };
}

/** `x.mul_(2)`: the function without the underscore, over the tensor itself. */
function inPlaceMethod(m: Machine, name: string): Value | undefined {
  if (!/^(?:Tensor\.[a-z]\w*|F\.[a-z]\w*)[^_]_$/.test(name)) return undefined;
  const plain = find(m, name.slice(0, -1));
  if (plain?.kind !== 'builtin' && plain?.kind !== 'function') return undefined;
  return builtin(name, function* (args) {
    const [target, ...others] = args.positional;
    const tensor = target?.kind === 'tensor' && !/(?:squeeze|transpose|\.t|swap\w+)_$/.test(name) ? target : undefined;
    if (tensor) for (const other of others) if (other.kind === 'tensor') refuseOverlap(tensor, other);
    const made = yield* m.evaluator.call(m, plain, args);
    if (name === 'Tensor.masked_fill_' && target?.kind === 'tensor' && sharesPlaces(target))
      return filledTogether(m, target);
    return tensor && made.kind === 'tensor' ? inPlace(m, tensor, made) : into(m, target, made);
  });
}

/** PyTorch warns of it and goes on: what is in memory then depends on the order in which it writes. */
function filledTogether(m: Machine, target: TensorValue): Value {
  const { shape, dtype } = nodeOf(m, target);
  const why = cause(m, t('several of its elements are one in memory'));
  overwrite(m, target, addNode(m, 'input', { shape, dtype, why, attributes: { origin: 'masked_fill_' } }));
  return target;
}

function definition(m: Machine, name: string): Value | undefined {
  const dot = name.lastIndexOf('.');
  const [module, last] = [name.slice(0, dot), name.slice(dot + 1)];
  const found = definitionsOf(module).get(last);
  if (!found) return undefined;
  const frame = preludeFrame(m, module);
  const known = frame.names.get(last);
  if (known) return known;
  frame.names.set(last, none);
  for (const other of found.needs) definition(m, `${module}.${other}`);
  frame.names.delete(last);
  // A definition stays, also where the branch that first asks for it is undone.
  const { here, steps, journal, unsure } = m;
  Object.assign(m, { journal: undefined, unsure: 0 });
  for (const { source, body } of unitsOf(module, last)) finish(runBody(m, body, { ...frame, source }));
  Object.assign(m, { here, steps, journal, unsure });
  return frame.names.get(last);
}

function preludeFrame(m: Machine, module: string): Frame {
  const known = m.preludes.get(module);
  if (known) return known;
  const names = new Map<string, Value>();
  const frame: Omit<Frame, 'globals'> & { globals?: Frame } = {
    names,
    outer: undefined,
    declared: new Map(),
    source: sourceOf('', 0, false),
    maybe: [],
  };
  const whole = Object.assign(frame, { globals: frame as Frame }) as Frame;
  for (const [short, long] of [
    ['torch', 'torch'],
    ['math', 'math'],
    ['F', 'F'],
    ['init', 'init'],
    ['copy', 'copy'],
    ['np', 'np'],
    ['tf', 'tf'],
    ['jax', 'jax'],
    ['nn', 'nn'],
    ['mx', 'mlx.core'],
    ['_einops', 'einops'],
  ] as const)
    names.set(short, { kind: 'module', name: long });
  for (const [name, value] of helpers(m)) names.set(name, value);
  for (const name of module === 'F'
    ? ['log_softmax', 'dropout', 'softmax']
    : module === 'init'
      ? ['uniform_', 'normal_']
      : []) {
    const value = find(m, `${module}.${name}`);
    if (value) names.set(name, value);
  }
  const parameter = find(m, 'nn.Parameter');
  if (parameter) names.set('Parameter', parameter);
  const base = module === 'tf.keras.layers' ? find(m, 'nn.Module') : undefined;
  if (base) names.set('Module', base);
  m.preludes.set(module, whole);
  return whole;
}

/** What a full name means; undefined where there is no such thing here. */
export function find(m: Machine, name: string): Value | undefined {
  const known = m.found.get(name);
  if (known) return known;
  const made = make(m, name);
  if (made) m.found.set(name, made);
  return made;
}

function make(m: Machine, name: string): Value | undefined {
  const row = table().get(name);
  const constant = constants[name];
  if (constant) return name === 'torch.Tensor' || name === 'np.ndarray' ? tensorClass(m, name, constant) : constant;
  if (row) return callable(m, row, name);
  const module = aliases[name] ?? (submodules.has(name) ? name : undefined);
  if (module !== undefined) return { kind: 'module', name: module } satisfies ModuleValue;
  const found = definition(m, name);
  if (found) return found;
  // `np.r_[…]`: things that are only asked for their parts.
  const parts = /^np\.(?:r_|c_|mgrid)$/.test(name) ? find(m, name.replace('.', '._')) : undefined;
  if (parts?.kind === 'class') return { kind: 'instance', of: parts, attributes: new Map() };
  if (name.startsWith('typing.')) return makeClass(name.slice(7));
  return typeNamed(name) ?? inPlaceMethod(m, name) ?? ofElementwise(m, name) ?? parent(m, name);
}

/** `np.subtract.outer`: what a function of single elements does with whole arrays. */
function ofElementwise(m: Machine, name: string): Value | undefined {
  const [, plain = '', how = ''] = /^(np\.[a-z_]+)\.(outer|accumulate|reduce|at)$/.exec(name) ?? [];
  const [single, whole] = table().has(plain) ? [find(m, plain), find(m, `np._${how}`)] : [];
  if (!single || !whole) return undefined;
  return builtin(name, ({ positional, keywords }) =>
    m.evaluator.call(m, whole, { positional: [single, ...positional], keywords }),
  );
}

/** `torch.nn.modules.linear.Linear` and other long ways to the same. */
function parent(m: Machine, name: string): Value | undefined {
  const shorter = ways.reduce((text, [long, short]) => text.replace(long, short), name);
  return shorter === name ? undefined : find(m, shorter);
}

/** `tf.math.sqrt` is `tf.sqrt`; what JAX's NumPy and Flax do not have of their own is NumPy's and JAX's. */
const ways: readonly (readonly [RegExp, string])[] = [
  [/^torch\.nn\.modules\.\w+\./, 'nn.'],
  [/^torch\.cuda\.(?=\w+Tensor$)/, 'torch.'],
  [
    /^Tensor\.(?=(?:isclose|nan_to_num|multinomial|bernoulli|nonzero|unfold|new|new_tensor|take_along_dim|diag_embed|fill_diagonal|kron|diff|trace|rot90|bincount|unique|index_add|index_copy|masked_scatter|take|lerp|addcmul|addcdiv|logaddexp|logcumsumexp|fmod|logit|hypot|heaviside|nansum|nanmean|quantile|tensor_split|msort)$)/,
    'torch.',
  ],
  [/^ndarray\.(?=(?:ptp|trace|searchsorted|resize)$)/, 'np.'],
  [/^np\.lib\.stride_tricks\./, 'np.'],
  [/^tf\.(?:math|nn|linalg|random|keras\.(?:activations|backend|ops))\.(?=[a-z])/, 'tf.'],
  [/^tf\.linalg\.(?=Linear)/, 'tf.'],
  [/^tf\.keras\.(?:models\.)?(?=(?:Model|Sequential|Layer|Input)$)/, 'tf.keras.layers.'],
  [/^jnp\.(?=\w)/, 'np.'],
  [/^(?:flax\.linen|mlx\.nn)\.(?=[a-z])/, 'jax.nn.'],
  [/^mlx\.core\.(?=\w+$)/, 'jnp.'],
  [/^equinox\.field$/, 'dataclasses.field'],
];

/** `torch.Tensor([…])` makes one; `isinstance(x, torch.Tensor)` asks for its class. */
function tensorClass(m: Machine, name: string, value: Value): Value {
  const row = table().get(name);
  if (value.kind === 'class' && row) {
    const made = makeClass(value.name);
    made.attributes.set('__new__', callable(m, row, name));
    return made;
  }
  return value;
}

/** Names of a module, for `from module import *`. */
export function* membersOf(m: Machine, module: string): Iterable<readonly [string, Value]> {
  const start = `${module}.`;
  const names = [...table().keys(), ...Object.keys(constants)].filter(
    (name) => name.startsWith(start) && !name.slice(start.length).includes('.'),
  );
  for (const name of [...names.map((one) => one.slice(start.length)), ...definitionsOf(module).keys()]) {
    const value = find(m, start + name);
    if (value && !name.startsWith('_')) yield [name, value];
  }
}
