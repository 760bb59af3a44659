import assert from 'node:assert/strict';
import { openTensorFile } from '../../engine/index';
import {
  assertBits,
  bytesOfBase64,
  countingSource,
  fixture,
  onlyProblem,
  open,
  opened,
  read,
  told,
} from './files-support';

/** A file with this header, as JSON or as text, and this many bytes of numbers. */
function file(header: unknown, data: number): Uint8Array {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Uint8Array.from(Buffer.concat([length, text, Buffer.alloc(data)]));
}

const tensor = (start: number, end: number, dtype = 'F32', shape: unknown = [(end - start) / 4]) => ({
  dtype,
  shape,
  data_offsets: [start, end],
});

/** Bytes of a header, so that offsets in expectations can be told. */
const sizeOf = (header: unknown): number => 8 + Buffer.byteLength(JSON.stringify(header));

describe('.safetensors files', () => {
  it('every type, bit for bit', async () => {
    const { file: bytes, tensors, metadata } = fixture.safetensors;
    const found = await opened(bytesOfBase64(bytes), 'model.safetensors');
    assert.deepEqual(found.metadata, metadata);
    assert.deepEqual(
      found.tensors.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
      tensors.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
    );
    assert.equal(new Set(tensors.map(({ dtype }) => dtype)).size, 13);
    for (const one of tensors) assertBits(await read(found, one.name), one, one.name);
  });

  it('reads the header alone, then of a tensor only what is asked for', async () => {
    const header = { a: tensor(0, 4000, 'F32', [100, 10]), b: tensor(4000, 8000) };
    const bytes = file(header, 8000);
    const source = countingSource(bytes);
    const found = await openTensorFile(source, 'm.safetensors');
    assert.ok(found.ok);
    assert.ok(source.reads.every(({ end }) => end <= sizeOf(header)));
    source.reads.length = 0;
    assert.ok((await found.value.read('a', { rows: { start: 3, end: 5 } })).ok);
    const start = sizeOf(header) + 120;
    assert.deepEqual(source.reads, [{ start, end: start + 80 }]);
  });

  it('refuses gaps, overlap, missing and surplus bytes, each at its place', async () => {
    const at = (header: unknown, offset: number): number => sizeOf(header) + offset;
    const gap = { a: tensor(0, 8), b: tensor(12, 20) };
    const late = { a: tensor(4, 8) };
    const overlap = { a: tensor(0, 8), b: tensor(4, 12) };
    const same = { a: tensor(0, 8), b: tensor(0, 8) };
    const whole = { b: tensor(8, 12), a: tensor(0, 8) };
    const cases: [header: unknown, data: number, expected: string][] = [
      [gap, 20, `gap@${at(gap, 8)}`],
      [late, 8, `gap@${at(late, 0)}`],
      [overlap, 12, `overlap@${at(overlap, 4)}`],
      [same, 8, `overlap@${at(same, 0)}`],
      [whole, 11, `truncated@${at(whole, 11)}`],
      [whole, 15, `surplus@${at(whole, 12)}`],
      [{}, 1, 'surplus@10'],
    ];
    for (const [header, data, expected] of cases)
      assert.equal(told(await open(file(header, data), 'm.safetensors')), expected);
    await opened(file(whole, 12), 'm.safetensors');
    await opened(file({}, 0), 'm.safetensors');
  });

  it('refuses a header that is none, with the byte where it breaks off', async () => {
    const cases: [bytes: Uint8Array, expected: string][] = [
      [new Uint8Array(), 'truncated@0'],
      [new Uint8Array(7), 'truncated@7'],
      [new Uint8Array(8), 'header@8'],
      [Uint8Array.from([255, 255, 255, 255, 255, 255, 255, 255]), 'header@0'],
      [Uint8Array.from([100, 0, 0, 0, 0, 0, 0, 0, 0x7b]), 'truncated@9'],
      [file('[]', 0), 'header@8'],
      [file(' {}', 0), 'header@8'],
      [file('{"a": 1,}', 0), 'header@16'],
      [file('{"größe": 1,}', 0), 'header@22'],
      [file('{"a": ', 0), 'header@14'],
      [
        file(
          '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
          4,
        ),
        'duplicate@62',
      ],
      [
        file(
          '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"\\u0061":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
          4,
        ),
        'duplicate@62',
      ],
      // Within one entry too: safetensors' own reader refuses it, JSON.parse would take the last.
      [file('{"a":{"dtype":"F64","dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4), 'duplicate@28'],
      [file('{"__metadata__":{"a":"1","b":"2","a":"3"}}', 0), 'duplicate@41'],
      [file({ __metadata__: { a: 1 } }, 0), 'header@8'],
      [file({ __metadata__: [] }, 0), 'header@8'],
    ];
    for (const [bytes, expected] of cases)
      assert.equal(told(await open(bytes, 'm.safetensors')), expected, Buffer.from(bytes).toString('latin1'));
    const latin = file('{"x": 0}', 0);
    latin[10] = 0xff;
    assert.equal(told(await open(latin, 'm.safetensors')), 'header@8');
  });

  it('names the tensor whose entry is wrong, and what was expected', async () => {
    const cases: [entry: unknown, message: RegExp][] = [
      [1, /a: expected an object with dtype/],
      [{ ...tensor(0, 4), more: 1 }, /a: unknown field more/],
      [{ shape: [1], data_offsets: [0, 4] }, /a: dtype should be a text/],
      [tensor(0, 4, 'F32', [1.5]), /a: shape should be/],
      [tensor(0, 4, 'F32', [-1]), /a: shape should be/],
      [tensor(0, 4, 'F32', '1'), /a: shape should be/],
      [tensor(0, 4, 'F32', new Array(33).fill(1)), /at most 32 whole numbers/],
      [{ ...tensor(0, 4), data_offsets: [0] }, /a: data_offsets should be two/],
      [{ ...tensor(0, 4), data_offsets: [4, 0] }, /a: data_offsets 4 to 0 end before they begin/],
      [{ ...tensor(0, 4), data_offsets: [0, 1e300] }, /a: data_offsets should be two/],
      [tensor(0, 4, 'F32', [2]), /a: F32 2 needs 8 bytes, data_offsets give 4/],
      [tensor(0, 4, 'F64', [1]), /a: F64 1 needs 8 bytes, data_offsets give 4/],
      [tensor(0, 4, 'F32', [4294967296, 4294967296]), /a: shape 4294967296×4294967296 has too many numbers$/],
    ];
    for (const [entry, message] of cases) {
      const problem = onlyProblem(await open(file({ a: entry }, 4), 'm.safetensors'));
      assert.match(problem.message, message);
      assert.equal(problem.offset, 8);
    }
  });

  it('lists tensors of types that it does not read beside the others', async () => {
    const header = { a: tensor(0, 3, 'F8_E4M3', [3]), b: tensor(3, 7, 'F32', [1]), c: tensor(7, 9, 'F4', [4]) };
    const found = await opened(file(header, 9), 'm.safetensors');
    assert.deepEqual(
      found.tensors.map(({ dtype, problem }) => [dtype, problem?.code]),
      [
        ['F8_E4M3', 'dtype'],
        ['float32', undefined],
        ['F4', 'dtype'],
      ],
    );
    assert.match(onlyProblem(await found.read('a')).message, /byte \d+: a: dtype F8_E4M3: it is not read/);
    await read(found, 'b');
    assert.equal(told(await open(file({ a: tensor(0, 4, 'F8_E4M3', [3]) }, 4), 'm.safetensors')), 'header@8');
  });

  it('takes any name', async () => {
    const names = ['__proto__', 'constructor', '', 'a.b/c', '\u0000', 'x'.repeat(5000)];
    const text = `{${names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(tensor(4 * i, 4 * i + 4))}`).join()}}`;
    const found = await opened(file(text, 4 * names.length), 'm.safetensors');
    assert.deepEqual(
      found.tensors.map(({ name }) => name),
      names,
    );
    for (const name of names) assert.equal((await read(found, name)).values.length, 1);
    assert.equal(told(await found.read('toString')), 'missing');
  });
});
