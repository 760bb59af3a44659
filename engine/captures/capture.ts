import type { TensorFile } from '../files';
import { fail, ok, t, type Result } from '../text';

/** One attention that a model computed. Sizes are those of the process; the indexes say which part of it the file holds. */
export interface CapturedAttention {
  /** Path of the module in the model, '' outside of one. */
  readonly module: string;
  readonly class: string;
  readonly kind: string;
  readonly function: string;
  readonly where: readonly [file: string, line: number, name: string];
  /** How often the same module had computed one before. */
  readonly call: number;
  readonly dtype: string;
  /** Type of its output, which differs where autocast is on. */
  readonly computed: string;
  readonly device: string;
  readonly shape: readonly [inputs: number, heads: number, queries: number, keys: number];
  readonly batch: readonly number[];
  readonly heads: readonly number[];
  /** For each head in the file, which of the file's K and V it uses. */
  readonly kv: readonly number[];
  readonly rows: readonly [start: number, end: number];
  /** Keys 0 to `keys` − 1 are in the file. */
  readonly keys: number;
  readonly scale: number;
  /** Query i sees keys up to i + causal. */
  readonly causal: number | null;
  /** What hidden scores were replaced by. */
  readonly fill: '-inf' | number;
  readonly softcap: number | null;
  readonly dropout: number;
  readonly notes: readonly string[];
}

export interface Capture {
  readonly library: string;
  readonly rank: number;
  readonly world: number;
  readonly attentions: readonly CapturedAttention[];
  /** What ran and was not recorded. */
  readonly unseen: readonly string[];
  readonly notes: readonly string[];
}

/** A head of an attention, by places in the file: its n-th attention, input and head. */
export interface HeadAt {
  readonly attention: number;
  readonly input: number;
  readonly head: number;
}

const key = 'explain_attention';

/** What a file of tensors says of a capture; undefined if it is none. */
export function captureIn({ metadata, tensors }: TensorFile): Result<Capture> | undefined {
  const text = metadata[key];
  if (text === undefined) return undefined;
  const value = parsed(text);
  if (!isFields(value)) return damaged(t('{0} is no JSON', key));
  const { version, attentions, unseen = [], notes = [], library = '', rank = 0, world = 1 } = value;
  if (version !== 1) return damaged(t('version {0}, expected {1}', JSON.stringify(version), 1));
  if (!Array.isArray(attentions) || !isTexts(unseen) || !isTexts(notes)) return damaged(t('it lists no attentions'));
  const names = new Set(tensors.map(({ name }) => name));
  for (const [i, one] of attentions.entries()) {
    const field = wrongField(one);
    if (field !== undefined) return damaged(t('attention {0} has no valid {1}', i, field));
    const missing = ['v', 'out'].find((name) => !names.has(`${i}.${name}`));
    if (missing !== undefined) return damaged(t('{0} is not in the file', `${i}.${missing}`));
  }
  return ok({ library: String(library), rank: Number(rank), world: Number(world), attentions: attentions as CapturedAttention[], unseen, notes }); // prettier-ignore
}

const damaged = (message: string) =>
  fail({ code: 'capture', message, hint: t('Record it again with the explain_attention.py of this extension.') });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value); // prettier-ignore
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string'); // prettier-ignore
const isCounts = (value: unknown, length?: number): boolean =>
  Array.isArray(value) &&
  (length === undefined ? value.length > 0 : value.length === length) &&
  value.every((n) => Number.isSafeInteger(n) && (n as number) >= 0);

const checks: Readonly<Record<keyof CapturedAttention, (value: unknown, one: Fields) => boolean>> = {
  module: (value) => typeof value === 'string',
  class: (value) => typeof value === 'string',
  kind: (value) => typeof value === 'string',
  function: (value) => typeof value === 'string',
  where: (value) => Array.isArray(value) && typeof value[0] === 'string' && Number.isSafeInteger(value[1]),
  call: (value) => Number.isSafeInteger(value),
  dtype: (value) => typeof value === 'string',
  computed: (value) => typeof value === 'string',
  device: (value) => typeof value === 'string',
  shape: (value) => isCounts(value, 4),
  batch: (value) => isCounts(value),
  heads: (value) => isCounts(value),
  kv: (value, { heads }) => isCounts(value, (heads as readonly unknown[]).length),
  rows: (value) => isCounts(value, 2),
  keys: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  scale: (value) => typeof value === 'number' && value !== 0,
  causal: (value) => value === null || Number.isSafeInteger(value),
  fill: (value) => value === '-inf' || typeof value === 'number',
  softcap: (value) => value === null || (typeof value === 'number' && value > 0),
  dropout: (value) => typeof value === 'number',
  notes: isTexts,
};

/** The first field that is missing or wrong. */
function wrongField(value: unknown): string | undefined {
  if (!isFields(value)) return 'fields';
  return Object.entries(checks).find(([name, isRight]) => !isRight(value[name], value))?.[0];
}
