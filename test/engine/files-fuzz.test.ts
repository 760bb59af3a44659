// Runs alone: it measures time.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openTensorFile, sourceOfBytes } from '../../engine/index';
import { bytesOfBase64, fixture } from './files-support';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Real files of every kind. */
const files: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ...fixture.arrays.filter((_, i) => i % 7 === 0).map(({ file }) => ['a.npy', bytesOfBase64(file)] as const),
  ...fixture.refused.map(({ file }) => ['a.npy', bytesOfBase64(file)] as const),
  ...fixture.archives.map(({ file }) => ['a.npz', bytesOfBase64(file)] as const),
  ['m.safetensors', bytesOfBase64(fixture.safetensors.file)],
  ['m.json', encode('{"Q": [[1, 2], [3, 4]], "K": [[5, 6], [7, 8]], "layers": [{"W_q": [[1, 0], [0, 1]]}]}')],
  ['m.csv', encode('1.5,2\n3,4\n5,-inf\n')],
];

/** One change of some bytes: another value, bytes left out, put in twice, or cut off. */
const change = fc.record({
  kind: fc.constantFrom('set', 'remove', 'repeat', 'cut', 'wide', 'digit'),
  // Near the beginning or the end, where headers and lists of members stand, or anywhere.
  place: fc.oneof(fc.nat(200), fc.integer({ min: -400, max: -1 }), fc.nat()),
  byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  length: fc.nat(40),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(bytes: Uint8Array, { kind, place, byte, length }: Change): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = place < 0 ? Math.max(0, bytes.length + place) : place % bytes.length;
  const [before, after] = [bytes.slice(0, at), bytes.slice(at)];
  if (kind === 'cut') return before;
  if (kind === 'remove') return Uint8Array.from([...before, ...after.slice(length)]);
  if (kind === 'repeat') return Uint8Array.from([...before, ...after.slice(0, length), ...after]);
  const copy = bytes.slice();
  if (kind === 'wide') copy.fill(byte, at, at + 4);
  else copy[at] = kind === 'digit' ? 48 + (byte % 10) : byte;
  return copy;
}

/** Opens and reads all that a file offers; counts what was read and what was refused. */
async function readAll(bytes: Uint8Array, name: string): Promise<{ read: number; refused: number }> {
  const file = await openTensorFile(sourceOfBytes(bytes), name);
  const told = { read: 0, refused: file.ok ? 0 : 1 };
  if (!file.ok) assert.ok(file.problems.length > 0 && file.problems.every(({ message }) => message.length < 600));
  for (const entry of file.ok ? file.value.tensors : []) {
    const { start, end } = entry.byteRange;
    assert.ok(start >= 0 && start <= end, `${entry.name}: ${start} to ${end}`);
    const values = file.ok ? await file.value.read(entry.name) : undefined;
    if (values?.ok) {
      told.read++;
      assert.equal(
        values.value.values.length,
        values.value.shape.reduce((a, b) => a * b, 1),
      );
    } else told.refused++;
  }
  return told;
}

describe('damaged files of tensors', function () {
  this.timeout(120_000);

  it('are read as they are before they are damaged', async () => {
    for (const [name, bytes] of files) assert.ok((await readAll(bytes, name)).read > 0 || name === 'a.npy', name);
  });

  it('never throw, and never take long, whatever was changed', async () => {
    let [read, refused, slowest] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async ([name, bytes], changes) => {
          const begin = performance.now();
          const told = await readAll(changes.reduce(apply, bytes), name);
          slowest = Math.max(slowest, performance.now() - begin);
          read += told.read;
          refused += told.refused;
        },
      ),
      { numRuns: 4000 },
    );
    console.log(`      ${read} tensors read, ${refused} refusals, the slowest file took ${slowest.toFixed(0)} ms`);
    assert.ok(read > 200 && refused > 500, `${read} read, ${refused} refused`);
    assert.ok(slowest < 2000, `${slowest} ms`);
  });

  it('never throw when they are cut anywhere', async () => {
    for (const [name, bytes] of files) {
      if (bytes.length > 6000) continue;
      for (let end = 0; end < bytes.length; end++) {
        const { read } = await readAll(bytes.slice(0, end), name);
        assert.ok(read === 0 || name === 'm.json' || name === 'm.csv', `${name} cut at ${end} of ${bytes.length}`);
      }
    }
  });

  it('never throw on any bytes', async () => {
    const name = fc.constantFrom('a.npy', 'a.npz', 'm.safetensors', 'm.json', 'm.csv', 'a', 'a.bin');
    const begin = fc.constantFrom(
      '',
      '\x93NUMPY\x01\x00',
      'PK\x03\x04',
      'PK\x05\x06',
      '\x02\x00\x00\x00\x00\x00\x00\x00{}',
    );
    await fc.assert(
      fc.asyncProperty(name, begin, fc.uint8Array({ maxLength: 300 }), async (called, prefix, bytes) => {
        await readAll(Uint8Array.from([...Buffer.from(prefix, 'latin1'), ...bytes]), called);
      }),
      { numRuns: 2000 },
    );
  });

  it('take time in proportion to a deep or long header', async () => {
    const header = (text: string): Uint8Array => {
      const bytes = Buffer.alloc(8 + text.length);
      bytes.writeUInt32LE(text.length);
      bytes.write(text, 8, 'latin1');
      return bytes;
    };
    const times = [1, 4].map(async (times) => {
      const n = times * 200_000;
      const many = `{${Array.from({ length: n / 40 }, (_, i) => `"t${i}":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}`).join()}}`;
      const texts = [`{"a":${'['.repeat(n)}`, `{"a":"${'\\"'.repeat(n)}"}`, `{"a":${'1'.repeat(n)}}`, many];
      const begin = performance.now();
      for (const text of texts) await readAll(header(text), 'm.safetensors');
      return performance.now() - begin;
    });
    const [short = 0, long = 0] = [await times[0], await times[1]];
    assert.ok(long < 16 * short + 2000, `${short} ms, four times as long ${long} ms`);
  });
});
