import { fail, ok, t, type Problem, type Result } from '../text';
import { jsonIn } from './json';
import { log, type RopeScaling } from '../math';
import type { Activation, LongRope, Rope } from './architecture';

/** A field of config.json is missing, is of another type, or says what no family here computes. */
export class ConfigProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Leaves the reading of config.json with a sentence. */
export const refuse = (message: string): never => {
  throw new ConfigProblem({ code: 'config', message });
};

/** The fields of config.json, read with their types. A wrong one throws a ConfigProblem, which `readArchitecture` returns. */
export interface Config {
  /** A whole number from 1 to `mostSize`; a field of null counts as missing. */
  size(name: string, otherwise?: number): number;
  number(name: string, otherwise?: number): number;
  text(name: string, otherwise?: string): string;
  flag(name: string, otherwise: boolean): boolean;
  texts(name: string): readonly string[] | undefined;
  numbers(name: string): readonly number[] | undefined;
  /** An object in a field. */
  part(name: string): Config | undefined;
  has(name: string): boolean;
  /** Counts fields as read where they have this value. */
  knows(names: readonly string[], value: unknown): void;
  /** The same with what Hugging Face's class takes where a field is absent; a field of null stays empty. */
  withDefaults(fields: Readonly<Record<string, number | string | boolean>>): Config;
  /** The fields that nothing has asked for and of which it is not known that they leave a forward pass alone, those of parts with a dot: `rope_scaling.beta`. */
  unread(): readonly string[];
}

/** Above the widths, vocabularies and contexts of published models; below what would let a hostile file ask for all memory. */
const mostSize = 1 << 24;
/** Above the layers and heads of published models. */
export const mostLayers = 1024;
/** In UTF-8 bytes. */
const longest = 1 << 20;

/*
 * Fields of Hugging Face's classes that leave a forward pass of a trained model alone: training, generation, heads for other tasks, how files are stored. Each
 * was changed alone in transformers 5 with the same weights, and nothing changed (test/reference/transformers_families.py).
 */
const aloneWords =
  /^(?:_.*|.*dropout.*|.*_pdrop|.*_token_ids?|.*_token_index|pooler_.*|initializer_.*|summary_.*|output_.*|.*_revision|auto_map)$/;
const alone = new Set(
  `architectures attn_implementation bad_words_ids begin_suppress_tokens cache_implementation chunk_size_feed_forward classifier_activation
   diversity_penalty do_sample dtype early_stopping encoder_no_repeat_ngram_size exponential_decay_length_penalty finetuning_task gradient_checkpointing id2label
   is_encoder_decoder is_llama_config label2id length_penalty license max_length min_length model_max_length n_ctx no_repeat_ngram_size num_beam_groups num_beams
   num_labels num_return_sequences prefix pretraining_tp problem_type pruned_heads reorder_and_upcast_attn repetition_penalty return_dict return_dict_in_generate
   suppress_tokens mm_tokens_per_image model_type n_special predict_special_tokens directionality transformers.js_config task_specific_params temperature tf_legacy_loss tie_encoder_decoder tie_weights_ tokenizer_class top_k top_p torch_dtype torchscript
   transformers_version typical_p unsloth_version use_bfloat16 use_cache vision_config vocab_file`.split(/\s+/),
);
const leavesAlone = (name: string): boolean => alone.has(name) || aloneWords.test(name);

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads config.json. Problems: no JSON, no object, longer than 1 MB. */
export function readConfig(bytes: Uint8Array): Result<Config> {
  if (bytes.length > longest)
    return fail({ code: 'config', message: t('config.json has {0} bytes, the limit is {1}', bytes.length, longest) });
  const json = jsonIn('config.json', bytes);
  if (!json.ok) return json;
  return isFields(json.value)
    ? ok(configOf(json.value, '', new Set()))
    : fail({ code: 'config', message: t('config.json: expected an object') });
}

/** `asked` collects what is read, with its path; parts share it. */
function configOf(json: Fields, path: string, asked: Set<string>): Config {
  const valueOf = (name: string): unknown => {
    asked.add(`${path}${name}`);
    return Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined;
  };
  function field<T>(name: string, otherwise: T | undefined, isFit: (value: unknown) => value is T, what: string): T {
    const value = valueOf(name) ?? otherwise;
    if (value === undefined) return refuse(t('config.json has no {0}', `${path}${name}`));
    return isFit(value)
      ? value
      : refuse(t('config.json: {0} is {1}, expected {2}', `${path}${name}`, shown(value), what));
  }
  const isSize = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= mostSize;
  const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
  function list<T>(name: string, isFit: (value: unknown) => value is T, what: string): readonly T[] | undefined {
    const value = valueOf(name);
    if (value === undefined) return undefined;
    return Array.isArray(value) && value.every(isFit) ? value : refuse(what);
  }
  return {
    size: (name, otherwise) => field(name, otherwise, isSize, t('a whole number from 1 to {0}', mostSize)),
    number: (name, otherwise) => field(name, otherwise, isNumber, t('a number')),
    text: (name, otherwise) => field(name, otherwise, isText, t('a text')),
    flag: (name, otherwise) => field(name, otherwise, isFlag, t('true or false')),
    texts: (name) => list(name, isText, t('config.json: {0} should be a list of texts', `${path}${name}`)),
    numbers: (name) => list(name, isNumber, t('config.json: {0} should be a list of numbers', `${path}${name}`)),
    part(name) {
      const value = valueOf(name);
      return isFields(value) ? configOf(value, `${path}${name}.`, asked) : undefined;
    },
    has: (name) => valueOf(name) !== undefined,
    knows(names, value) {
      for (const name of names) if (json[name] === value) asked.add(`${path}${name}`);
    },
    withDefaults: (fields) => configOf({ ...fields, ...json }, path, asked),
    unread: () => unreadOf(json, path, asked),
  };
}

