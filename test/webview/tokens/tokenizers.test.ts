import assert from 'node:assert/strict';
import type { AttentionSpec, EncodingName, Piece, Problem, VocabularyName } from '../../../engine/index';
import type { TokenizedText } from '../../../webview/choices/tokenized-text';
import type { CutResult, TokenizerSource } from '../../../webview/compute/remote';
import { Stopped } from '../../../webview/compute/remote';
import { createTokenizers } from '../../../webview/tokenizers/tokenizers';
import { isEncoding } from '../../../webview/tokenizers/sources';
import { textSpec } from '../inputs';

const spec = (tokenizer: VocabularyName): AttentionSpec =>
  textSpec('a', { start: { from: 'text', text: 'a', tokenizer } });
const pieces: readonly Piece[] = [[64, 0, 1]];
const done: CutResult = { known: true, pieces, notes: [] };
const bytes = new Uint8Array([1]);

/** A worker whose answers the test gives, and everything that was asked of it. */
function lab(patience?: number) {
  const asked: EncodingName[] = [];
  const calls: (TokenizerSource | undefined)[] = [];
  const told: string[] = [];
  const open: { resolve: (result: CutResult) => void; reject: (error: Error) => void }[] = [];
  let [workers, stopped] = [0, 0];
  const startWorker = () => {
    workers++;
    const mine: typeof open = [];
    return {
      tokenize: (_: AttentionSpec, source: TokenizerSource | undefined) =>
        new Promise<CutResult>((resolve, reject) => {
          calls.push(source);
          mine.push({ resolve, reject });
          open.push({ resolve, reject });
        }),
      stop() {
        stopped++;
        for (const { reject } of mine) reject(new Stopped('stopped'));
      },
    };
  };
  const tokenizers = createTokenizers({
    startWorker,
    ask: (name) => void (isEncoding(name) && asked.push(name)),
    ...(patience === undefined ? {} : { patience }),
  });
  const events = (name: string) => ({
    onProgress: () => undefined,
    onCut: (cut: TokenizedText) => void told.push(`${name} cut into ${cut.pieces.length}`),
    onProblems: (problems: readonly Problem[]) => void told.push(`${name}: ${problems[0]?.code}`),
  });
  const start = (tokenizer: VocabularyName, name = JSON.stringify(tokenizer)): void =>
    tokenizers.start(spec(tokenizer), events(name));
  return { tokenizers, start, asked, calls, told, open, workers: () => workers, stopped: () => stopped };
}
const settled = (milliseconds = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('cutting by vocabularies', () => {
  it('asks once for each encoding, and keeps it in one worker', async () => {
    const { tokenizers, start, asked, calls, told, open, workers } = lab();
    for (const round of [0, 1]) {
      start('gpt2', 'one');
      if (round === 0) assert.ok(tokenizers.arrived('gpt2', bytes));
      await settled();
      open[round]?.resolve(done);
      await settled();
    }
    assert.deepEqual(asked, ['gpt2']);
    assert.deepEqual(calls, [{ bytes }, undefined]);
    assert.deepEqual(told, ['one cut into 1', 'one cut into 1']);
    assert.equal(workers(), 1);
  });

  it('an answer that nobody waits for is no answer', async () => {
    const { tokenizers, start, told } = lab();
    assert.equal(tokenizers.arrived('gpt2', bytes), false);
    start('gpt2');
    assert.equal(tokenizers.arrived('o200k_base', bytes), false);
    tokenizers.cancel();
    assert.equal(tokenizers.arrived('gpt2', bytes), false);
    await settled();
    assert.deepEqual(told, []);
  });

  it('the newer of two wins, and a busy worker is not waited for', async () => {
    const { tokenizers, start, told, open, calls, workers, stopped } = lab();
    start('gpt2', 'old');
    tokenizers.arrived('gpt2', bytes);
    await settled();
    start('o200k_base', 'new');
    assert.equal(stopped(), 1);
    tokenizers.arrived('o200k_base', bytes);
    await settled();
    assert.equal(workers(), 2);
    open[1]?.resolve(done);
    await settled();
    assert.deepEqual(told, ['new cut into 1']);
    start('gpt2', 'again');
    await settled();
    assert.equal(calls.length, 2, 'the new worker has no gpt2 and waits for it');
    tokenizers.cancel();
  });

  it('gives up when the host does not answer in time, and takes the answer that comes then for none', async () => {
    const { tokenizers, start, told } = lab(20);
    start('gpt2', 'late');
    await settled(10);
    assert.deepEqual(told, []);
    await settled(40);
    assert.deepEqual(told, ['late: no-answer']);
    assert.equal(tokenizers.arrived('gpt2', bytes), false);
  });

  it('a worker that fails is a problem; the next choice starts another', async () => {
    const { tokenizers, start, told, open, workers } = lab();
    for (const at of [0, 1]) {
      start('gpt2', `try ${at}`);
      tokenizers.arrived('gpt2', bytes);
      await settled();
      if (at === 0) open[0]?.reject(new Error('out of memory'));
      else open[1]?.resolve(done);
      await settled();
    }
    assert.deepEqual(told, ['try 0: failed', 'try 1 cut into 1']);
    assert.equal(workers(), 2);
  });

  it('files: by name, another of the same name beside it, none without its text', async () => {
    const { tokenizers, start, told, calls, open } = lab();
    start({ file: 't.json' }, 'missing');
    await settled();
    assert.equal(tokenizers.keep('t.json', 'A'), 't.json');
    assert.equal(tokenizers.keep('t.json', 'A'), 't.json');
    assert.equal(tokenizers.keep('t.json', 'B'), 't.json (2)');
    assert.equal(tokenizers.keep('t.json', 'C'), 't.json (3)');
    assert.equal(tokenizers.keep('t.json', 'B'), 't.json (2)');
    start({ file: 't.json (2)' }, 'second');
    await settled();
    open[0]?.resolve(done);
    await settled();
    assert.deepEqual(told, ['missing: tokenizer-file-needed', 'second cut into 1']);
    assert.deepEqual(calls, [{ text: 'B' }]);
  });

  it('a file that is no tokenizer leaves its name to the next', async () => {
    const { tokenizers, start, told, open } = lab();
    start({ file: tokenizers.keep('t.json', 'bad') }, 'bad');
    await settled();
    open[0]?.resolve({ known: false, problems: [{ code: 'tokenizer-invalid', message: 'no model' }] });
    await settled();
    assert.deepEqual(told, ['bad: tokenizer-invalid']);
    assert.equal(tokenizers.keep('t.json', 'good'), 't.json');
  });
});
