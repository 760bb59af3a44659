import { t } from '../../text';
import { mapCharacters, prepend, replace, slice, type Aligned } from './aligned';
import { bytesAsCharacters } from './bytelevel';
import { precompiled } from './charsmap';
import { compilePattern } from './pattern';
import {
  childAt,
  flagAt,
  isObject,
  constructPart,
  nodesAt,
  textAt,
  valueOr,
  pathWithin,
  addWrongValue,
  type Constructors,
  type Node,
} from './reader';
import { literal, matchesOf, type Finder } from './split';
import { isChinese, isSpace, normalForm, type NormalForm } from './unicode';

export type Normalizer = (a: Aligned) => Aligned;

/** The normalizer that a file describes, with the semantics of Hugging Face's tokenizers. */
export const normalizerOf = (node: Node): Normalizer => constructPart(makers, node, (a) => a);

const form =
  (name: NormalForm): Normalizer =>
  (a) =>
    normalForm(a, name);

/** Keeps the characters for which `keep` holds. */
const filter =
  (keep: (c: string) => boolean): Normalizer =>
  (a) =>
    mapCharacters(a, (c) => (keep(c) ? c : ''));

/** Lowercases character by character: as in Rust, a final sigma is not special. */
const lowercase: Normalizer = (a) => mapCharacters(a, (c) => c.toLowerCase());

const makers: Constructors<Normalizer> = {
  Sequence: (node) => {
    const steps = nodesAt(node, 'normalizers').map(normalizerOf);
    return (a) => steps.reduce((text, step) => step(text), a);
  },
  NFC: () => form('NFC'),
  NFD: () => form('NFD'),
  NFKC: () => form('NFKC'),
  NFKD: () => form('NFKD'),
  Lowercase: () => lowercase,
  StripAccents: () => filter((c) => !/\p{M}/u.test(c)),
  BertNormalizer: bert,
  Strip: (node) => strip(flagAt(node, 'strip_left'), flagAt(node, 'strip_right')),
  Replace: (node) => {
    const content = textAt(node, 'content');
    const find = finderAt(node);
    return (a) => replace(a, find(a.text), content);
  },
  Prepend: (node) => {
    const text = textAt(node, 'prepend');
    return (a) => prepend(a, text);
  },
  Nmt: () => (a) => mapCharacters(a, nmt),
  ByteLevel: () => bytesAsCharacters,
  Precompiled: (node) => valueOr(node.findings, node.path, precompiled(textAt(node, 'precompiled_charsmap')), (a) => a),
};

/** The finder for `pattern: { String }` or `{ Regex }`. */
export function finderAt(node: Node): Finder {
  const pattern = childAt(node, 'pattern');
  if (isObject(node.value['pattern']) && 'Regex' in pattern.value) {
    const path = pathWithin(pattern.path, 'Regex');
    return matchesOf(valueOr(node.findings, path, compilePattern(textAt(pattern, 'Regex')), { native: /(?!)/g }));
  }
  const content = textAt(pattern, 'String');
  if (!content)
    addWrongValue(
      node.findings,
      pathWithin(pattern.path, 'String'),
      pattern.value['String'],
      t('characters to look for'),
    );
  return literal(content);
}

/** BERT's `BasicTokenizer` (Devlin et al. 2019); accents are stripped when lowercasing unless the file says otherwise. */
function bert(node: Node): Normalizer {
  const lower = flagAt(node, 'lowercase');
  const accents = flagAt(node, 'strip_accents', lower);
  const steps: Normalizer[] = [];
  if (flagAt(node, 'clean_text')) steps.push((a) => mapCharacters(a, cleaned));
  if (flagAt(node, 'handle_chinese_chars')) steps.push((a) => mapCharacters(a, (c) => (isChinese(c) ? ` ${c} ` : c)));
  if (accents)
    steps.push(
      form('NFD'),
      filter((c) => !/\p{Mn}/u.test(c)),
    );
  if (lower) steps.push(lowercase);
  return (a) => steps.reduce((text, step) => step(text), a);
}

/** Removes control characters and turns white space into blanks. Unassigned characters stay, as in the Rust program. */
function cleaned(c: string): string {
  if (/[\t\n\r]/.test(c)) return ' ';
  if (c === '\0' || c === '\ufffd' || /[\p{Cc}\p{Cf}\p{Co}]/u.test(c)) return '';
  return isSpace(c) ? ' ' : c;
}

/** SentencePiece's `nmt` rules. */
function nmt(c: string): string {
  if (/[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]/.test(c)) return '';
  return /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/.test(c) ? ' ' : c;
}

function strip(left: boolean, right: boolean): Normalizer {
  return (a) => {
    let from = 0;
    let to = a.text.length;
    while (left && from < to && isSpace(a.text.charAt(from))) from++;
    while (right && to > from && isSpace(a.text.charAt(to - 1))) to--;
    return slice(a, from, to);
  };
}
