/** What a formula was read as beside what its text means, in the notation of the tables beside this file. */
import type { Formula } from '../../../engine/formula/index';
import { formatShape } from '../../../engine/program/tensor/dims';

export interface Meaning {
  readonly at: string;
  readonly meant: string;
}

export function meaningsOf(text: string): ReadonlyMap<string, readonly Meaning[]> {
  const found = new Map<string, Meaning[]>();
  let own: Meaning[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line === '') continue;
    const space = line.indexOf(' ');
    if (space < 0) found.set(line, (own = []));
    else own.push({ at: line.slice(0, space), meant: line.slice(space + 1) });
  }
  return found;
}

/** A number is 1, a vector has one axis. */
const plain = (shape: string): string => (shape === '()' ? '1' : shape.split('×').filter((size) => size !== '1').map(ordered).join('×') || '1'); // prettier-ignore

/** `n_h*d_h` is `d_h*n_h`. */
const ordered = (size: string): string => size.split('*').length > 1 && size !== '*' ? size.split('*').sort().join('*') : size; // prettier-ignore

export function saidOf({ status, isSize, shapes }: Formula): string {
  if (status !== 'understood') return status === 'alone' ? '-' : 'R';
  return isSize ? 'S' : shapes.map((shape) => (shape ? plain(formatShape(shape)) : '??')).join(' ; ');
}

/** Whether one of the readings in the table is ours. `?`, and `d_k?`, of ours says less than the text could, which is not wrong. */
export function agreesWith(said: string, meant: string): boolean {
  return meant.split(' | ').some((one) => statementsAgree(said.split(' ; '), one.split(' ; ')));
}

/** Statement by statement; several of one shape may be told as one. */
const statementsAgree = (said: readonly string[], meant: readonly string[]): boolean =>
  (said.length === meant.length && said.every((one, i) => shapeAgrees(one, meant[i] ?? ''))) || sameOnce(said, meant);

const once = (all: readonly string[]): readonly string[] => all.filter((one, i) => one !== all[i - 1]);

function sameOnce(said: readonly string[], meant: readonly string[]): boolean {
  const [ours, theirs] = [once(said), once(meant)];
  if (theirs.length === 1) return said.every((one) => shapeAgrees(one, theirs[0] ?? ''));
  return ours.length === theirs.length && ours.every((one, i) => shapeAgrees(one, theirs[i] ?? ''));
}

function shapeAgrees(said: string, meant: string): boolean {
  const sizes = said.split('×');
  if (meant === 'M') return sizes.length >= 2 && sizes.length <= 4;
  const wanted = plain(meant).split('×');
  if (!/[\w?*]/.test(said) || said === '-' || said === 'R' || said === 'S') return said === meant;
  if (sizes.length !== wanted.length) return false;
  return sizes.every(
    (size, i) => size === wanted[i] || (size.endsWith('?') && wanted[i] !== '1') || (wanted[i] === '*' && size !== '1'),
  );
}
