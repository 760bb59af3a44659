/** What the calls themselves say: queries and keys in each other's place, dropout that evaluation does not turn off. */
import { t, type Paced } from '../../../text';
import type { Node } from '../../tensor';
import { comesFrom, passes, throughMoves } from '../../recognise';
import type { Facts } from '../facts';
import { sumsToOne } from './softmax';
import { rewritten, textAt, type Found, type Mend } from './found';

export function* findSwapped(facts: Facts, text: string, name: (node: Node) => string): Paced<readonly Found[]> {
  yield;
  const { scores, own, attention: { keys } } = facts; // prettier-ignore
  const [left, right] = own.sides;
  if (keys !== 'rows') return [];
  const turn = turnOf(facts);
  // KQᵀ that is transposed is QKᵀ.
  if (turn)
    return isQuery(name(left)) && isKey(name(right)) ? [{ rule: 'queries-keys-swapped', node: turn, message: t('The scores are transposed before the softmax: it runs over the queries of each key.'), hidden: facts.hidden, mends: unturning(text, turn) }] : []; // prettier-ignore
  const v = own.v?.sum.operands[1];
  const [x, y, z] = [sourceOf(left), sourceOf(right), v && sourceOf(v)];
  const crossed = x !== undefined && y !== undefined && x === z && x !== y && !comesFrom(y, x) && !comesFrom(x, y);
  const isNamed = isKey(name(left)) && isQuery(name(right));
  if (!crossed && !isNamed) return [];
  const sum = own.v?.sum;
  // The softmax of each key over the queries that the values are summed by is attention whose names are exchanged (Zhang et al. 2018, SAGAN, equation 1).
  if (facts.isTurned && isNamed) return !sum || sumsToOne(facts) ? [] : [{ rule: 'queries-keys-swapped', node: sum, message: t('The weights meet V transposed: a row of the output sums the values by what all queries give one key.'), swapped: true, mends: unturning(text, sum) }]; // prettier-ignore
  const message = crossed
    ? t('Queries and keys are swapped: the values come from the tokens of the left factor, which are the queries here.')
    : t('Queries and keys are swapped: the scores are KQᵀ, so softmax runs over the queries of each key.');
  return [{ rule: 'queries-keys-swapped', node: scores, message, swapped: true, mends: rewritten(t('Let each query meet the keys'), text, scores, ...swappedIn(textAt(text, scores.range))) }]; // prettier-ignore
}

/** What transposes the scores before the softmax: then the right factor has the queries. */
export function turnOf({ way }: Facts): Node | undefined {
  const turns = way.filter(({ node }) => isTurn(node));
  return turns.length % 2 === 1 ? turns[0]?.node : undefined;
}

const isTurn = ({ operation, attributes: { axes = [] } }: Node): boolean => operation === 'permute' && axes.at(-1) === axes.length - 2; // prettier-ignore

/** Without its first transpose. */
const unturning = (text: string, node: Node): readonly Mend[] => {
  const was = textAt(text, node.range);
  return rewritten(
    t('Leave out the transpose'),
    text,
    node,
    was.replace(/\.(?:m?T\b|(?:transpose|swapaxes)\([^()]*\)|t\(\))/, ''),
  );
};

export const isKey = (name: string): boolean =>
  /^(?:k|ks|keys?|k_?h(?:eads?)?|keys?_\w+|k_\w+|\w+_keys?|x?k)$/i.test(plain(name));
export const isQuery = (name: string): boolean => /^(?:q|qs|quer(?:y|ies)|q_?h(?:eads?)?|quer(?:y|ies)_\w+|q_\w+|\w+_quer(?:y|ies)|x?q)$/i.test(plain(name)); // prettier-ignore
export const isValue = (name: string): boolean => /^(?:v|vs|val|values?|v_?h(?:eads?)?|values?_\w+|v_\w+|\w+_values?|x?v)$/i.test(plain(name)); // prettier-ignore
const plain = (name: string): string => name.replace(/^self\./, '');

