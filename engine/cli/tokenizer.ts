// Tokenizers for the command line: bundled vocabularies next to the program, or local files.
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

/** Problems, and the file that their ranges refer to. */
export interface LocatedProblems {
  readonly file?: { readonly path: string; readonly text: string };
  readonly problems: readonly Problem[];
}

/** The value of `--tokenizer`: a name, or a local file with its text. */
export type TokenizerChoice =
  | { readonly name: string }
  | { readonly name: string; readonly file: { readonly path: string; readonly text: string } };

const splitters: readonly string[] = ['words', 'characters', 'bytes'];
const isEncoding = (name: string): name is EncodingName => (encodingNames as readonly string[]).includes(name);

/** Reads the value of `--tokenizer`; returns a message for a usage error. */
export function readTokenizerChoice(value: string): TokenizerChoice | string {
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

/** The JSON of the spec's start with the chosen tokenizer; pieces of another tokenizer are dropped. */
export function withTokenizer(start: unknown, choice: TokenizerChoice): unknown {
  const { pieces: _, ...rest } = start as { pieces?: unknown };
  return { ...rest, tokenizer: 'file' in choice ? { file: choice.name } : choice.name };
}

/** The spec with known tokens: unchanged, or with pieces from the tokenizer that it names. `notes` come from the tokenizer. */
export async function resolveTokens(
  spec: AttentionSpec,
  choice: TokenizerChoice | undefined,
): Promise<{ spec: AttentionSpec; notes: readonly Problem[] } | LocatedProblems> {
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
