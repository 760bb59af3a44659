import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { openTensorFile } from '../../engine/index';
import {
  archive,
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

const signatures = {
  local: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  wideEnd: 0x06064b50,
  locator: 0x07064b50,
};

/** Offsets of a signature in a file. */
function find(bytes: Uint8Array, signature: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length - 3 }, (_, i) => i).filter((i) => view.getUint32(i, true) === signature);
}

/** The file with a number of two or four bytes changed at an offset from the n-th signature. */
function changed(
  bytes: Uint8Array,
  [kind, nth]: [keyof typeof signatures, number],
  field: number,
  value: number,
  wide = false,
) {
  const copy = Uint8Array.from(bytes);
  const at = find(copy, signatures[kind])[nth];
  assert.ok(at !== undefined, `${kind} ${nth} is there`);
  const view = new DataView(copy.buffer);
  if (wide) view.setUint32(at + field, value, true);
  else view.setUint16(at + field, value, true);
  return copy;
}

/** A zip file with one deflated member, laid out by hand. */
function zipOf(name: string, packed: Uint8Array, size: number, crc = 0): Uint8Array {
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(signatures.local, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  local.write(name, 30);
  const entry = Buffer.alloc(46 + name.length);
  entry.writeUInt32LE(signatures.entry, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.write(name, 46);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Uint8Array.from(Buffer.concat([local, packed, entry, end]));
}

function npyOf(shape: string, size: number): Buffer {
  const header = Buffer.from(`{'descr': '|u1', 'fortran_order': False, 'shape': ${shape}}\n`);
  const prefix = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  prefix.writeUInt16LE(header.length, 8);
  return Buffer.concat([prefix, header, Buffer.alloc(size)]);
}

describe('.npz files', () => {
  for (const { name, file, tensors } of fixture.archives)
    it(`${name}: every bit of every array`, async () => {
      const npz = await opened(bytesOfBase64(file), 'a.npz');
      assert.equal(npz.format, 'npz');
      assert.deepEqual(
        npz.tensors.map((entry) => [entry.name, entry.dtype, entry.shape, entry.problem]),
        tensors.map((one) => [one.name, one.dtype, one.shape, undefined]),
      );
      for (const one of tensors) assertBits(await read(npz, one.name), one, one.name);
      assert.equal(find(bytesOfBase64(file), signatures.wideEnd).length, name.includes('zip64') ? 1 : 0);
      const big = tensors.find((one) => one.name === 'big');
      assert.ok(big);
      const rows = Buffer.from(big.bits, 'base64')
        .subarray(7 * 50 * 8, 9 * 50 * 8)
        .toString('base64');
      assertBits(await read(npz, 'big', { rows: { start: 7, end: 9 } }), { shape: [2, 50], bits: rows }, 'rows of big');
    });

  it('reads of an array that is not compressed only the rows that are asked for', async () => {
    const source = countingSource(archive('savez'));
    const npz = await openTensorFile(source, 'a.npz');
    assert.ok(npz.ok);
    const entry = npz.value.tensors.find(({ name }) => name === 'big');
    assert.ok(entry);
    source.reads.length = 0;
    assert.ok((await npz.value.read('big', { rows: { start: 7, end: 9 } })).ok);
    assert.deepEqual(
      source.reads.map(({ start, end }) => end - start),
      [800],
    );
    const [first] = source.reads;
    assert.ok(first && first.start >= entry.byteRange.start && first.end <= entry.byteRange.end);
  });

  it('refuses a wrong CRC, stored and deflated', async () => {
    for (const name of ['savez', 'savez_compressed']) {
      const npz = await opened(changed(archive(name), ['entry', 0], 16, 0x12345678, true), 'a.npz');
      const problem = onlyProblem(await npz.read('Q'));
      assert.equal(problem.code, 'crc', name);
      assert.match(problem.message, /byte \d+: CRC-32 of Q\.npy is [0-9a-f]{8}, expected 12345678/);
    }
  });

  it('refuses encryption, zip64 without its fields, other methods, several disks', async () => {
    const bytes = archive('savez');
    const entry = find(bytes, signatures.entry)[1];
    const end = find(bytes, signatures.end)[0];
    const cases: [Uint8Array, string][] = [
      [changed(bytes, ['entry', 1], 8, 1), `encrypted@${entry}`],
      [changed(bytes, ['entry', 1], 10, 12), `compression@${entry}`],
      [changed(bytes, ['entry', 1], 24, 0xffffffff, true), `zip64@${entry}`],
      [changed(bytes, ['end', 0], 10, 0xffff), `zip@${end}`],
      [changed(bytes, ['end', 0], 4, 1), `zip@${end}`],
      [changed(bytes, ['entry', 1], 34, 1), `zip@${entry}`],
      [changed(bytes, ['entry', 1], 24, 7, true), `zip@${entry}`],
      [changed(bytes, ['end', 0], 10, 4), `zip@${end}`],
      [changed(bytes, ['end', 0], 16, 5, true), `zip@${end}`],
    ];
    for (const [file, expected] of cases) assert.equal(told(await open(file, 'a.npz')), expected);
    const local = changed(bytes, ['local', 0], 6, 1);
    assert.equal(told(await open(local, 'a.npz')), 'zip@6');
    assert.equal(
      told(await open(changed(bytes, ['local', 1], 0, 0), 'a.npz')),
      `zip@${find(bytes, signatures.local)[1]}`,
    );
  });

  it('refuses members that overlap or stand twice, and a file that is cut', async () => {
    const bytes = archive('savez');
    const [, second] = find(bytes, signatures.local);
    const overlapping = changed(bytes, ['entry', 0], 42, (second ?? 0) - 4, true);
    assert.equal(onlyProblem(await open(overlapping, 'a.npz')).code, 'overlap');
    assert.equal(told(await open(bytes.slice(0, -1), 'a.npz')), `truncated@${bytes.length - 1}`);
    assert.equal(told(await open(bytes.slice(0, 40), 'a.npz')), 'truncated@40');
    const names = find(bytes, signatures.entry).map((at) => at + 46);
    const renamed = Uint8Array.from(bytes);
    renamed[names[1] ?? 0] = 'Q'.charCodeAt(0);
    // Its own header still calls it K, and Python's zipfile refuses that too.
    assert.equal(told(await open(renamed, 'a.npz')), `zip@${(second ?? 0) + 30}`);
    renamed[(second ?? 0) + 30] = 'Q'.charCodeAt(0);
    assert.equal(onlyProblem(await open(renamed, 'a.npz')).code, 'duplicate');
    // A longer field in a member's own header would move its bytes into those of the next.
    const first = find(bytes, signatures.local)[0] ?? 0;
    const field = new DataView(bytes.buffer).getUint16(first + 28, true);
    assert.equal(told(await open(changed(bytes, ['local', 0], 28, field + 1), 'a.npz')), `overlap@${first}`);
  });

  it('refuses zip64 records and fields that do not agree with the file', async () => {
    const bytes = archive('savez zip64');
    const [end = 0] = find(bytes, signatures.end);
    const [record = 0] = find(bytes, signatures.wideEnd);
    const [locator = 0] = find(bytes, signatures.locator);
    const entries = find(bytes, signatures.entry);
    const big = entries.at(-1) ?? 0;
    const view = new DataView(bytes.buffer);
    const field = big + 46 + view.getUint16(big + 28, true);
    assert.equal(view.getUint16(field, true), 1, 'the zip64 field of the last member');
    const at = (offset: number, value: number): Uint8Array => {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(offset, value, true);
      return copy;
    };
    const cases: [Uint8Array, string][] = [
      [at(locator, 0), `zip@${end}`],
      [at(locator + 8, record + 1), `zip64@${locator}`],
      [at(locator + 8, 0xfffffff0), `zip64@${locator}`],
      [at(locator + 12, 1), `zip64@${locator}`],
      [at(locator + 16, 2), `zip64@${locator}`],
      [at(record + 4, 45), `zip64@${locator}`],
      [at(record + 16, 1), `zip64@${locator}`],
      [at(record + 24, 4), `zip64@${locator}`],
      [at(record + 32, 1 << 20), `zip64@${locator}`],
      [at(record + 40, 7), `zip@${record}`],
      [at(record + 48, 7), `zip@${record}`],
      [at(field, 0x00080002), `zip64@${big}`],
      [at(field, 0x00040001), `zip64@${big}`],
      [at(field, 0x7fff0001), `zip64@${big}`],
      [at(field + 8, 0xffffffff), `zip64@${big}`],
    ];
    for (const [file, expected] of cases) assert.equal(told(await open(file, 'a.npz')), expected);
    const many = bytes.slice();
    for (const offset of [24, 32]) new DataView(many.buffer).setUint32(record + offset, 100_001, true);
    assert.equal(told(await open(many, 'a.npz')), `too-large@${record}`);
  });

  it('keeps an array that cannot be read from hiding the others', async () => {
    const bytes = archive('savez');
    const header = find(bytes, 0x4d554e93).at(1);
    assert.ok(header);
    const broken = bytes.map((byte, i) => (i === header + 6 ? 9 : byte));
    const npz = await opened(broken, 'a.npz');
    const k = npz.tensors.find(({ name }) => name === 'K');
    assert.match(k?.problem?.message ?? '', /^K, byte 6: \.npy version 9\.0/);
    assert.equal(onlyProblem(await npz.read('K')).code, 'version');
    await read(npz, 'Q');
    const wrong = zipOf('notes.txt', deflateRawSync('hello'), 5);
    assert.match((await opened(wrong, 'a.npz')).tensors[0]?.problem?.message ?? '', /notes\.txt is no \.npy file/);
  });

  it('is not blown up by a bomb, whatever it announces', async () => {
    const bomb = deflateRawSync(Buffer.concat([npyOf('(100,)', 0), Buffer.alloc(200_000_000)]));
    assert.ok(bomb.length < 300_000);
    const announced = npyOf('(100,)', 100).length;
    const before = process.memoryUsage().arrayBuffers;
    const file = await opened(zipOf('Q.npy', bomb, announced), 'a.npz');
    assert.equal(onlyProblem(await file.read('Q')).code, 'deflate');
    assert.ok(process.memoryUsage().arrayBuffers - before < 80_000_000, 'no more than a part is inflated');
    const honest = zipOf('Q.npy', deflateRawSync(npyOf('(3000000000,)', 0)), 4294967294);
    const one = (await opened(honest, 'a.npz')).tensors[0];
    assert.equal(one?.problem?.code, 'surplus');
  });

  it('says that deflated bytes are broken, or too few', async () => {
    const data = npyOf('(2, 50)', 100);
    const packed = deflateRawSync(data);
    const file = await opened(zipOf('Q.npy', packed, data.length), 'a.npz');
    assert.equal(onlyProblem(await file.read('Q')).code, 'crc');
    const short = await opened(zipOf('Q.npy', deflateRawSync(data.subarray(0, -1)), data.length), 'a.npz');
    assert.equal(onlyProblem(await short.read('Q')).code, 'deflate');
    const garbage = await opened(zipOf('Q.npy', Uint8Array.from([7, 7, 7, 7]), data.length), 'a.npz');
    assert.equal(garbage.tensors[0]?.problem?.code, 'deflate');
    const cut = await opened(zipOf('Q.npy', packed.subarray(0, -3), data.length), 'a.npz');
    assert.equal(cut.tensors[0]?.problem?.code ?? onlyProblem(await cut.read('Q')).code, 'deflate');
  });

  it('stops between parts when nobody waits', async () => {
    let seed = 1;
    const noise = Uint8Array.from(
      { length: 400_000 },
      () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 16,
    );
    const data = Buffer.concat([npyOf('(1000, 400)', 0), noise]);
    const file = await opened(zipOf('Q.npy', deflateRawSync(data), data.length), 'a.npz');
    const done: number[] = [];
    const stopped = await file.read('Q', {}, { progress: (part) => done.push(part), cancelled: () => done.length > 2 });
    assert.equal(onlyProblem(stopped).code, 'cancelled');
    assert.equal(done.length, 3);
  });
});
