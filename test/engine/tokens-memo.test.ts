import assert from 'node:assert/strict';
import { tokenize, tokenizerFromJson } from '../../engine/tokens';
import { encodeBytes, type ByteEncoding } from '../../engine/tokens/bytes';
import { encoding } from './tokens-texts';

type Row = readonly [id: number, start: number, end: number];

function rowsOf(program: ByteEncoding, text: string): Row[] {
  const { ids, starts, ends, count } = encodeBytes(program, text, false);
  return Array.from({ length: count }, (_, i) => [ids[i] ?? -1, starts[i] ?? -1, ends[i] ?? -1]);
}

/** Words of consonants that are no tokens; more different ones than are remembered. */
const word = (i: number): string => ` x${i.toString(36)}zqé`;

describe('words met before', () => {
  it('are cut as when they were met first, also after the memory began anew', async () => {
    const program = await encoding('cl100k_base');
    const fresh = { ...program, vocabulary: { ...program.vocabulary } };
    const probes = Array.from({ length: 200 }, (_, i) => word(i * 331));
    const first = probes.map((text) => rowsOf(fresh, text));
    const again = probes.map((text) => rowsOf(fresh, text));
    assert.deepEqual(again, first);
    rowsOf(fresh, Array.from({ length: 70_000 }, (_, i) => word(i)).join(''));
    assert.deepEqual(
      probes.map((text) => rowsOf(fresh, text)),
      first,
    );
  });

  it('have the offsets of their own place', async () => {
    const program = await encoding('cl100k_base');
    const once = rowsOf(program, word(77));
    const twice = rowsOf(program, word(77) + word(77));
    const moved = once.map(([id, start, end]): Row => [id, start + word(77).length, end + word(77).length]);
    assert.deepEqual(twice, [...once, ...moved]);
  });

  it('are kept for each tokenizer file by itself', () => {
    const model = (id: number): unknown => ({ type: 'WordLevel', unk_token: '?', vocab: { '?': 0, a: id } });
    const read = (id: number): number[] => {
      const program = tokenizerFromJson({ model: model(id), pre_tokenizer: { type: 'WhitespaceSplit' } });
      assert(program.ok);
      return tokenize(program.value, 'a b a').map((token) => token.id);
    };
    assert.deepEqual(
      [read(1), read(2)],
      [
        [1, 0, 1],
        [2, 0, 2],
      ],
    );
  });
});
