// Recorded models: heads as the process had them, their specs beside PyTorch's weights, and what is said of outputs that are not the exact ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureIn, exactHead, explainAttention, finish, judgedWords, judgeHead, openTensorFile, planOf, readHead,  sourceOfBytes, specOfCaptured, type Capture, type CapturedHead, type TensorFile } from '../../engine/index'; // prettier-ignore
import { bound } from '../../engine/captures/words';
import { freshFolder, root } from '../host/paths';
import { pythonOrSkip } from '../reference/python';

interface Expected {
  readonly weights: readonly (readonly (readonly (readonly number[])[])[])[];
  readonly about: { readonly heads: readonly number[]; readonly batch: readonly number[] };
}

describe('a recorded model', function () {
  this.timeout(300_000);
  let folder: string;

  before(function () {
    const python = pythonOrSkip(this, 'torch', 'numpy');
    folder = freshFolder('captures');
    const run = spawnSync(python, [join(root, 'test/reference/capture_checks.py'), join(root, 'extension/python'), folder], { encoding: 'utf8', timeout: 240_000 }); // prettier-ignore
    assert.equal(run.status, 0, run.stderr.slice(-2000));
  });

  const bytesOf = (name: string): Uint8Array => readFileSync(join(folder, `${name}.safetensors`));
  const opened = async (bytes: Uint8Array): Promise<TensorFile> => {
    const file = await openTensorFile(sourceOfBytes(bytes), 'a.safetensors');
    assert.ok(file.ok, JSON.stringify(file));
    return file.value;
  };
  const captured = async (name: string): Promise<readonly [TensorFile, Capture]> => {
    const file = await opened(bytesOf(name));
    const capture = captureIn(file);
    assert.ok(capture?.ok, JSON.stringify(capture));
    return [file, capture.value];
  };
  const headOf = async (file: TensorFile, capture: Capture, attention: number, input = 0, head = 0): Promise<CapturedHead> => {
    const read = await readHead(file, capture, { attention, input, head });
    assert.ok(read.ok, JSON.stringify(read));
    return read.value;
  }; // prettier-ignore
  const said = (head: CapturedHead): string => judgedWords(finish(judgeHead(head, finish(exactHead(head)))), head);

  it('gives each head with the weights that PyTorch computes, as exact numbers and as a spec', async () => {
    const [file, capture] = await captured('kinds');
    const all = JSON.parse(readFileSync(join(folder, 'kinds.json'), 'utf8')) as readonly Expected[];
    assert.equal(all.length, 6);
    for (const [attention, { weights, about }] of all.entries())
      for (const input of about.batch.keys())
        for (const at of about.heads.keys()) {
          const head = await headOf(file, capture, attention, input, at);
          const right = (weights[input]?.[at] ?? []).flat();
          const exact = finish(exactHead(head));
          right.forEach((x, i) => assert.ok(Math.abs((exact.weights[i] ?? NaN) - x) < 1e-12, `${attention}/${input}/${at}: weight ${i} is ${exact.weights[i]}, PyTorch gives ${x}`)); // prettier-ignore
          assert.match(said(head), /^Its output is the exact one/);
          const spec = specOfCaptured(head);
          assert.ok(planOf(spec).ok);
          const trace = explainAttention(spec);
          assert.ok(trace.ok, JSON.stringify(trace));
          const shown = (i: number): number => trace.value.value('weights', [Math.floor(i / head.m), i % head.m]);
          right.forEach((x, i) => assert.ok(Math.abs(shown(i) - x) < 2e-7, `spec of ${attention}/${input}/${at}: weight ${i}`)); // prettier-ignore
        }
  });

  it('says what explains an output that rounding does not, and nothing of right ones', async () => {
    const [file, capture] = await captured('faults');
    const names = JSON.parse(readFileSync(join(folder, 'faults.json'), 'utf8')) as readonly string[];
    assert.equal(names.length, 13);
    for (const [attention, about] of capture.attentions.entries()) {
      const words = said(await headOf(file, capture, attention));
      const name = names[attention] ?? 'right';
      if (name === 'right')
        assert.match(words, /^Its output is the exact one/, `${attention}, ${about.dtype}: ${words}`);
      else assert.ok(words.includes(name), `${name}: ${words}`);
      // What a kernel gives for queries that see no key is its convention: the others are the exact ones.
      if (name === 'gives zeros') assert.match(words, /All others agree\. Its output is the exact one/);
    }
  });

  it('rounds what is the most that something is up, to two digits', () => {
    const said = [1.17071e-7, 1.81105e-6, 3e-6, 9.95e-6, 9.91e-6, 0.25, 2.01, 99.2, 150].map(bound);
    assert.deepEqual(said, ['1.2e−7', '1.9e−6', '3.0e−6', '1.0e−5', '1.0e−5', '2.5e−1', '2.1', '1.0e2', '1.5e2']);
  });

  it('refuses a damaged description by naming it, and is no capture without one', async () => {
    const bytes = Buffer.from(bytesOf('faults'));
    const changed = async (was: string, now: string) => {
      assert.equal(was.length, now.length);
      const at = bytes.indexOf(was);
      assert.ok(at > 0, was);
      const copy = Buffer.from(bytes);
      copy.write(now, at);
      return captureIn(await opened(copy));
    };
    const message = (found: Awaited<ReturnType<typeof changed>>): string => (found && !found.ok ? (found.problems[0]?.message ?? '') : 'no problem'); // prettier-ignore
    assert.match(message(await changed('\\"version\\": 1', '\\"version\\": 7')), /version 7, expected 1/);
    assert.match(message(await changed('\\"scale\\": 0.25', '\\"scalx\\": 0.25')), /attention 0 has no valid scale/);
    assert.match(message(await changed('\\"kv\\": [0]', '\\"kv\\": [ ]')), /attention 0 has no valid kv/);
    assert.equal(await changed('explain_attention', 'explain_attentioX'), undefined);
  });
});
