// A lesson whose texts a trained model reads, in its page: the model's files come from the host, or are in the saved page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { modelFolder } from '../engine/box-support';
import { courseLesson, lessonMessage, openLesson, type OpenLesson } from './lesson-harness';

const files = (open: OpenLesson, least: number): Promise<readonly string[]> =>
  until(open, least, async () => (await open.messages()).flatMap((m) => (m.type === 'modelFile' ? [m.file] : [])));

async function until(
  open: OpenLesson,
  least: number,
  read: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  for (let i = 0; i < 100; i++) {
    const found = await read();
    if (found.length >= least) return found;
    await open.page.waitForTimeout(50);
  }
  return assert.fail(`fewer than ${least} requests`);
}

describe('a lesson that a trained model reads', function () {
  this.timeout(60_000);

  it('asks for the model’s two files, and shows its numbers', async () => {
    const open = await openLesson();
    await open.send(lessonMessage(courseLesson('15-is-a-pattern-a-reason.md')));
    const asked = await files(open, 2);
    assert.deepEqual([...asked].sort(), ['words-1.safetensors', 'words-1.tokenizer.json']);
    for (const file of asked)
      await open.page.evaluate(
        ({ name, bytes }) => window.postMessage({ type: 'modelFile', file: name, bytes: Uint8Array.from(bytes) }, '*'),
        { name: file, bytes: [...readFileSync(modelFolder + file)] },
      );
    await open.page.locator('body[data-ready="true"]').waitFor();

    // NumPy: 0.99161118 (test/reference/box_models.py).
    await open.page.getByText('It gives are a probability of 0.9916').waitFor();
    assert.deepEqual(open.troubles, []);
    await open.close();
  });

  it('says at the block that a model cannot be read', async () => {
    const open = await openLesson();
    await open.send(lessonMessage('# T\n\n```attention model=words-1\nthe keys near the table\n```\n'));
    for (const name of await files(open, 1))
      await open.send({ type: 'noTokenizer', name, problems: [{ code: 'gone', message: `${name} is gone` }] });
    await open.page.getByText('words-1 has not been read').waitFor();
    const logged = (await open.messages()).flatMap((m) => (m.type === 'log' ? [m.message] : []));
    assert.ok(logged.some((message) => message.includes('is gone')), logged.join('; ')); // prettier-ignore
    await open.close();
  });
});
