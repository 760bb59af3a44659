import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeNumber, finish, hasLargeMatrix, inStretches, packPaced, unpack, type Paced } from '../../engine/index';

/** n×m numbers, among them what JSON has no number for. */
const rows = (n: number, m: number): unknown[][] =>
  Array.from({ length: n }, (_, i) =>
    Array.from({ length: m }, (_, j) => encodeNumber([NaN, Infinity, -Infinity, -0][i * m + j] ?? i / 7 - j)),
  );
const back = (value: unknown): unknown => unpack(finish(packPaced(value)));

describe('packing the matrices of a spec', () => {
  it('restores the spec, with infinities, NaN and −0', () => {
    const value = {
      a: 1,
      spec: { x: rows(300, 400), heads: [rows(200, 128), rows(200, 128)], flat: rows(1, 70_000)[0] },
      notes: ['b'],
    };
    const packed = finish(packPaced(value));
    assert.ok(JSON.stringify(packed.value).length < 200);
    assert.deepEqual(
      packed.parts.map((part) => part.length),
      [65_536, 65_536, 65_536, 300 * 400 + 2 * 200 * 128 + 70_000 - 3 * 65_536],
    );
    assert.deepEqual(unpack(packed), value);
  });

  it('leaves small and ragged arrays in the JSON', () => {
    const ragged = [...rows(200, 200), [1]];
    const odd = [...rows(200, 200), Array.from({ length: 200 }, () => 'word')];
    const value = { small: rows(9, 9), ragged, odd, large: rows(200, 200), text: 'x'.repeat(50_000) };
    assert.equal(finish(packPaced(value)).parts.length, 1);
    assert.deepEqual(back(value), value);
    assert.equal(hasLargeMatrix({ a: { b: value.small } }), false);
    assert.equal(hasLargeMatrix({ a: { b: value.large } }), true);
  });

  it('restores any JSON', () => {
    const shape = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }));
    const leaf = fc.oneof(
      fc.jsonValue(),
      shape.map(([n, m]) => rows(n, m)),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf, { noNullPrototype: true }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        assert.deepEqual(back(plain), plain);
      }),
      { numRuns: 50 },
    );
  });

  it('gives undefined where parts are missing, too many or of another length', () => {
    const { value, parts } = finish(packPaced({ x: rows(500, 500) }));
    for (const wrong of [
      parts.slice(1),
      parts.slice(0, -1),
      [...parts, ...parts],
      parts.map((part) => part.slice(1)),
      [],
    ])
      assert.equal(unpack({ value, parts: wrong }), undefined);
  });

  it('yields often, and stops when it is cancelled', async () => {
    const value = { x: rows(1000, 100) };
    let places = 0;
    for (const work: Paced<unknown> = packPaced(value); !work.next().done;) places++;
    assert.ok(places >= 12, `${places}`);
    let asked = 0;
    assert.equal(await inStretches(slowly(packPaced(value)), () => ++asked === 2), undefined);
  });
});

/** Each part takes 5 ms, more than a stretch. */
function* slowly<T>(work: Paced<T>): Paced<T> {
  for (;;) {
    const part = work.next();
    if (part.done) return part.value;
    for (const until = Date.now() + 5; Date.now() < until;);
    yield;
  }
}
