import { t } from '../../../text';
import { isObject, MAX_ID, pathWithin, addWrongValue, type Node } from '../reader';

/** Receives a token of a part: its id, its spelling in the vocabulary, and the units it covers. */
export type Emit = (id: number, written: string, from: number, to: number) => void;

/** Divides a part of the text, after normalizing and pre-tokenizing, into tokens of its vocabulary. */
export interface Model {
  readonly name: string;
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly tokenize: (part: string, emit: Emit) => void;
}

/** The vocabulary as `{ token: id }`. */
export function vocabularyAt(node: Node, key: string): Map<string, number> {
  const path = pathWithin(node.path, key);
  const value = node.value[key];
  const vocabulary = new Map<string, number>();
  if (!isObject(value)) {
    addWrongValue(node.findings, path, value, t('an object of tokens and ids'));
    return vocabulary;
  }
  for (const [token, id] of Object.entries(value)) {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= MAX_ID) {
      addWrongValue(node.findings, `${path}[${JSON.stringify(token)}]`, id, t('an integer from 0 to {0}', MAX_ID - 1));
      break;
    }
    vocabulary.set(token, id);
  }
  return vocabulary;
}

/** The id of the unknown token; a Problem if the vocabulary does not contain it. */
export function unknownId(node: Node, key: string, token: string, vocabulary: ReadonlyMap<string, number>): number {
  const id = vocabulary.get(token);
  if (id !== undefined || node.findings.problems.length) return id ?? 0;
  addWrongValue(
    node.findings,
    pathWithin(node.path, key),
    token,
    t('one of the {0} tokens of the vocabulary', vocabulary.size),
  );
  return 0;
}
