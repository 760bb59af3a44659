import assert from 'node:assert/strict';
import { tokenize } from '../../engine/tokens';
import { mergeAll } from '../../engine/tokens/merge';
import { scanCl100k, scanGpt2, scanO200k, type Scan } from '../../engine/tokens/scan';
import { findToken } from '../../engine/tokens/vocabulary';
import { encoding, texts } from './tokens-texts';

/** The definition (Sennrich et al. 2016): search the whole list for the smallest rank, merge, begin again. */
function merged(count: number, rank: (from: number, to: number) => number): number[] {
  const cuts = Array.from({ length: count + 1 }, (_, i) => i);
  for (;;) {
    let best = { rank: Infinity, at: -1 };
    for (let i = 1; i + 1 < cuts.length; i++) {
      const found = rank(cuts[i - 1] as number, cuts[i + 1] as number);
      if (found >= 0 && found < best.rank) best = { rank: found, at: i };
    }
    if (best.at < 0) return cuts;
    cuts.splice(best.at, 1);
  }
}

function cutsOf(count: number, rank: (from: number, to: number) => number): number[] {
  const { next } = mergeAll(count, { rank: (left, _, end) => rank(left, end) });
  const cuts = [0];
  for (let i = 0; i < count; i = next[i] as number) cuts.push(next[i] as number);
  return cuts;
}

describe('merging', () => {
  it('is what the definition says, for short and long pieces', async () => {
    const { vocabulary } = await encoding('cl100k_base');
    for (const [i, text] of texts(120, 5).entries()) {
      const bytes = new TextEncoder().encode(i % 3 ? text.slice(0, 90) : text.slice(0, 12));
      const rank = (from: number, to: number): number => findToken(vocabulary, bytes, from, to);
      assert.deepEqual(cutsOf(bytes.length, rank), merged(bytes.length, rank), JSON.stringify(text));
    }
  });

  it('asks for at most three ranks a byte, whatever the text', async () => {
    const { vocabulary } = await encoding('cl100k_base');
    for (const unit of ['a', ' ', '!', 'ab', 'aab', 'é', 'the', '\n', 'zq', '0']) {
      for (const size of [40, 3000, 200_000]) {
        const bytes = new TextEncoder().encode(unit.repeat(Math.ceil(size / unit.length)));
        const rank = (left: number, _: number, end: number): number => findToken(vocabulary, bytes, left, end);
        const { asked } = mergeAll(bytes.length, { rank });
        assert(asked <= 3 * bytes.length, `${JSON.stringify(unit)} × ${size}: ${asked} for ${bytes.length} bytes`);
      }
    }
  });

  it('cuts a megabyte of one letter', async () => {
    const program = await encoding('cl100k_base');
    // tiktoken 0.14.0: aaaaaaaa is token 70540.
    const tokens = tokenize(program, 'a'.repeat(1_000_000));
    assert.equal(tokens.length, 125_000);
    assert(tokens.every(({ id }) => id === 70540));
  });
});

/** The patterns of tiktoken 0.14 in JavaScript's syntax: `\s` as Unicode has it, `(?i:…)` written out. */
const S = '\\p{White_Space}';
const tail = `${S}*[\\r\\n]+|${S}+(?!\\P{White_Space})|${S}+`;
const anyCase = `'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])`;
const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
const patterns: readonly (readonly [string, Scan, string])[] = [
  ['gpt2', scanGpt2, `'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^${S}\\p{L}\\p{N}]+|${S}+(?!\\P{White_Space})|${S}+`],
  [
    'cl100k_base',
    scanCl100k,
    `${anyCase}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^${S}\\p{L}\\p{N}]+[\\r\\n]*|${tail}`,
  ],
  [
    'o200k_base',
    scanO200k,
    `[^\\r\\n\\p{L}\\p{N}]?${upper}*${lower}+(?:${anyCase})?|[^\\r\\n\\p{L}\\p{N}]?${upper}+${lower}*(?:${anyCase})?|\\p{N}{1,3}| ?[^${S}\\p{L}\\p{N}]+[\\r\\n/]*|${tail}`,
  ],
];

describe('pieces', () => {
  for (const [name, scan, pattern] of patterns) {
    it(`of ${name} are what its pattern matches`, () => {
      const expression = new RegExp(pattern, 'gu');
      for (const text of [
        ...texts(3000, 6),
        "x'ſa 'LLb 'Re\u0301",
        'aʰB Aʰb ʰ́AbC',
        '\u0301\u0301A\u0301',
        ' \u0301a',
      ]) {
        const pieces: string[] = [];
        for (let start = 0; start < text.length;) {
          const end = scan(text, start, text.length);
          assert(end > start);
          pieces.push(text.slice(start, end));
          start = end;
        }
        assert.deepEqual(pieces, text.match(expression) ?? [], JSON.stringify(text));
      }
    });
  }
});
