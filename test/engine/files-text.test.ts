// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { openTensorFile, sourceOfBytes } from '../../engine/index';
import { onlyProblem, open, opened, read, told } from './files-support';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('texts as files of tensors', () => {
  it('JSON: each key with numbers is a tensor, with the bytes where it stands', async () => {
    const text = '{"größe": 1, "Q": [[1, 2], [3, 4.5]],\n "K": [[-1e-3, 0], [1, 1]]}';
    const file = await opened(bytes(text), 'm.json');
    assert.equal(file.format, 'json');
    assert.deepEqual(
      file.tensors.map(({ name, shape }) => [name, shape]),
      [
        ['Q', [2, 2]],
        ['K', [2, 2]],
      ],
    );
    const { byteRange } = file.tensors[0] ?? { byteRange: { start: 0, end: 0 } };
    assert.equal(Buffer.from(bytes(text).slice(byteRange.start, byteRange.end)).toString(), '[[1, 2], [3, 4.5]]');
    assert.deepEqual([...(await read(file, 'Q')).values], [1, 2, 3, 4.5]);
    assert.deepEqual([...(await read(file, 'K')).values], [-1e-3, 0, 1, 1]);
  });

  it('slices of three and four axes', async () => {
    const file = await opened(bytes('{"X": [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]}'), 'm.json');
    assert.deepEqual(file.tensors[0]?.shape, [2, 3, 2]);
    assert.deepEqual([...(await read(file, 'X', { index: [1], rows: { start: 1, end: 3 } })).values], [9, 10, 11, 12]);
    const rows = await read(file, 'X', { rows: { start: 0, end: 1 } });
    assert.deepEqual(
      [rows.shape, [...rows.values]],
      [
        [2, 1, 2],
        [1, 2, 7, 8],
      ],
    );
    assert.equal(told(await file.read('X', { index: [2] })), 'slice');
    assert.equal(told(await file.read('X', { rows: { start: 0, end: 4 } })), 'slice');
  });

  it('names that stand twice keep their line', async () => {
    const file = await opened(bytes('[{"Q": [[1, 2], [3, 4]]},\n {"Q": [[5, 6], [7, 8]]}]'), 'm.json');
    assert.deepEqual(
      file.tensors.map(({ name }) => name),
      ['Q', 'Q, line 2'],
    );
    assert.deepEqual([...(await read(file, 'Q, line 2')).values], [5, 6, 7, 8]);
  });

  it('CSV: rows of numbers are one tensor', async () => {
    const file = await opened(bytes('1,2,3\n4,5,6.5\n'), 'm.csv');
    assert.deepEqual(
      file.tensors.map(({ name, shape }) => [name, shape]),
      [['', [2, 3]]],
    );
    assert.deepEqual([...(await read(file, '')).values], [1, 2, 3, 4, 5, 6.5]);
  });

  it('says what cannot be read with its byte, line and column', async () => {
    const text = '{"ä": 0,\n "Q": [[1, 2], [3]]}';
    const problem = onlyProblem(await open(bytes(text), 'm.json')) as {
      code: string;
      line?: number;
      column?: number;
      offset?: number;
    };
    assert.deepEqual([problem.code, problem.line, problem.column, problem.offset], ['ragged', 2, 16, 25]);
    const both = await opened(bytes('{"Q": [[1, 2], [3]],\n "K": [[1, 2], [3, 4]]}'), 'm.json');
    assert.deepEqual(
      both.tensors.map(({ name, problem: p }) => [name, p?.code]),
      [
        ['K', undefined],
        ['', 'ragged'],
      ],
    );
    assert.equal(told(await open(bytes('{"a": "b"}'), 'm.json')), 'empty');
    assert.equal(told(await open(Uint8Array.from([0x5b, 0xff]), 'm.json')), 'encoding@0');
    assert.equal(onlyProblem(await open(new Uint8Array(8_000_001), 'm.json')).code, 'too-large');
  });

  it('counts bytes from the beginning of the file, a byte order mark too', async () => {
    const text = '\ufeff{"𝒬 ü": [[1, 2],\r\n [3, 4]],\r\n "K": [[5, 6], [7, 8], [9]]}';
    const encoded = bytes(text);
    const [q, k] = (await opened(encoded, 'm.json')).tensors;
    assert.ok(q && k);
    const written = ({ start, end }: { start: number; end: number }): string =>
      Buffer.from(encoded.slice(start, end)).toString();
    assert.equal(written(q.byteRange), '[[1, 2],\r\n [3, 4]]');
    assert.equal(written(k.byteRange), '[9]');
    assert.deepEqual(k.problem && { ...k.problem, message: '', hint: '', range: undefined }, {
      code: 'ragged', message: '', hint: '', range: undefined, offset: k.byteRange.start, line: 3, column: 24,
    }); // prettier-ignore
  });

  it('reads a long text in short stretches, many matrices in linear time, and stops when nobody waits', async () => {
    const one = (i: number): string => `{"Q": [[${i}, 2], [3, 4]]}`;
    const text = `[${Array.from({ length: 20_000 }, (_, i) => one(i)).join(',\n')}]`;
    let [beats, last, longest] = [0, performance.now(), 0];
    const beat = setInterval(() => {
      const now = performance.now();
      [beats, longest, last] = [beats + 1, Math.max(longest, now - last), now];
    });
    const file = await opened(bytes(text), 'm.json');
    clearInterval(beat);
    assert.equal(file.tensors.length, 20_000);
    assert.equal(file.tensors.at(-1)?.name, 'Q, line 20000');
    assert.ok(beats > 20, `${beats} turns of others, the longest wait ${longest.toFixed(1)} ms`);
    let asked = 0;
    const watch = { cancelled: () => ++asked > 1 };
    assert.equal(told(await openTensorFile(sourceOfBytes(bytes(text)), 'm.json', watch)), 'cancelled');
    assert.equal(asked, 2);
  });

  it('refuses pickles and files that it does not know', async () => {
    for (const name of ['model.pt', 'model.bin', 'x.PKL']) {
      const problem = onlyProblem(await open(bytes('PK\x03\x04'), name));
      assert.match(problem.message, /is a pickle, which is a program: it is not run/);
    }
    assert.equal(told(await open(bytes('hello'), 'a.txt2')), 'format');
    assert.match(onlyProblem(await open(bytes('hello'), 'a.png')).hint ?? '', /\.npy, \.npz, \.safetensors/);
  });
});
