// Values of a stopped program, read with real debugpy, NumPy and PyTorch: their bytes by hash, and that nothing changes there.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debugProgram, type Debuggee } from '../../../host/debugpy';
import { pythonOrSkip } from '../../../reference/python';
import { loading } from './vscode';
import type { Selection, Target } from '../../../../extension/live/expression';

// eslint-disable-next-line @typescript-eslint/no-require-imports
const live = loading(() => require('../../../../extension/live/read') as typeof import('../../../../extension/live/read')); // prettier-ignore
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { bytesCall, readerCall } = loading(() => require('../../../../extension/live/expression') as typeof import('../../../../extension/live/expression')); // prettier-ignore
const { describePaths, describeTarget, readNumbers, whyUnread } = live;
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { linesOf } = loading(() => require('../../../../extension/live/tool') as typeof import('../../../../extension/live/tool')); // prettier-ignore

const program = join(__dirname, 'values.py');
const text = readFileSync(program, 'utf8');
const line = text.split('\n').findIndex((one) => one.includes('# stop here')) + 1;

interface Said {
  readonly hashes: Record<string, string>;
  readonly parts: Record<string, readonly (readonly [Selection, string])[]>;
}

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('live values of a stopped program', function () {
  this.timeout(180_000);
  let debuggee: Debuggee;
  let said: Said;
  let requests: number[] = [];
  let frame: number;
  const process_ = {
    async evaluate(expression: string): Promise<string> {
      requests.push(Number(/,(\d+)\]\)\)\[1\]/.exec(expression)?.[1] ?? 0));
      return debuggee.evaluate(expression, frame);
    },
  };
  const state = (): Promise<string> => debuggee.evaluate('state()', frame);

  before(async function () {
    const python = pythonOrSkip(this, 'debugpy', 'torch', 'numpy');
    const file = join(mkdtempSync(join(tmpdir(), 'live-')), 'said.json');
    debuggee = await debugProgram(python, program, line, [file]);
    frame = debuggee.stop.frameId;
    said = JSON.parse(readFileSync(file, 'utf8')) as Said;
  });
  after(() => debuggee?.close());
  beforeEach(() => (requests = []));

  const read = async (target: Target, selection?: Selection) => {
    const info = await describeTarget(process_, target);
    assert.ok(info.ok, JSON.stringify(info));
    assert.equal(info.value.kind, 'tensor', JSON.stringify([target, info.value]));
    if (info.value.kind !== 'tensor') throw new Error('no tensor');
    const numbers = await readNumbers(process_, target, info.value, selection);
    assert.ok(numbers.ok, JSON.stringify(numbers));
    return { info: info.value, ...numbers.value };
  };

  it('has the bytes that the process has, of every kind, and changes nothing there', async () => {
    const before = await state();
    assert.match(before, /Q/);
    for (const [path, hash] of Object.entries(said.hashes)) {
      if (path === 'duck') continue;
      const { bytes } = await read({ path });
      assert.equal(sha(bytes), hash, path);
    }
    for (const [path, all] of Object.entries(said.parts))
      for (const [selection, hash] of all) assert.equal(sha((await read({ path }, selection)).bytes), hash, `${path} ${JSON.stringify(selection)}`); // prettier-ignore
    assert.equal(await state(), before);
  });

  it('reads what an expression comes to, where a person asked for it', async () => {
    const { info, bytes } = await read({ expression: 'duck' });
    assert.deepEqual([info.library, info.shape, info.dtype], ['array', [2, 3], 'float32']);
    assert.equal(sha(bytes), said.hashes['duck']);
    const { values, shape } = await read({ expression: "(torch.arange(6).view(2, 3) + 1).double() if 'é' else None" });
    assert.deepEqual(
      [shape, [...values]],
      [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    );
  });

  it('tells a language model shape, type, place and the numbers of a slice', async () => {
    const told = async (name: string, slice?: string) => linesOf(process_, { name, ...(slice === undefined ? {} : { slice }) }, 'values.py, line 1'); // prettier-ignore
    const whole = await told('strided');
    assert.ok(whole.ok, JSON.stringify(whole));
    assert.match(whole.value[0] ?? '', /^strided: 2×3 /);
    assert.deepEqual(whole.value.slice(1), ['stopped at values.py, line 1', 'strided[0:2, 0:3], 2×3:', '1  3  5', '13  15  17']);
    const row = await told('strided', '1, :2');
    assert.ok(row.ok);
    assert.deepEqual(row.value.slice(2), ['strided[1, 0:2], 2:', '13  15']);
    for (const [name, slice, why] of [['strided', '2', /no slice of/], ['wide', ':', /300000 numbers are asked for, at most 256/], ['absent', undefined, /absent has no value/]] as const) {
      const refused = await told(name, slice);
      assert.ok(!refused.ok);
      assert.match(refused.problems[0]?.message ?? '', why);
    }
  }); // prettier-ignore

  it('asks for no more than 128 Ki numbers at once', async () => {
    await read({ path: 'wide' });
    const counts = requests.slice(1);
    assert.deepEqual(counts, [131072, 131072, 300_000 - 262_144]);
  });

  it('reads four million numbers in requests that each are small, and the session goes on', async () => {
    // In one request they were never answered, and nothing after them was.
    const { bytes } = await read({ path: 'huge' });
    assert.deepEqual(requests.slice(1), Array<number>(32).fill(131072));
    assert.equal(bytes.length, 1 << 22);
    assert.equal(`'${sha(bytes)}'`, await debuggee.evaluate('sha(raw(huge))', frame));
  });

  it('reads of a long list what is asked for, not all of it each time', async () => {
    assert.deepEqual([...(await read({ expression: 'long_list' }, [[5, 7], 1])).values], [1.5, 1.5]);
    const call = bytesCall({ path: 'long_list' }, [], 1 << 21, 1 << 17).replace('{**globals(),**locals()}', 'n');
    const took = (what: string): string => `sorted((lambda a: (${what}, t() - a)[1])(t()) for _ in range(3))[0]`;
    const seconds = await debuggee.evaluate(`(lambda t, n: (${took(call)}, ${took("sum(v for row in n['long_list'] for v in row)")}))(__import__('time').perf_counter, {**globals(), **locals()})`, frame); // prettier-ignore
    const [part = NaN, whole = NaN] = seconds.match(/[\d.e-]+/g)?.map(Number) ?? [];
    assert.ok(part < whole, `a part took ${part} s, a sum of all ${whole} s`);
  });

  it('decodes numbers as PyTorch prints them', async () => {
    assert.deepEqual([...(await read({ path: 'ids' })).values], [1, 1099511627776, -7]);
    assert.deepEqual([...(await read({ path: 'flags' })).values], [1, 0, 0, 1]);
    assert.deepEqual([...(await read({ path: 'big' })).values], [0, 1, 2, 3, 4, 5]);
    assert.deepEqual([...(await read({ path: 'strided' })).values], [1, 3, 5, 13, 15, 17]);
  });

  it('names what it does not read, and why', async () => {
    const paths = ['masked', 'quant', 'meta', 'sparse', 'objects', 'ragged', 'extended', 'beyond', 'nowhere', 'layer', 'holder.computed', 'holder.unset', 'holder.missing']; // prettier-ignore
    const found = await describePaths(process_, paths);
    assert.ok(found.ok);
    const why = (path: string): string => {
      const info = found.value.get(path);
      return (info && whyUnread(path, info)?.message) ?? 'read';
    };
    assert.match(why('masked'), /masked \(MaskedArray, 2 float64\): a masked array is not read/);
    assert.match(why('quant'), /quant \(Tensor, 2×2 qint8\): a quantised tensor/);
    assert.match(why('meta'), /2×3 float32\): a tensor on the device "meta"/);
    assert.match(why('sparse'), /the layout sparse_coo is not read/);
    assert.match(why('objects'), /numbers of the type object are not read/);
    assert.match(why('ragged'), /not all of one length/);
    for (const path of ['extended', 'beyond']) assert.match(why(path), /other things than numbers/);
    assert.match(why('nowhere'), /no value at the stop/);
    assert.match(why('layer'), /is of the type Linear/);
    for (const path of ['holder.computed', 'holder.unset', 'holder.missing']) assert.match(why(path), /no value at the stop, or a property/); // prettier-ignore
  });

  it('knows plain values, and what an object has', async () => {
    const before = await state();
    const found = await describePaths(process_, ['number', 'text', 'nothing', 'infinite', 'false_number', 'closed', 'pair', 'layer', 'holder'], 'deep'); // prettier-ignore
    assert.ok(found.ok);
    const value = (path: string): unknown => {
      const info = found.value.get(path);
      return info?.kind === 'value' ? info.value : info?.kind;
    };
    assert.deepEqual(['number', 'text', 'nothing', 'infinite', 'false_number', 'closed'].map(value), [
      7,
      'causal "é"',
      null,
      -Infinity,
      'other',
      'object',
    ]);
    const layer = found.value.get('layer');
    assert.equal(layer?.kind === 'object' && layer.has['weight']?.kind, 'tensor');
    assert.deepEqual(layer?.kind === 'object' && layer.has['in_features'], { kind: 'value', type: 'int', value: 4 });
    const holder = found.value.get('holder');
    assert.deepEqual(holder?.kind === 'object' && Object.keys(holder.has), ['w']);
    assert.equal(await state(), before);
  });

  it('reads the frame that it is told', async () => {
    const caller = await debuggee.callerFrame();
    const inner = await describePaths(process_, ['local', 'first']);
    assert.equal(inner.ok && inner.value.get('first')?.kind, 'tensor');
    frame = caller;
    const outer = await describePaths(process_, ['first']);
    frame = debuggee.stop.frameId;
    assert.equal(outer.ok && outer.value.get('first')?.kind, 'missing');
  });

  it('describes forty names in one evaluation of at most 30 ms there', async () => {
    const names = Object.keys(said.hashes).filter((path) => !path.includes('.'));
    const forty = Array.from({ length: 40 }, (_, i) => names[i % names.length] as string);
    const timed = `(lambda t, c: [(t.perf_counter(), c(), t.perf_counter()) for _ in range(9)])(__import__('time'), lambda n={**globals(), **locals()}: ${readerCall('describe', forty).replace('{**globals(),**locals()}', 'n')})`;
    const reply = await debuggee.evaluate(`sorted(b - a for a, _, b in ${timed})[4]`, frame);
    assert.ok(Number(reply) < 0.03, `${reply} s`);
  });

  it('says so where the process dies while it is read', async () => {
    const info = await describeTarget(process_, { path: 'wide' });
    assert.ok(info.ok && info.value.kind === 'tensor');
    let asked = 0;
    const dying = {
      async evaluate(expression: string): Promise<string> {
        if (++asked === 2) process.kill(debuggee.pid, 'SIGKILL');
        return debuggee.evaluate(expression, frame);
      },
    };
    const read = await readNumbers(dying, { path: 'wide' }, info.value);
    assert.ok(!read.ok);
    assert.match(read.problems[0]?.message ?? '', /the process gave no value/);
  });
});
