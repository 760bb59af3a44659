import { scanCl100k, scanGpt2, scanO200k, type Scan } from './scan';

/** The bundled encodings. */
export const encodingNames = ['gpt2', 'cl100k_base', 'o200k_base'] as const;
export type EncodingName = (typeof encodingNames)[number];

export interface EncodingRules {
  readonly scan: Scan;
  /** Special tokens and their ids, after those of the vocabulary. */
  readonly specials: ReadonlyMap<string, number>;
  /** Number of tokens in the vocabulary; a file with another count is not this encoding's. */
  readonly count: number;
}

/** What vocabulary files do not contain, from OpenAI's tiktoken (`tiktoken_ext/openai_public.py`). */
export const encodingRules: { readonly [name in EncodingName]: EncodingRules } = {
  gpt2: { scan: scanGpt2, count: 50256, specials: new Map([['<|endoftext|>', 50256]]) },
  cl100k_base: {
    scan: scanCl100k,
    count: 100256,
    specials: new Map([
      ['<|endoftext|>', 100257],
      ['<|fim_prefix|>', 100258],
      ['<|fim_middle|>', 100259],
      ['<|fim_suffix|>', 100260],
      ['<|endofprompt|>', 100276],
    ]),
  },
  o200k_base: {
    scan: scanO200k,
    count: 199998,
    specials: new Map([
      ['<|endoftext|>', 199999],
      ['<|endofprompt|>', 200018],
    ]),
  },
};

/** Name of the file with an encoding's vocabulary, which is next to the bundles: `cl100k_base.tkv`. */
export const vocabularyFile = (name: EncodingName): string => `${name}.tkv`;

/** Under this name a program that is read asks for a vocabulary, among the files that it imports: no module is called so. Its text has one character for each byte. */
export const vocabularyModule = (name: EncodingName): string => `tiktoken/${name}`;

/** The file of such a name, if it is one. */
export function vocabularyOf(module: string): string | undefined {
  const name = encodingNames.find((one) => vocabularyModule(one) === module);
  return name && vocabularyFile(name);
}

/** A vocabulary as such a text. */
export function vocabularyText(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return text;
}
