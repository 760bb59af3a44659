import { fail, ok, t, type Problem, type Result } from '../text';
import { formatShape } from '../math';
import { linearsOf, tensorsOf, type Architecture } from './architecture';
import { ConfigProblem, readConfig, type Config } from './config';
import { families } from './families';
import { bytesEach } from './numbers';
import { longestPointer, ReadError, telling } from './telling';
import { configFile, openWeights, type CheckpointFolder, type Weights } from './weights';

/** A checkpoint whose config.json and headers were read: what it computes, and its tensors. */
export interface Checkpoint {
  readonly architecture: Architecture;
  readonly weights: Weights;
  /** Types of its numbers: `float16`. */
  readonly dtypes: readonly string[];
  /** Numbers in all its tensors. */
  readonly parameters: number;
  readonly unread: Unread;
}

/** What a folder has and its forward pass does without: nothing of it is computed, and a reader is told so. */
export interface Unread {
  /** Of config.json, those that are not known to leave a forward pass alone. */
  readonly fields: readonly string[];
  /** But for buffers that a class makes anew: masks, positions, frequencies. */
  readonly tensors: readonly string[];
}

/** Causal masks of GPT-2 and GPT-NeoX, numbers of positions, frequencies of RoPE. */
const buffer = /(?:\.attn\.(?:masked_)?bias|\.attention\.(?:masked_)?bias|position_ids|rotary_emb\.inv_freq)$/;

/** Most problems that are listed. */
const mostProblems = 12;

/**
 * Opens a folder as Hugging Face writes it: config.json and model.safetensors, or its shards. Reads no weights. Problems: a family that is not known, by its
 * name; settings that are not built; missing tensors, and tensors of another shape or of a type that is not read.
 */
export async function openCheckpoint(folder: CheckpointFolder): Promise<Result<Checkpoint>> {
  try {
    return await opened(telling(folder));
  } catch (error) {
    if (error instanceof ReadError) return fail({ code: 'checkpoint', message: error.message });
    throw error;
  }
}

/** What is said where there is no config.json: what kind of folder it may be. */
async function withoutConfig(folder: CheckpointFolder): Promise<Result<never>> {
  const message = t('{0} is not in the folder', configFile);
  const commit = await folder.open('refs/main');
  const name = commit && commit.size < longestPointer ? new TextDecoder().decode(await commit.readRange(0, commit.size)).trim() : ''; // prettier-ignore
  const hint = /^[\da-f]{40}$/.test(name)
    ? t('This is a folder of Hugging Face’s cache: choose snapshots/{0} in it.', name)
    : (await folder.open('adapter_config.json'))
      ? t('The folder has an adapter (adapter_config.json), which is not read alone: merge it into its model (merge_and_unload) and save that.')
      : t('Choose the folder that has config.json and model.safetensors.');
  return fail({ code: 'checkpoint', message, hint });
} // prettier-ignore

async function opened(folder: CheckpointFolder): Promise<Result<Checkpoint>> {
  const file = await folder.open(configFile);
  if (!file) return withoutConfig(folder);
  const config = readConfig(await file.readRange(0, Math.min(file.size, (1 << 20) + 1)));
  if (!config.ok) return config;
  const weights = await openWeights(folder);
  if (!weights.ok) return weights;
  const architecture = readArchitecture(config.value, weights.value);
  if (!architecture.ok) return architecture;
  const read = tensorsOf(architecture.value);
  const problems = misfits(architecture.value, read, weights.value);
  if (problems.length > 0) return fail(...shortened(problems));
  const entries = [...weights.value.entries.values()];
  return ok({
    architecture: architecture.value,
    weights: weights.value,
    dtypes: [...new Set(entries.map(({ dtype }) => dtype))],
    parameters: entries.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0),
    unread: {
      fields: config.value.unread(),
      tensors: await unreadOf(weights.value, read, architecture.value),
    },
  });
}

