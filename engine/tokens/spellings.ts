import { charactersAsText, type Pipeline } from './file';
import { readableText } from './utf8';
import type { ByteEncoding } from './bytes';

/** How a tokenizer writes each id; undefined for one that it does not have. */
export function spellings(tokenizer: ByteEncoding | Pipeline): (id: number) => string | undefined {
  if (tokenizer.kind === 'bytes') {
    const { vocabulary, specials } = tokenizer;
    const special = new Map([...specials].map(([text, id]) => [id, text]));
    const { bytes, starts, count } = vocabulary;
    return (id) => special.get(id) ?? (id < count ? readableText(bytes, starts[id] as number, starts[id + 1] as number) : undefined);
  }
  const known = new Map([...tokenizer.model.vocabulary].map(([text, id]) => [id, tokenizer.bytes ? charactersAsText(text) : text]));
  for (const { id, content } of tokenizer.added.all) known.set(id, content);
  return (id) => known.get(id);
} // prettier-ignore
