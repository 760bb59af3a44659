// Short documents in the styles of public notes (test/fixtures/formulas/), written here. Behind each formula stands what a reader of the document says of it, worked out by
// hand before it was read by the program: `⟦n×d⟧`, `⟦size⟧`, `⟦usual⟧` where the text does not say it, `⟦any⟧` where it is not asked; `~` where we do not claim it yet.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formulasOf, type Formula } from '../../engine/formula/index';
import { formatShape } from '../../engine/program/tensor/dims';

const folder = join(import.meta.dirname, '../fixtures/formulas');

interface Mark {
  readonly at: number;
  readonly meant: string;
}

function unmarked(marked: string): { readonly text: string; readonly marks: readonly Mark[] } {
  let text = '';
  const marks: Mark[] = [];
  for (const part of marked.split(/(⟦[^⟧]*⟧)/))
    if (part.startsWith('⟦')) marks.push({ at: text.length, meant: part.slice(1, -1) });
    else text += part;
  return { text, marks };
}

const ordered = (shape: string): string => shape.split('×').map((size) => size.split('*').sort().join('*')).join('×'); // prettier-ignore

/** What is claimed of a formula, `d_k?` as `?`; undefined where nothing is. */
function claimed({ status, isSize, assumed, shapes }: Formula): string | undefined {
  if (status !== 'understood' || assumed) return undefined;
  return isSize
    ? 'size'
    : shapes.map((shape) => (shape ? ordered(formatShape(shape)).replace(/\w+\?/g, '?') : '?')).join(';');
}

/** Whether one of the readings is ours. Several names may have one shape. */
function agrees(ours: string, meant: string): boolean {
  const all = meant.split('|').map((one) => one.split(';').map(ordered).join(';'));
  return all.includes(ours) || ours.split(';').every((one) => all.includes(one));
}

/** `Q ?×d` says less than the text, and nothing else. `?` is a vector: no number, and not nothing. */
const saysLess = (ours: string, meant: string): boolean => {
  if (/^(?:usual|alone|\(\))$/.test(meant)) return false;
  const [own, theirs] = [ours, meant].map((one) => one.split('×'));
  return ours.includes('?') && own?.length === theirs?.length && own?.every((size, i) => size === '?' || size === theirs?.[i]) === true; // prettier-ignore
};

interface Found {
  readonly wrong: string[];
  readonly notClaimed: string[];
  readonly claimedNow: string[];
  count: number;
}

function compared(marked: string, language: string): Found {
  const found: Found = { wrong: [], notClaimed: [], claimedNow: [], count: 0 };
  const { text, marks } = unmarked(marked);
  const { formulas } = formulasOf(text, language);
  for (const { at, meant } of marks) {
    if (meant === 'any') continue;
    const one = formulas.findLast(({ outer }) => Math.abs(outer.end - at) <= 1);
    const place = `line ${text.slice(0, at).split('\n').length}: ${text.slice(Math.max(0, at - 30), at)} is ${meant}`;
    const ours = one && claimed(one);
    const wanted = meant.replace('~', '');
    const isOpen = meant.startsWith('~') || meant === 'usual' || meant === 'alone';
    found.count++;
    if (ours === undefined || (isOpen && saysLess(ours, wanted))) {
      if (!isOpen) found.notClaimed.push(place);
    } else if (wanted === 'usual' || wanted === 'alone' || !agrees(ours, wanted))
      found.wrong.push(`${place}, not ${ours}`);
    else if (isOpen) found.claimedNow.push(place);
  }
  return found;
}

const isRight = ({ wrong, notClaimed, claimedNow, count }: Found): void => {
  assert.deepEqual(wrong, []);
  assert.deepEqual(notClaimed, []);
  assert.deepEqual(claimedNow, [], 'these are claimed now: take the ~ away');
  assert.ok(count > 0);
};

describe('sizes as authors give them', () => {
  for (const name of readdirSync(folder).filter((one) => /\.(?:md|tex)$/.test(one)))
    it(name, () =>
      isRight(compared(readFileSync(join(folder, name), 'utf8'), name.endsWith('.tex') ? 'latex' : 'markdown')),
    );

  const sentences = readFileSync(join(folder, 'sentences.txt'), 'utf8').split('\n----\n');
  sentences.forEach((text, i) =>
    it(`sentence ${i + 1}: ${unmarked(text).text.slice(0, 60).replace(/\s+/g, ' ')}`, () =>
      isRight(compared(text, 'markdown'))),
  );
});