/** A value in a message. What is nested is not written out, however deep it is. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return t('a list');
  return isFields(value) ? t('an object') : JSON.stringify(value).slice(0, 60);
}

function unreadOf(json: Fields, path: string, asked: ReadonlySet<string>): readonly string[] {
  return Object.entries(json).flatMap(([name, value]) => {
    const full = `${path}${name}`;
    if (!asked.has(full)) return value === null || leavesAlone(name) ? [] : [full];
    const isOpened = isFields(value) && [...asked].some((one) => one.startsWith(`${full}.`));
    return isOpened ? unreadOf(value, `${full}.`, asked) : [];
  });
}

/** Number of layers. */
export function layersOf(config: Config, name: string): number {
  const count = config.size(name);
  return count <= mostLayers ? count : refuse(t('config.json: {0} layers, the limit is {1}', count, mostLayers));
}

const activations: Readonly<Record<string, Activation>> = {
  gelu: 'gelu',
  gelu_new: 'gelu-tanh',
  gelu_pytorch_tanh: 'gelu-tanh',
  gelu_fast: 'gelu-tanh',
  relu: 'relu',
  silu: 'silu',
  swish: 'silu',
};

/** The function between the two products of a feed-forward layer, by Hugging Face's name. */
export function activationOf(name: string): Activation {
  return (Object.hasOwn(activations, name) ? activations[name] : undefined) ?? refuse(t('the activation {0} is not known here; known are {1}', name, Object.keys(activations).join(', ')));
} // prettier-ignore

/** A setting that changes what is computed in a way that is not built. */
export function refuseUnless(isBuilt: boolean, what: string): void {
  if (!isBuilt) refuse(t('{0} is not built', what));
}

/** The base and scaling of RoPE, in the fields of transformers 4 (rope_theta, rope_scaling) or 5 (rope_parameters). */
export function ropeOf(config: Config, parameters = config.part('rope_parameters')): Turning {
  const scaling = parameters ?? config.part('rope_scaling');
  const base = parameters?.has('rope_theta') ? parameters.number('rope_theta') : config.number('rope_theta', 10000);
  if (!(base > 0)) return refuse(t('config.json: {0} is {1}, expected {2}', 'rope_theta', base, t('a positive number')));
  const kind = scaling?.text('rope_type', scaling.text('type', 'default')) ?? 'default';
  if (!scaling || kind === 'default') return { base };
  // Phi-3's first files called it su or yarn.
  if (kind === 'longrope' || (scaling.has('short_factor') && ['su', 'yarn'].includes(kind))) return { base, long: longOf(scaling, config) };
  const known = Object.hasOwn(scalings, kind) ? scalings[kind] : undefined;
  return known
    ? { base, scaling: known(scaling, config) }
    : refuse(t('rope_scaling {0} is not known here; known are {1}', kind, Object.keys(scalings).join(', ')));
} // prettier-ignore

/** How fast the pairs of a head's columns turn. */
export type Turning = Pick<Rope, 'base' | 'scaling' | 'long'>;

/** LongRoPE (Ding et al. 2024), as Hugging Face's modeling_rope_utils.py reads it. */
function longOf(scaling: Config, config: Config): LongRope {
  const original = scaling.size('original_max_position_embeddings', config.size('original_max_position_embeddings', config.size('max_position_embeddings')));
  const grown = scaling.number('factor', config.size('max_position_embeddings') / original);
  const times = scaling.number('attention_factor', grown <= 1 ? 1 : Math.sqrt(1 + log(grown) / log(original)));
  const factors = (name: string): readonly number[] => {
    const list = scaling.numbers(name) ?? refuse(t('config.json has no {0}', name));
    return list.every((one) => one > 0) ? list : refuse(t('config.json: {0} should be a list of numbers', name));
  };
  return { short: factors('short_factor'), long: factors('long_factor'), original, times };
} // prettier-ignore

const scalings: Readonly<Record<string, (scaling: Config, config: Config) => RopeScaling>> = {
  linear: (scaling) => ({ kind: 'linear', factor: scaling.number('factor') }),
  dynamic: (scaling, config) => ({
    kind: 'dynamic',
    factor: scaling.number('factor'),
    original: originalOf(scaling, config),
  }),
  llama3: (scaling, config) => ({
    kind: 'llama3',
    factor: scaling.number('factor'),
    lowFrequency: scaling.number('low_freq_factor'),
    highFrequency: scaling.number('high_freq_factor'),
    original: originalOf(scaling, config),
  }),
  yarn: (scaling, config) => ({
    kind: 'yarn',
    factor: scaling.number('factor'),
    original: originalOf(scaling, config),
    betaFast: scaling.number('beta_fast', 32),
    betaSlow: scaling.number('beta_slow', 1),
    truncate: scaling.flag('truncate', true),
    ...(scaling.has('attention_factor') && { attentionFactor: scaling.number('attention_factor') }),
    ...(scaling.has('mscale') && { mscale: scaling.number('mscale') }),
    ...(scaling.has('mscale_all_dim') && { mscaleAllDims: scaling.number('mscale_all_dim') }),
  }),
};

const originalOf = (scaling: Config, config: Config): number =>
  scaling.size('original_max_position_embeddings', config.size('max_position_embeddings'));