/** What a layer was given, from which queries, keys or values were made. */
export function sourceOf(node: Node): Node | undefined {
  let at = node;
  for (let turn = 0; turn < 32 && at.operands[0]; turn++) {
    if (at.operation === 'matmul') return throughMoves(at.operands[0]);
    if (!passes(at) && at.operation !== 'add' && at.operation !== 'multiply' && at.operation !== 'divide') return undefined;
    at = at.operands[0];
  }
  return undefined;
} // prettier-ignore

/** Names, or the letters behind an equation's arrow, in each other's place. */
function swappedIn(was: string): readonly (string | undefined)[] {
  const letters = /->(\w*)(\w)(\w)(?=['"])/.exec(was);
  return [
    letters ? was.replace(letters[0], `->${letters[1]}${letters[3]}${letters[2]}`) : undefined,
    namesSwapped(was),
  ];
}

function namesSwapped(was: string): string | undefined {
  const [left, right] = [/\b(k\w*|K\w*)\b/, /\b(q\w*|Q\w*)\b/].map((one) => one.exec(was)?.[1]);
  if (left === undefined || right === undefined) return undefined;
  return was.replace(new RegExp(String.raw`\b(?:${left}|${right})\b`, 'g'), (one) => (one === left ? right : left));
}

/** `F.dropout(weights, p)` in a method, whose default is to drop always. */
export function findDropout({ own, attention, way }: Facts, text: string): readonly Found[] {
  const found: Found[] = [];
  const after: Node[] = [];
  for (let at: Node | undefined = own.v?.used; at && at !== attention.site.weights; at = at.operands[0]) after.push(at);
  for (const at of [...after, ...way.map(({ node }) => node)]) {
    if (at.attributes.origin !== 'dropout') continue;
    const was = textAt(text, at.range);
    const around = methodAround(text, at.range.start);
    if (!around || /train|eval|deterministic/i.test(around + was)) continue;
    const isCall = /^(?:F|nn\.functional|torch\.nn\.functional|functional)\.dropout\(/.test(was) && was.split(',').length < 3; // prettier-ignore
    const isFused = /scaled_dot_product_attention\(/.test(was) && /dropout_p\s*=\s*(?!0(?:\.0*)?\s*[,)])/.test(was);
    const isMade = isMadeInCall(was, around);
    if (!isCall && !isFused && !isMade) continue;
    const mended = isMade ? was.replace(/^([\w.]+\.)Dropout\(\s*(?:p\s*=\s*)?([^()]*)\)\((.*)\)$/s, '$1functional.dropout($3, $2, training=self.training)') : isCall ? was.replace(/\s*\)$/, ', training=self.training)') : was.replace(/(dropout_p\s*=\s*)([\w.]+)/, '$1$2 if self.training else 0.0'); // prettier-ignore
    const isOfScores = !after.includes(at);
    const message = isOfScores
      ? t('Dropout of the scores is not told whether the model is in training: it changes them in evaluation too.')
      : isMade
        ? t('A dropout layer that is made in the call always drops: model.eval() does not reach it.')
        : isCall
          ? t('Dropout is not told whether the model is in training: it sets weights to 0 in evaluation too.')
          : t('dropout_p is not 0 outside training: the call sets weights to 0 in evaluation too.');
    found.push({ rule: 'dropout-always', node: at, message, mends: rewritten(t('Drop in training only'), text, at, mended) }); // prettier-ignore
  }
  return found;
}

/** `nn.Dropout(p)(weights)` in a method, or a layer that the same method has just made. */
function isMadeInCall(was: string, around: string): boolean {
  if (/^(?:[\w.]+\.)?Dropout\(.*\)\(.*\)$/s.test(was)) return true;
  const name = /^(\w+)\(/.exec(was)?.[1];
  return name !== undefined && new RegExp(String.raw`\n\s*${name}\s*=\s*(?:[\w.]+\.)?Dropout\(`).test(around) && !/^def __init__/.test(around); // prettier-ignore
}

/** The `def` with `self` around an offset. */
function methodAround(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('def ', offset);
  if (start < 0 || !/^def \w+\(\s*self\b/.test(text.slice(start, start + 120))) return undefined;
  const indent = start - (text.lastIndexOf('\n', start - 1) + 1);
  const next = new RegExp(String.raw`\n {0,${indent}}[\w@#]`).exec(text.slice(start));
  return text.slice(start, next ? start + next.index : text.length);
}
