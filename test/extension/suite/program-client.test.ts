import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AttentionAnswer, FromServer, ToServer } from '../../../engine/index';
import { createProgramClient, type ProgramClient } from '../../../extension/program-client';
import { closeAll, extensionId, replace, sleep, until } from './host';
import { createFileAt } from './memory-files';

const uri = (): vscode.Uri => {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension);
  return extension.extensionUri;
};

const logged: string[] = [];
const log = { log: { error: (text: string) => logged.push(text), warn: (text: string) => logged.push(text) } } as unknown as Parameters<typeof createProgramClient>[1]; // prettier-ignore

/** A process whose answers the test gives. */
function fakeProcesses(answer: (message: ToServer, got: (message: FromServer) => void) => void) {
  const seen = { started: 0, ended: 0, refuses: false };
  const start = (_: vscode.Uri, got: (message: FromServer) => void) => {
    if (seen.refuses) return Promise.reject(new Error('no threads here'));
    seen.started++;
    return Promise.resolve({ post: (message: ToServer) => answer(message, got), end: () => void seen.ended++ });
  };
  return { seen, start };
}

const places = { lines: [], attentions: [] };
const answers = (message: ToServer, got: (message: FromServer) => void): void => {
  if ('question' in message && message.question.text !== 'slow') got({ id: message.id, answer: places, missing: [] });
};
const file = vscode.Uri.parse('untitled:client.py');

describe('the client of the process that reads programs', () => {
  let client: ProgramClient | undefined;
  afterEach(() => {
    client?.dispose();
    client = undefined;
    logged.length = 0;
  });
  after(closeAll);

  it('ends a process that does not answer, says so, and asks another about other programs only', async () => {
    const { seen, start } = fakeProcesses(answers);
    client = createProgramClient(uri(), log, { answer: 60, restart: 60 }, start);
    assert.deepEqual(await client.ask('places', { text: 'quick' }, file), { answer: places });
    const [slow, behind] = await Promise.all([
      client.ask('places', { text: 'slow' }, file),
      client.ask('places', { text: 'slow' }, file),
    ]);
    assert.match((slow as { failure: string }).failure, /not read within 0\.06 seconds/);
    assert.deepEqual(behind, slow);
    assert.deepEqual([seen.started, seen.ended], [1, 1]);
    // The same program is not tried again; another starts a new process.
    assert.deepEqual(await client.ask('places', { text: 'slow' }, file), slow);
    assert.equal(seen.started, 1);
    assert.deepEqual(await client.ask('places', { text: 'quick' }, file), { answer: places });
    assert.equal(seen.started, 2);
    // No clock runs while nobody waits.
    await sleep(150);
    assert.equal(seen.ended, 1);
  });

  it('says that no process can be started, and tries again later', async () => {
    const { seen, start } = fakeProcesses(answers);
    client = createProgramClient(uri(), log, { answer: 1000, restart: 80 }, start);
    seen.refuses = true;
    const refused = { failure: 'The process that reads Python code cannot be started: no threads here' };
    assert.deepEqual(await client.ask('places', { text: 'a' }, file), refused);
    seen.refuses = false;
    assert.deepEqual(await client.ask('places', { text: 'a' }, file), refused);
    await sleep(120);
    assert.deepEqual(await client.ask('places', { text: 'a' }, file), { answer: places });
    assert.equal(seen.started, 1);
  });

  it('is cancelled without waiting for the process', async () => {
    const { start } = fakeProcesses(answers);
    client = createProgramClient(uri(), log, { answer: 10_000, restart: 80 }, start);
    const cancelling = new vscode.CancellationTokenSource();
    const asked = client.ask('places', { text: 'slow' }, file, cancelling.token);
    await sleep(20);
    cancelling.cancel();
    assert.equal(await asked, undefined);
  });

  it('reads what a program imports, as it is in its editor, and tells when that changes', async () => {
    const layers = createFileAt('/imports/layers.py', 'from .kernel import weigh\ndef attend(x):\n    return weigh(x) @ x\n'); // prettier-ignore
    const kernel = createFileAt('/imports/kernel.py', 'import torch\ndef weigh(x):\n    return torch.softmax(x @ x.T, dim=-1)\n'); // prettier-ignore
    const text = 'import torch\nfrom .layers import attend\ny = attend(torch.ones(2, 3))\n';
    const main = createFileAt('/imports/main.py', text);
    const started = createProgramClient(uri(), log);
    client = started;
    const ask = async (): Promise<AttentionAnswer> => {
      const reply = await started.ask('attention', { text }, main);
      assert.ok(reply && 'answer' in reply, JSON.stringify(reply));
      return reply.answer;
    };
    const found = await ask();
    assert.ok(found.is === 'found', JSON.stringify(found));
    // What an imported file computes stands where the program calls it.
    const steps = found.spec.start.from === 'program' ? found.spec.start.steps : [];
    assert.equal(steps.find(({ id }) => id === 'weights')?.line, 3);
    const documents = [
      await vscode.workspace.openTextDocument(kernel),
      await vscode.workspace.openTextDocument(layers),
    ];
    let changes = 0;
    const listening = started.importsChanged(() => changes++);
    const [document] = documents;
    assert.ok(document);
    await vscode.window.showTextDocument(document);
    await replace(document, 'softmax', 'relu_');
    await until('imports changed', () => changes > 0);
    listening.dispose();
    assert.equal((await ask()).is, 'none');
  });
});
