// A lesson in the browser's extension host: in a virtual folder, played in its real page by whoever sits before the window, and handed in.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readResults, type Results } from '../../../engine/index';
import type { Deed } from '../../host/person';
import { memoryFolder, paths, readText, writeText } from '../suite/classroom-files';
import { hashes, lesson } from './expected';

const before = (more: Omit<Deed, 'in'>): Deed => ({ in: 'body[data-ready="true"] .lesson', ...more });
const person = (...deeds: Deed[]): void => console.log(`person: ${JSON.stringify(deeds)}`);

const small = [
  '# In the browser\n',
  '```attention id=b step=q\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 1]]\n```\n',
  '```attention-question\n{ "id": "q", "kind": "number", "prompt": "Score?", "digits": 0, "of": { "step": "scores", "cell": [0, 1] } }\n```\n',
].join('\n');

describe('a lesson in the web extension host', () => {
  const { showInputBox, showInformationMessage } = vscode.window;
  after(() => Object.assign(vscode.window, { showInputBox, showInformationMessage }));

  /** Plays a lesson of a new virtual folder; what was handed in. */
  async function played(name: string, text: string, ...deeds: Deed[]): Promise<Results> {
    Object.assign(vscode.window, {
      showInputBox: () => Promise.resolve('Ada'),
      showInformationMessage: () => Promise.resolve(undefined),
    });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const folder = memoryFolder();
    const file = writeText(folder, name, text);
    await vscode.commands.executeCommand('explainAttention.openLesson', file);
    person(...deeds, before({ at: '.hand-in', does: 'click' }));
    const end = Date.now() + 50_000;
    while (!paths(folder).includes('Ada.results.json')) {
      if (Date.now() > end) assert.fail(`nothing was handed in; there are ${paths(folder).join(', ')}`);
      await new Promise((go) => setTimeout(go, 50));
    }
    const results = readResults(readText(folder, 'Ada.results.json'));
    assert.ok(results.ok);
    return results.value;
  }

  it('opens, is answered and handed in, all in a virtual folder', async () => {
    const q = '[data-question="q"]';
    const results = await played('small.md', small,
      before({ at: `${q} input`, does: 'fill', text: '4' }),
      before({ at: `${q} .check`, does: 'click' }),
      before({ at: `${q} .verdict[data-verdict="wrong"]`, does: 'see' }),
      before({ at: `${q} input`, does: 'fill', text: '5' }),
      before({ at: `${q} .check`, does: 'click' }),
      before({ at: `${q} .verdict[data-verdict="right"]`, does: 'see' }),
    ); // prettier-ignore
    assert.deepEqual(results.answers.map((a) => [a.question, a.response, a.attempts]), [['q', 5, 2]]); // prettier-ignore
    assert.deepEqual([results.student, results.complete], ['Ada', true]);
  });

  it('hands in the hashes of traces that Node computes', async () => {
    const results = await played('room.md', lesson);
    assert.deepEqual(results.blocks.map(({ trace }) => trace), hashes.lesson); // prettier-ignore
    assert.ok(results.blocks.length > 1);
  });
});
