/** Commands whose braces hold a word or one letter: `\text{softmax}`, `\mathbb{R}`. */
import { ownNames } from '../../text';
import { groupAt } from './braces';
import { afterGroup, put, type Cutting } from './cutting';

/** A word in braces; what is no word is read as it stands. */
export function wordArgument(cut: Cutting, at: number, after: number, end: number): number {
  const group = groupAt(cut.text, after, end);
  if (!group) return after;
  const inner = cut.text.slice(group.start, group.end);
  const raw = inner.replace(/\\_/g, '_').replace(/\\(?:bf|rm|it|sf|tt|cal|em|bfseries)(?![A-Za-z])|\\[,;:! ]|~|-/g, ' ').replace(/[\s{}]+/g, ' ').trim(); // prettier-ignore
  const to = group.end + 1;
  const add = (kind: Parameters<typeof put>[1], text = raw): void => put(cut, kind, text, at, to);
  if (/[\\$]/.test(raw)) return after;
  if (raw === 'T' || raw === '⊤') add('transpose', 'T');
  else if (/^(?:max|min)$/.test(raw)) add('big');
  else if (/^\p{L}$/u.test(raw)) add('name');
  else if (/^[-–—]+$/.test(inner.trim())) add('rule', '-');
  // `\text{where head}_i`.
  else if (raw === 'where head') {
    add('sign', ',');
    add('word', 'head');
  }
  // `\text{for all heads}` begins no factor.
  else if (
    /^(?:(?:for|where|with|when|since)(?: \p{L}+)+|and|und|et|y|и|和|与|及|or|where|wobei|mit|où|donde|其中|with|for|i\.e\.|s\.t\.)$/u.test(
      raw,
    )
  )
    add('sign', ','); // prettier-ignore
  // `\text{(Query)}` is a note.
  else if (raw === '' || /^[\p{L} ]+:$|^\([\p{L} ,]+\)$/u.test(raw)) cut.spaced = true;
  else if (/^\d+(\.\d+)?$/.test(raw)) add('number');
  else if (/^\p{L}+ ?_ ?\w$/u.test(raw)) {
    // `\mathrm{head_1}`.
    const [name = '', below = ''] = raw.split(/ ?_ ?/);
    add(name.length === 1 ? 'name' : 'word', name);
    add('sub', '_');
    add(/\d/.test(below) ? 'number' : 'name', below);
  } else add('word');
  return to;
}

/** Sets of numbers. `\mathbb{E}` is a mean, `\mathbb{S}` a sphere. */
const ownNumbers = ownNames({ R: 'ℝ', Z: 'ℤ', N: 'ℕ', C: 'ℂ', F: '𝔽' });

export function blackboard(cut: Cutting, at: number, after: number, end: number): number {
  const group = groupAt(cut.text, after, end);
  const single = /\S/.exec(cut.text.slice(after, Math.min(end, after + 4)));
  const to = group ? group.end + 1 : after + (single ? single.index + 1 : 0);
  const letter = group ? cut.text.slice(group.start, group.end).trim() : (single?.[0] ?? '');
  const numbers = ownNumbers[letter];
  if (numbers !== undefined) put(cut, 'name', numbers, at, to);
  else put(cut, 'unread', `\\mathbb{${letter}}`, at, to);
  return to;
}

/** A bold 1 is a vector of ones. */
export function ones(cut: Cutting, at: number, after: number, end: number): number {
  const to = afterGroup(cut.text, after, end);
  put(cut, 'name', '𝟙', at, to);
  return to;
}
