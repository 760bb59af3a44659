import { t } from '../../text';
import { charLength, prepend, replace, slice, startOf, type Aligned } from './aligned';
import { bytesAsCharacters } from './bytelevel';
import { finderAt } from './normalizers';
import {
  characterAt,
  choiceAt,
  countAt,
  flagAt,
  constructPart,
  nodesAt,
  addWrongValue,
  type Constructors,
  type Node,
} from './reader';
import { behaviors, characters, inverted, literal, matchesOf, splitAt, type Behavior, type Finder } from './split';
import { isNumber, isPunctuation, isSpace, wordCharacters } from './unicode';

/** Splits a part of the text into parts. */
export type PreTokenizer = (part: Aligned) => Aligned[];

/** The pre-tokenizer that a file describes, with the semantics of Hugging Face's tokenizers. */
export const preTokenizerOf = (node: Node): PreTokenizer => constructPart(makers, node, (part) => [part]);

const splitter =
  (find: Finder, behavior: Behavior): PreTokenizer =>
  (part) =>
    splitAt(part, find, behavior);

const inTurn = (steps: readonly PreTokenizer[]): PreTokenizer => {
  return (part) => steps.reduce((parts: Aligned[], step) => parts.flatMap(step), [part]);
};

const makers: Constructors<PreTokenizer> = {
  Sequence: (node) => inTurn(nodesAt(node, 'pretokenizers').map(preTokenizerOf)),
  BertPreTokenizer: () =>
    inTurn([splitter(characters(isSpace), 'Removed'), splitter(characters(isPunctuation), 'Isolated')]),
  Whitespace: () => splitter(inverted(matchesOf({ native: words() })), 'Removed'),
  WhitespaceSplit: () => splitter(characters(isSpace), 'Removed'),
  Punctuation: (node) => splitter(characters(isPunctuation), choiceAt(node, 'behavior', behaviors, 'Isolated')),
  Digits: (node) => splitter(characters(isNumber), flagAt(node, 'individual_digits') ? 'Isolated' : 'Contiguous'),
  CharDelimiterSplit: (node) => splitter(literal(characterAt(node, 'delimiter')), 'Removed'),
  Split: (node) => {
    const find = finderAt(node);
    return splitter(flagAt(node, 'invert') ? inverted(find) : find, choiceAt(node, 'behavior', behaviors));
  },
  FixedLength: fixedLength,
  ByteLevel: byteLevel,
  Metaspace: metaspace,
};

const words = (): RegExp => new RegExp(`[${wordCharacters}]+|[^${wordCharacters}\\p{White_Space}]+`, 'gu');

/** GPT-2's pattern. */
const gpt2 = (): RegExp =>
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

function byteLevel(node: Node): PreTokenizer {
  const prefix = flagAt(node, 'add_prefix_space');
  const split = flagAt(node, 'use_regex', true)
    ? splitter(matchesOf({ native: gpt2() }), 'Isolated')
    : (part: Aligned) => [part];
  return (part) => split(prefix && !part.text.startsWith(' ') ? prepend(part, ' ') : part).map(bytesAsCharacters);
}

/** SentencePiece's scheme: blanks become `▁`, which begins a word. With `first`, one is added only before the first word. */
function metaspace(node: Node): PreTokenizer {
  const mark = characterAt(node, 'replacement');
  const scheme = choiceAt(node, 'prepend_scheme', ['first', 'never', 'always'], schemeOf(node));
  const split = flagAt(node, 'split', true) ? splitter(literal(mark), 'MergedWithNext') : (part: Aligned) => [part];
  const blanks = literal(' ');
  return (part) => {
    const text = replace(part, blanks(part.text), mark);
    const wanted = scheme === 'always' || (scheme === 'first' && startOf(text, 0) === 0);
    return split(wanted && !text.text.startsWith(mark) ? prepend(text, mark) : text);
  };
}

/** The scheme in older files, which use `add_prefix_space`. */
function schemeOf(node: Node): 'always' | 'never' {
  return flagAt(node, 'add_prefix_space', true) ? 'always' : 'never';
}

function fixedLength(node: Node): PreTokenizer {
  const length = countAt(node, 'length', 5);
  if (length === 0) addWrongValue(node.findings, `${node.path}.length`, 0, t('at least 1'));
  return (part) => {
    const parts: Aligned[] = [];
    for (let start = 0; start < part.text.length;) {
      let end = start;
      for (let n = 0; n < length && end < part.text.length; n++) end += charLength(part.text, end);
      parts.push(slice(part, start, end));
      start = end;
    }
    return parts;
  };
}
