/** Ids of tokens, as tiktoken gives them: from a vocabulary that whoever reads the program hands over like a file that it imports. */
import { t } from '../../text';
import {
  bytesOf,
  encodeBytes,
  encodingNames,
  encodingOf,
  vocabularyModule,
  type ByteEncoding,
  type EncodingName,
} from '../../tokens';
import {
  builtin,
  int,
  list,
  str,
  tuple,
  unknown,
  type Arguments,
  type Machine,
  type Run,
  type Value,
} from '../machine';

/** Encodings that were read, by name: each is read once. */
const open = new Map<string, ByteEncoding>();

function encodingNamed(m: Machine, of: Value | undefined): ByteEncoding | Value {
  const name = of?.kind === 'str' ? of.value : '';
  const known = open.get(name);
  if (known) return known;
  const isOurs = (encodingNames as readonly string[]).includes(name);
  const file = isOurs ? m.files(vocabularyModule(name as EncodingName)) : undefined;
  const read =
    file &&
    encodingOf(
      name as EncodingName,
      Uint8Array.from(file.text, (one) => one.charCodeAt(0)),
    );
  if (!read?.ok) return unknown(m, t('{0} is not known', `tiktoken.get_encoding(${name})`));
  open.set(name, read.value);
  return read.value;
}

const isValue = (one: ByteEncoding | Value): one is Value => one.kind !== 'bytes' || !('vocabulary' in one);

/** Longer texts are whole books: their ids are known in number only where somebody asks. */
const longest = 200_000;

function idsOf(m: Machine, { positional: [name, text, specials] }: Arguments): Value {
  const encoding = encodingNamed(m, name);
  if (isValue(encoding)) return encoding;
  if (text?.kind === 'unknown') return text;
  if (text?.kind !== 'str' || specials?.kind !== 'bool' || text.value.length > longest)
    return unknown(m, t('its value is not known'));
  const { ids, count } = encodeBytes(encoding, text.value, specials.value);
  return list(Array.from(ids.subarray(0, count), (id) => int(id)));
}

function textOf(m: Machine, { positional: [name, tokens] }: Arguments): Value {
  const encoding = encodingNamed(m, name);
  if (isValue(encoding)) return encoding;
  const ids = tokens?.kind === 'list' && !tokens.unsure ? tokens.items.map((one) => (one.kind === 'int' ? Number(one.value) : -1)) : undefined; // prettier-ignore
  const bytes = ids?.every((id) => id >= 0) ? bytesOf(encoding, ids) : undefined;
  return bytes
    ? str(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
    : unknown(m, t('its value is not known'));
}

function factsOf(m: Machine, { positional: [name] }: Arguments): Value {
  const encoding = encodingNamed(m, name);
  if (isValue(encoding)) return encoding;
  const { size, specials } = encoding;
  return tuple([int(size), int(specials.get('<|endoftext|>') ?? 0), list([...specials.keys()].map(str))]);
}

const plain = (name: string, of: (args: Arguments) => Value): readonly [string, Value] => [
  name,
  builtin(name, function* (args): Run<Value> {
    yield;
    return of(args);
  }),
];

export const tokenHelpers = (m: Machine): readonly (readonly [string, Value])[] => [
  plain('_encoding', (args) => factsOf(m, args)),
  plain('_token_ids', (args) => idsOf(m, args)),
  plain('_token_text', (args) => textOf(m, args)),
];