/** Tensors that the pass does without. Copies of a table that it reads, as T5's files have, are none of them. */
async function unreadOf(
  weights: Weights,
  read: ReadonlyMap<string, unknown>,
  { embedding, unembedding }: Architecture,
): Promise<readonly string[]> {
  const tables = new Set([embedding.table, unembedding?.table].filter((name) => name !== undefined));
  const unread: string[] = [];
  for (const name of weights.entries.keys()) {
    if (read.has(name) || buffer.test(name)) continue;
    const copies = await Promise.all([...tables].map((table) => weights.equal(name, table)));
    if (!copies.includes(true)) unread.push(name);
  }
  return unread;
}

function readArchitecture(config: Config, { entries }: Weights): Result<Architecture> {
  try {
    const name = config.text('model_type');
    const family = Object.hasOwn(families, name) ? families[name] : undefined;
    if (!family)
      return fail({ code: 'family', message: t('models of type {0} are not known here; known are {1}', name, Object.keys(families).join(', ')) }); // prettier-ignore
    refuseQuantized(config);
    return ok(family({ config, has: (tensor) => entries.has(tensor) }));
  } catch (error) {
    if (error instanceof ConfigProblem) return fail(error.problem);
    throw error;
  }
}

function refuseQuantized(config: Config): void {
  const quantized = config.part('quantization_config');
  if (quantized)
    throw new ConfigProblem({ code: 'config', message: t('its weights are quantized ({0}), which is not read here', quantized.text('quant_method', '?')) }); // prettier-ignore
}

/** Tensors that are missing, of another shape or type, and sizes that do not divide. */
function misfits(
  architecture: Architecture,
  read: ReadonlyMap<string, readonly number[]>,
  { entries }: Weights,
): Problem[] {
  const uneven = unevenSizes(architecture);
  if (uneven.length > 0) return uneven;
  return [...read].flatMap(([name, shape]) => {
    const entry = entries.get(name);
    const wrong = !entry
      ? t('{0} {1} is missing', name, formatShape(shape))
      : entry.shape.join() !== shape.join()
        ? t('{0} has shape {1}, config.json says {2}', name, formatShape(entry.shape), formatShape(shape))
        : bytesEach(entry.dtype) === undefined
          ? t('{0} holds {1}, which is not read here', name, entry.dtype)
          : undefined;
    return wrong === undefined ? [] : [{ code: 'tensor', message: wrong }];
  });
}

function unevenSizes({ stacks }: Architecture): Problem[] {
  const branches = stacks.flatMap(({ layers }) => layers.flatMap((layer) => layer.branches));
  const isEven = branches.every(
    (branch) =>
      linearsOf(branch).every(({ inputs, outputs }) => Number.isInteger(inputs) && Number.isInteger(outputs)) &&
      (branch.kind !== 'attention' || Number.isInteger(branch.headWidth)),
  );
  if (!isEven) return [{ code: 'config', message: t('config.json: the width does not divide by the number of heads') }];
  const ropes = branches.flatMap((branch) => (branch.kind === 'attention' && branch.rope ? [branch.rope] : []));
  const odd = ropes.find(({ dims }) => dims % 2 !== 0)?.dims;
  if (odd !== undefined) return [{ code: 'config', message: t('config.json: {0} columns of a head turn by RoPE, which turns pairs', odd) }]; // prettier-ignore
  const unfit = ropes.find(({ dims, long }) => [long?.short, long?.long].some((factors) => factors && factors.length !== dims / 2)); // prettier-ignore
  return unfit ? [{ code: 'config', message: t('config.json: longrope should have {0} factors', unfit.dims / 2) }] : [];
}

function shortened(problems: readonly Problem[]): readonly Problem[] {
  const rest = problems.length - mostProblems;
  if (rest <= 0) return problems;
  return [...problems.slice(0, mostProblems), { code: 'tensor', message: t('… and {0} more', rest) }];
}
