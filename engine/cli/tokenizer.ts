// Tokenizers for the command line: bundled vocabularies beside the program, local files by path.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { t } from '../text';
import {
  encodingNames,
  loadTokenizer,
  tokenizerFromJson,
  tokenizerFromVocab,
  tokenizerOf,
  withPieces,
  type AttentionSpec,
  type EncodingName,
  type Problem,
  type Result,
  type Tokenizer,
} from '../index';

/** Problems, and the file whose text their ranges are in. */
export interface Trouble {
  readonly file?: { readonly path: string; readonly text: string };
  readonly problems: readonly Problem[];
}

/** `--tokenizer`: a name, or a local file that was read. */
export type Choice =
  | { readonly name: string }
  | { readonly name: string; readonly file: { readonly path: string; readonly text: string } };

const splitters: readonly string[] = ['words', 'characters', 'bytes'];
const isEncoding = (name: string): name is EncodingName => (encodingNames as readonly string[]).includes(name);

/** What `--tokenizer` names, or the message of a usage error. */
export function readChoice(value: string): Choice | string {
  if (splitters.includes(value) || isEncoding(value)) return { name: value };
  try {
    return { name: basename(value), file: { path: value, text: readFileSync(value, 'utf8') } };
  } catch (error) {
    const known = [...splitters, ...encodingNames].join(', ');
    return t(
      '{0}: none of {1}, and no file: {2}',
      `--tokenizer ${value}`,
      known,
      error instanceof Error ? error.message : String(error),
    );
  }
}

/** The spec's JSON with the chosen tokenizer, without the pieces of another. */
export function withChoice(start: unknown, choice: Choice): unknown {
  const { pieces: _, ...rest } = start as { pieces?: unknown };
  return { ...rest, tokenizer: 'file' in choice ? { file: choice.name } : choice.name };
}

/** A spec whose tokens are known: as it is, or with pieces from the tokenizer that it asks for; `notes` are the tokenizer's. */
export async function resolved(
  spec: AttentionSpec,
  choice: Choice | undefined,
): Promise<{ spec: AttentionSpec; notes: readonly Problem[] } | Trouble> {
  const needed = tokenizerOf(spec);
  const file = choice && 'file' in choice ? choice.file : undefined;
  if (needed === undefined || (typeof needed === 'object' && !file)) return { spec, notes: [] };
  const tokenizer = typeof needed === 'object' && file ? fromFile(file) : await bundled(needed as EncodingName);
  if (!tokenizer.ok) return { ...(file ? { file } : {}), problems: tokenizer.problems };
  const cut = withPieces(spec, tokenizer.value);
  return cut.ok ? { spec: cut.value, notes: tokenizer.value.notes } : { problems: cut.problems };
}

const fromFile = ({ path, text }: { path: string; text: string }): Result<Tokenizer> =>
  /\.json$/i.test(path) ? tokenizerFromJson(text) : tokenizerFromVocab(text);

const bundled = (name: EncodingName): Promise<Result<Tokenizer>> =>
  loadTokenizer(name, (file) => readFile(join(__dirname, 'vocabularies', file)));
