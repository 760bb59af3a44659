import * as vscode from 'vscode';
import {
  chooseModel,
  readBox,
  textDefaults,
  trainingOf,
  wordsIn,
  type AttentionSpec,
  type Chosen,
  type ReadModel,
  type ReadModelFile,
} from '../../engine/index';
import { trainedSetting } from '../host';
import type { Read } from './reading';

/** The models that a text is offered to, in this order. */
const offered = ['words-1', 'characters-1'];

/** Explains a text by a trained model. Its files are read with the first text. */
export interface Trained {
  /** The reading with a trained model, where it is a plain text that one of them reads; else as it is, and where no model reads the text, why. */
  of(read: Read): Promise<Read>;
  /** A text by the last checkpoint of a training, whose others the page can turn to. `undefined` where it is too long or in another script. */
  training(text: string): Promise<Read | undefined>;
}

export function createTrained(readFile: ReadModelFile): Trained {
  let models: Promise<readonly ReadModel[]> | undefined;
  return {
    async training(text) {
      const [last] = trainingOf('characters-training-0').slice(-1);
      if (!last) throw new Error('no training');
      const chosen = chooseModel(text, [await modelOf(last.name, readFile)]);
      return 'spec' in chosen ? { spec: chosen.spec, notes: [], view: { step: 'weights', opening: true } } : undefined;
    },
    async of(read) {
      if (trainedSetting() !== 'trained' || !isPlainText(read.spec)) return read;
      models ??= Promise.all(offered.map((name) => modelOf(name, readFile)));
      // A file that could not be read is tried again with the next text.
      models.catch(() => (models = undefined));
      const { start } = read.spec;
      const chosen = chooseModel(start.from === 'text' ? start.text : '', await models);
      if (!('spec' in chosen)) return { ...read, notes: [...read.notes, untrainedNote(chosen.why)] };
      const beside = { spec: read.spec, notes: read.notes, ...untrainedBeside(chosen) };
      return { ...read, spec: chosen.spec, beside, view: { step: 'weights', opening: true, ...read.view } };
    },
  };
}

/** A text as the command reads it, with nothing said about its attention. */
function isPlainText({ start, ...rest }: AttentionSpec): boolean {
  if (start.from !== 'text' || start.tokenizer !== 'words') return false;
  return Object.entries({ ...textDefaults, ...rest }).every(
    ([name, value]) =>
      JSON.stringify(value) === JSON.stringify((textDefaults as unknown as Record<string, unknown>)[name]),
  );
}

async function modelOf(name: string, readFile: ReadModelFile): Promise<ReadModel> {
  const read = await readBox(name, readFile);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

/** Which model reads the text, and why not the one that was asked before it. */
function readerWords({ why, model: { name, kind, vocabulary } }: Chosen): string {
  if (kind === 'words')
    return vscode.l10n.t('Read by {0}, a small trained model of {1} English words.', name, wordsIn(vocabulary));
  const letters = vscode.l10n.t('Read letter by letter, by the small trained model {0}.', name);
  return why ? vscode.l10n.t('{0} {1}. To see words, try “The keys near the table are old.”', letters, why) : letters;
}

const untrainedBeside = (chosen: Chosen) => ({
  says: readerWords(chosen),
  links: {
    there: vscode.l10n.t('Show random weights'),
    says: vscode.l10n.t('Random weights: the arithmetic is exact, the pattern means nothing.'),
    back: vscode.l10n.t('Back to the trained model'),
  },
});

const untrainedNote = (why: string): string =>
  vscode.l10n.t(
    'Random weights: {0}. The arithmetic is exact, the pattern means nothing. Trained models read short English, such as “The keys near the table are old.”',
    why,
  );
