import { constructors, type Make } from './constructors';
import { functions, others } from './functions';
import type { Library } from './values';

/** Names by which modules are known where nothing was imported, as in a part of a program. */
const usual: readonly (readonly [string, string])[] = [
  ['np', 'numpy'],
  ['numpy', 'numpy'],
  ['torch', 'torch'],
  ['nn', 'torch.nn'],
  ['F', 'torch.nn.functional'],
  ['tf', 'tensorflow'],
  ['tensorflow', 'tensorflow'],
  ['jax', 'jax'],
  ['jnp', 'jax.numpy'],
  ['math', 'math'],
  ['scipy', 'scipy'],
  ['plt', 'matplotlib.pyplot'],
  ['pd', 'pandas'],
  ['array', 'numpy.array'],
  ['tensor', 'torch.tensor'],
];
export const usualAliases = (): Map<string, string> => new Map(usual);

const builtins: ReadonlySet<string> = new Set(
  (
    'True False None float int bool str abs len print range sum min max round list tuple dict set zip enumerate isinstance type ' +
    'sorted reversed repr display id all any map filter iter next format hasattr getattr open super object slice divmod ' +
    'Exception ValueError TypeError AssertionError NotImplementedError'
  ).split(' '),
);

const prefixes: readonly (readonly [string, Library])[] = [
  ['numpy.', 'numpy'],
  ['jax.numpy.', 'jax'],
  ['jax.', 'jax'],
  ['torch.', 'torch'],
  ['tensorflow.', 'tensorflow'],
];
const tables = new Map([...Object.entries(constructors), ...Object.entries(functions)]);
const wholeNames = new Map(Object.entries(others));

export interface Known {
  readonly library: Library;
  readonly make: Make;
}

/** The function of a whole name, `numpy.full`, when it is one that is computed. */
export function knownFunction(name: string): Known | undefined {
  const other = wholeNames.get(name);
  if (other) return { library: 'numpy', make: other };
  for (const [prefix, library] of prefixes) {
    if (!name.startsWith(prefix)) continue;
    const found = tables.get(name.slice(prefix.length));
    if (found?.[0].split(' ').includes(library)) return { library, make: found[1] };
  }
  return undefined;
}

const constants = new Map<string, number>();
for (const module of ['numpy', 'math', 'torch', 'jax.numpy']) {
  constants.set(`${module}.inf`, Infinity);
  constants.set(`${module}.nan`, NaN);
  constants.set(`${module}.pi`, 3.141592653589793);
  constants.set(`${module}.e`, 2.718281828459045);
}
export const knownConstant = (name: string): number | undefined => constants.get(name);

/** `numpy.float32`, `torch.long`: what may stand for a dtype. */
export const isTypeName = (name: string): boolean =>
  /^(?:numpy|torch|tensorflow|jax\.numpy)\.(?:b?float\d*_?|double|half|single|u?int\d*|long|bool_?|complex\d*)$/.test(
    name,
  );

/** What draws from whose stream, by whole name; `numpy`: the global one that `np.random.seed` seeds. */
export function drawOf(name: string): { readonly of: 'numpy' | 'torch'; readonly method: string } | undefined {
  const found =
    /^numpy\.random\.(\w+)$/.exec(name) ?? /^torch\.(randn|rand|randint|normal|randn_like|rand_like)$/.exec(name);
  return found ? { of: name.startsWith('numpy') ? 'numpy' : 'torch', method: found[1] ?? '' } : undefined;
}

/** Calls that certainly draw from neither global stream and change none of their arguments. */
export function isHarmless(name: string): boolean {
  if (builtins.has(name) || /^(?:math|matplotlib|time|datetime|os|sys|json|warnings|logging|pandas)(?:\.|$)/.test(name))
    return true;
  if (/^(?:numpy|scipy\.special|jax|tensorflow)(?:\.|$)/.test(name))
    return !/^numpy\.random|shuffle|keras/.test(name) && !changesArguments(name);
  if (!name.startsWith('torch.')) return false;
  return !changesArguments(name) && !torchDraws.test(name);
}

/** Layers draw their weights when they are made. */
const torchDraws =
  /^torch\.(?:nn\.(?!functional\.|Parameter|parameter\.|Softmax|ReLU|GELU|Identity|Module|Tanh|Sigmoid)|nn\.functional\.\w*dropout|nn\.functional\.(?:rrelu|gumbel_softmax|scaled_dot_product)|rand|normal|bernoulli|multinomial|poisson|dropout|random|seed|initial_seed|empty_like_|distributions|utils|load|compile|jit)/;

/** Functions that write into what they are given. */
export const changesArguments = (name: string): boolean =>
  /_$|\.(?:fill_diagonal|shuffle|copyto|put|place|putmask|put_along_axis)$/.test(name);

const harmlessMethods = new Set(
  (
    'T shape size dim ndim numel sum mean max min var std argmax argmin reshape view transpose permute astype numpy tolist item squeeze unsqueeze ' +
    'copy clone detach contiguous flatten ravel cpu cuda to float double half long int bool type dot matmul mm bmm round any all exp log sqrt ' +
    'softmax log_softmax tanh abs pow masked_fill tril triu t swapaxes expand expand_as repeat requires_grad_ backward numel is_contiguous cumsum prod ' +
    'format join split strip lower upper replace startswith endswith items keys values get count index encode decode ' +
    'show plot imshow set_title set_xlabel set_ylabel legend savefig tight_layout subplots head describe'
  ).split(' '),
);
export const isHarmlessMethod = (name: string): boolean => harmlessMethods.has(name);
