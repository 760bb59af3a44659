import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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
import { openTensorFile } from '../../engine/index';

/** A version 1 file with this header and these numbers. */
function npy(header: string, data: Uint8Array | number = 0, version = 1): Uint8Array<ArrayBuffer> {
  const numbers = typeof data === 'number' ? new Uint8Array(data) : data;
  const text = Buffer.from(header, version === 3 ? 'utf8' : 'latin1');
  const prefix = Buffer.alloc(version === 1 ? 10 : 12);
  prefix.write('\x93NUMPY', 'latin1');
  prefix[6] = version;
  if (version === 1) prefix.writeUInt16LE(text.length, 8);
  else prefix.writeUInt32LE(text.length, 8);
  return Uint8Array.from(Buffer.concat([prefix, text, numbers]));
}

const head = (descr: string, shape = '(2, 3)', order = 'False'): string =>
  `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;

describe('.npy files', () => {
  it('are compared in every type, order and byte order that NumPy wrote', () => {
    const seen = new Set(fixture.arrays.map(({ name }) => name.split(' ').slice(0, 2).join(' ')));
    for (const kind of ['f8', 'f4', 'f2', 'i8', 'i4', 'i2', 'i1', 'u8', 'u4', 'u2', 'u1', 'b1'])
      for (const order of 'CF') for (const endian of '<>') assert.ok(seen.has(`${endian}${kind} ${order}`), kind);
    assert.equal(fixture.versions['numpy'], '1.24.2');
  });

  for (const one of fixture.arrays)
    it(`${one.name}: every bit, and every slice`, async () => {
      const file = await opened(bytesOfBase64(one.file), 'a.npy');
      assert.deepEqual(
        file.tensors.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
        [{ name: '', dtype: one.dtype, shape: one.shape }],
      );
      const all = await read(file, '');
      assertBits(all, one, one.name);
      assert.equal(all.notes.length, one.inexact > 0 ? 1 : 0);
      if (one.inexact > 0)
        assert.match(all.notes[0] ?? '', new RegExp(`^${one.inexact} u?int64 beyond 2\\^53 rounded`));
      for (const part of one.slices ?? [])
        assertBits(await read(file, '', part.slice), part, JSON.stringify(part.slice));
    });

  for (const type of ['float16', 'bfloat16'] as const)
    it(`${type}: each of the 65536`, async () => {
      const every = Uint16Array.from({ length: 65536 }, (_, i) => i);
      const data = new Uint8Array(every.buffer);
      const header = Buffer.from(JSON.stringify({ t: { dtype: 'BF16', shape: [65536], data_offsets: [0, 131072] } }));
      const length = Buffer.alloc(8);
      length.writeUInt32LE(header.length);
      const file =
        type === 'float16'
          ? await opened(npy(head("'<f2'", '(65536,)'), data), 'a.npy')
          : await opened(Uint8Array.from(Buffer.concat([length, header, data])), 'a.safetensors');
      const { values } = await read(file, type === 'float16' ? '' : 't');
      const bits = Buffer.alloc(8 * 65536);
      values.forEach((x, i) =>
        Number.isNaN(x) ? bits.writeBigUInt64LE(0x7ff8n << 48n, 8 * i) : bits.writeDoubleLE(x, 8 * i),
      );
      assert.equal(createHash('sha256').update(bits).digest('hex'), fixture.digests[type]);
    });

  it('reads only the header, then only the rows that are asked for', async () => {
    const bytes = npy(head("'<f8'", '(1000, 50)'), 400_000);
    const source = countingSource(bytes);
    const file = await openTensorFile(source, 'a.npy');
    assert.ok(file.ok);
    assert.ok(source.reads.every(({ end }) => end <= bytes.length - 400_000));
    source.reads.length = 0;
    const rows = await file.value.read('', { rows: { start: 10, end: 12 } });
    assert.ok(rows.ok);
    const start = bytes.length - 400_000 + 10 * 400;
    assert.deepEqual(source.reads, [{ start, end: start + 800 }]);
  });

  it('refuses what NumPy wrote and this program does not read, once it is asked for', async () => {
    assert.equal(fixture.refused.length, 8);
    for (const { name, code, file } of fixture.refused) {
      const result = await open(bytesOfBase64(file), 'a.npy');
      if (name === 'structured') assert.equal(onlyProblem(result).code, code);
      else {
        assert.ok(result.ok, name);
        const problem = onlyProblem(await result.value.read(''));
        assert.equal(problem.code, code, name);
        assert.deepEqual(result.value.tensors[0]?.problem, problem);
        assert.ok(problem.hint, name);
      }
    }
  });

  it('says where a file is cut, and what follows an array', async () => {
    const whole = npy(head("'<f4'"), 24);
    const data = whole.length - 24;
    assert.equal(told(await open(whole.slice(0, -1), 'a.npy')), `truncated@${whole.length - 1}`);
    assert.match(
      onlyProblem(await open(whole.slice(0, -1), 'a.npy')).message,
      new RegExp(`float32 2×3 needs 24 bytes from byte ${data} on: 1 byte`),
    );
    assert.equal(told(await open(whole.slice(0, data - 5), 'a.npy')), `truncated@${data - 5}`);
    assert.equal(told(await open(whole.slice(0, 9), 'a.npy')), 'truncated@9');
    assert.equal(told(await open(whole.slice(0, 3), 'a.npy')), 'truncated@3');
    assert.equal(told(await open(new Uint8Array(), 'a.npy')), 'truncated@0');
    const two = Buffer.concat([whole, whole]);
    assert.equal(told(await open(two, 'a.npy')), `surplus@${whole.length}`);
  });

  it('parses the header strictly, and says at which byte it is wrong', async () => {
    const cases: readonly [header: string, expected: string][] = [
      [head("'<f4'", '(2, 3, 4'), 'header@70'],
      [head("'<f4'", '(2 3)'), 'header@63'],
      [head("'<f4'", '[2, 3]'), 'shape@60'],
      [head("'<f4'", '(6)'), 'shape@61'],
      [head("'<f4'", '(2, -3)'), 'shape@64'],
      [head("'<f4'", '(2, 3.0)'), 'header@65'],
      [head("'<f4'", '(2, x)'), 'header@64'],
      [head("'<f4'", '(9007199254740993, 2)'), 'shape@61'],
      [head("'<f4'", '(4503599627370496, 4503599627370496)'), 'shape@60'],
      [head("'<f4'", `(${'1, '.repeat(33)})`), 'shape@60'],
      [head("'<f4'", '(2, 3)', '1'), 'header@44'],
      [head("'<f4'", '(2, 3)', "'False'"), 'header@44'],
      [head("'f4'"), 'dtype@20'],
      [head("'<f4x'"), 'dtype@20'],
      [head("'<f4[ns]'"), 'dtype@20'],
      [head('4'), 'dtype@20'],
      [head("'<f4") + "'", 'header@27'],
      ["{'descr': '<f4', 'shape': (2, 3)}\n", 'header@10'],
      [head("'<f4'").replace("'shape'", "'shape': (1,), 'shape'"), 'header@10'],
      [head("'<f4'").replace('}', ", 'extra': 1}").replace(', ,', ','), 'header@10'],
      [head("'<f4'") + 'os.system()', 'header@70'],
      [head("__import__('os')"), 'header@20'],
      ['('.repeat(100), 'header@26'],
      ['[1, 2]', 'header@10'],
      ['', 'header@10'],
    ];
    for (const [header, expected] of cases) assert.equal(told(await open(npy(header, 24), 'a.npy')), expected, header);
  });

  it('reads headers as they were written elsewhere', async () => {
    const sound = [
      head("'<f4'", '(2L, 3L)'),
      `{"shape":(2,3),"descr":"<f4","fortran_order":False}`,
      `  {'shape': (2, 3,), 'descr': ('<f4'), 'fortran_order': False}   \n`,
    ];
    for (const header of sound) assert.deepEqual((await opened(npy(header, 24), 'a.npy')).tensors[0]?.shape, [2, 3]);
    assert.deepEqual((await opened(npy(head("'<f4'"), 24, 3), 'a.npy')).tensors[0]?.shape, [2, 3]);
  });

  it('refuses other magic bytes, versions and long headers', async () => {
    const sound = npy(head("'<f4'"), 24);
    const patched = (at: number, byte: number): Uint8Array => sound.map((old, i) => (i === at ? byte : old));
    assert.equal(told(await open(patched(3, 0x4e), 'a.npy')), 'magic@3');
    assert.equal(told(await open(patched(6, 4), 'a.npy')), 'version@6');
    assert.equal(told(await open(patched(7, 1), 'a.npy')), 'version@6');
    assert.equal(told(await open(patched(6, 0), 'a.npy')), 'version@6');
    const long = npy(head("'<f4'"), 24, 2);
    assert.equal(
      told(
        await open(
          long.map((old, i) => (i === 11 ? 0xff : old)),
          'a.npy',
        ),
      ),
      'header@8',
    );
    const broken = npy('{\xff}', 0, 1);
    broken[6] = 3;
    assert.equal(
      told(await open(Uint8Array.from([...broken.slice(0, 8), 3, 0, 0, 0, ...broken.slice(10)]), 'a.npy')),
      'header@12',
    );
  });

  it('gives no slice that is not there', async () => {
    const file = await opened(npy(head("'<f4'", '(2, 3, 4)'), 96), 'a.npy');
    const slices = [
      { index: [2] }, { index: [-1] }, { index: [0.5] }, { index: [0, 0] }, { index: [NaN] },
      { rows: { start: 0, end: 4 } }, { rows: { start: 2, end: 2 } }, { rows: { start: -1, end: 1 } }, { rows: { start: 0, end: 1.5 } },
    ]; // prettier-ignore
    for (const slice of slices) assert.equal(told(await file.read('', slice)), 'slice', JSON.stringify(slice));
    assert.equal(told(await file.read('other')), 'missing');
  });

  it('reads no more numbers at once than the limit', async () => {
    const many = {
      size: 2 ** 40,
      readRange: (start: number, end: number) => Promise.resolve(header.slice(start, end)),
    };
    const header = npy(head("'<f4'", '(1048576, 65536)'), 0);
    many.size = header.length + 4 * 2 ** 36;
    const file = await openTensorFile(many, 'a.npy');
    assert.ok(file.ok);
    assert.equal(told(await file.value.read('')), 'too-large');
    assert.match(
      onlyProblem(await file.value.read('')).message,
      /1048576×65536 are 68719476736 numbers, the limit is 67108864/,
    );
  });

  it('says when the file was changed while it was read, and stops when nobody waits', async () => {
    const bytes = npy(head("'<f8'", '(500, 600)'), 2_400_000);
    const short = {
      size: bytes.length,
      readRange: (start: number, end: number) => Promise.resolve(bytes.slice(start, end - (end > 200 ? 1 : 0))),
    };
    const file = await openTensorFile(short, 'a.npy');
    assert.ok(file.ok);
    assert.equal(onlyProblem(await file.value.read('')).code, 'changed');
    const whole = await opened(bytes, 'a.npy');
    const done: number[] = [];
    const stopped = await whole.read(
      '',
      {},
      { progress: (part) => done.push(part), cancelled: () => done.length === 1 },
    );
    assert.equal(onlyProblem(stopped).code, 'cancelled');
    assert.equal(done.length, 1);
    assert.ok((done[0] ?? 0) > 0 && (done[0] ?? 1) < 1);
  });

  it('counts odd truth values, which NumPy takes as true', async () => {
    const file = await opened(npy(head("'|b1'"), Uint8Array.from([0, 1, 2, 0, 255, 1])), 'a.npy');
    const { values, notes } = await read(file, '');
    assert.deepEqual([...values], [0, 1, 1, 0, 1, 1]);
    assert.deepEqual(notes, ['2 truth values are neither 0 nor 1, the first at [0, 2]; they count as true.']);
  });
});
