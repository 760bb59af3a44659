import { settingValue, type FieldSetting, fields, settableFields } from '../spec';
import { t } from '../text';
import { misnamedModel } from './models';

/** The parsed command line. */
export interface Arguments {
  /** A file, `-` for standard input, or undefined when `--text` gives the text. */
  readonly input?: string;
  readonly text?: string;
  /** Treat the input as plain text, even if it contains matrices or code. */
  readonly asText: boolean;
  /** The tokenizer: a name, or the path of a tokenizer.json or vocab.txt. */
  readonly tokenizer?: string;
  /** The trained model that reads a text: its name, or `auto`. */
  readonly model?: string;
  readonly json: boolean;
  /** What the formulas, matrices and blocks of a document say, in place of an explanation. */
  readonly outline: boolean;
  readonly steps?: readonly string[];
  readonly cells: readonly { readonly step: string; readonly index: readonly number[] }[];
  readonly set: readonly FieldSetting[];
  readonly digits: number;
  /** Tokens as columns; display only. */
  readonly columns: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export const usage = (): string => `${commands()}
${t('Fields of --set, each with an example:')}
${settable().join('\n')}
`;

/** Help lines for `--set`, aligned: `  mask=causal              Which keys a query may not see.` */
function settable(): string[] {
  const written = settableFields.map((name) => [`${name}${fields[name].example}`, fields[name].describe()] as const);
  const width = Math.max(...written.map(([example]) => example.length));
  return written.map(([example, what]) => `  ${example.padEnd(width)}  ${what}`);
}

const commands = (): string =>
  t(`Usage: explain-attention [options] FILE
       explain-attention [options] --text "The cat sat on the mat"
       … | explain-attention [options] -
       explain-attention check FILE [--result NAME]
       explain-attention doctor FILE.py... [--json] [--rule RULE=SEVERITY]
       explain-attention mask FILE [--name NAME] [--json]
       explain-attention model FOLDER --text TEXT [--layer L --head H]
       explain-attention mcp
       explain-attention lesson FILE [--answers]
       explain-attention class LESSON --out FOLDER [--students FILE --seed S]
       explain-attention key KEY
       explain-attention grade FOLDER [--key FILE] [--csv FILE] [--html FILE]

FILE is a spec (JSON), Python code that computes attention (CODE.py:24 means the one of line
24), a file with matrix literals (Q = …, K = …, V = …; X; x_1 … x_n with W_q, W_k, W_v), or
plain text. Everything is computed here; nothing is sent anywhere.

Options:
  --text TEXT          explain this text
  --as-text            take it as text, whatever code and matrices stand in it
  --tokenizer NAME     how a text is cut: words (default), characters, bytes, gpt2, cl100k_base,
                       o200k_base, or the path of a tokenizer.json or vocab.txt
  --model NAME         the trained model that reads a text: auto, words-1, characters-1, or
                       characters-training-N (N steps of training: 0, 200, … 5000)
  --json               the whole trace as JSON
  --outline            what each formula, matrix and block of a document says, with shapes
  --steps A,B          only these steps (ids as --json shows them)
  --cell STEP[I,J]     what made one cell, with every term; may be repeated
  --set FIELD=VALUE    change a field of the spec, as listed below; may be repeated
  --digits N           digits after the point, 0 to 17 (default 4)
  --columns            print tokens as columns (x ↦ W·x); no number changes
  --locale L           the language of what is said (en, de), else that of LC_ALL or LANG
  --help, --version

Exit status: 0; 1 bad input (each problem on standard error with line and column); 2 usage.
`);

/** A usage error. */
export interface UsageError {
  readonly usageError: string;
}

type Draft = { -readonly [K in keyof Arguments]: Arguments[K] } & {
  cells: { step: string; index: readonly number[] }[];
  set: FieldSetting[];
};

/** Parses the words after the program's name. */
export function readArguments(words: readonly string[]): Arguments | UsageError {
  const draft: Draft = { asText: false, json: false, outline: false, cells: [], set: [], digits: 4, columns: false, help: false, version: false }; // prettier-ignore
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const [name, inline] = splitOption(word);
    const option = options[name];
    if (!option) {
      const error = positional(draft, word);
      if (error) return error;
      continue;
    }
    const value = option.takesValue ? (inline ?? words[++i]) : '';
    if (value === undefined) return { usageError: t('{0} needs a value', name) };
    const error = option.apply(draft, value);
    if (error) return { usageError: error };
  }
  const asks = draft.help || draft.version || draft.input !== undefined || draft.text !== undefined;
  return asks ? draft : { usageError: t('no input: give a file, - or --text') };
}

/** Splits `--steps=a,b` at the equals sign. */
function splitOption(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function positional(draft: Draft, word: string): UsageError | undefined {
  if (word !== '-' && word.startsWith('-')) return { usageError: t('unknown option {0}', word) };
  if (draft.input !== undefined) return { usageError: t('one input at a time: {0} and {1}', draft.input, word) };
  draft.input = word;
  return undefined;
}

interface Option {
  readonly takesValue: boolean;
  /** Applies the option; returns a message for a usage error. */
  readonly apply: (draft: Draft, value: string) => string | undefined;
}

const flag = (set: (draft: Draft) => void): Option => ({
  takesValue: false,
  apply: (draft) => {
    set(draft);
    return undefined;
  },
});

const options: { readonly [name: string]: Option } = {
  '--as-text': flag((d) => (d.asText = true)),
  '--json': flag((d) => (d.json = true)),
  '--outline': flag((d) => (d.outline = true)),
  '--columns': flag((d) => (d.columns = true)),
  '--help': flag((d) => (d.help = true)),
  '-h': flag((d) => (d.help = true)),
  '--version': flag((d) => (d.version = true)),
  '--text': {
    takesValue: true,
    apply: (d, value) => {
      d.text = value;
      return undefined;
    },
  },
  '--tokenizer': {
    takesValue: true,
    apply: (d, value) => {
      d.tokenizer = value;
      return undefined;
    },
  },
  '--model': {
    takesValue: true,
    apply: (d, value) => {
      d.model = value;
      return misnamedModel(value);
    },
  },
  '--steps': {
    takesValue: true,
    apply: (d, value) => {
      d.steps = value.split(',').map((s) => s.trim());
      return undefined;
    },
  },
  '--cell': { takesValue: true, apply: addCell },
  '--set': { takesValue: true, apply: addField },
  '--digits': {
    takesValue: true,
    apply: (d, value) => {
      d.digits = Number(value);
      return /^\d+$/.test(value) && d.digits <= 17
        ? undefined
        : t('{0}: expected a whole number from {1} to {2}', `--digits ${value}`, 0, 17);
    },
  },
};

function addCell(draft: Draft, value: string): string | undefined {
  const match = /^(\w+)\[(\d+(?:,\d+){1,3})\]$/.exec(value.replace(/\s/g, ''));
  if (!match) return t('{0}: expected STEP[ROW,COLUMN], for example weights[2,1]', `--cell ${value}`);
  draft.cells.push({ step: match[1] as string, index: (match[2] as string).split(',').map(Number) });
  return undefined;
}

/** `mask=causal` */
function addField(draft: Draft, value: string): string | undefined {
  const at = value.indexOf('=');
  if (at < 1) return t('{0}: expected FIELD=VALUE, for example mask=causal', `--set ${value}`);
  const [path, text] = [value.slice(0, at), value.slice(at + 1)];
  draft.set.push({ path, value: settingValue(text) });
  return undefined;
}
