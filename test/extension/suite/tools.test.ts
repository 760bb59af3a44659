// The tools for language models, called as a model's chat calls them: by VS Code, without any chat or account.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createToolCaller } from '../../../extension/tools';
import { extensionId, noPrograms } from './host';
import { createFile } from './memory-files';

const names = ['check_attention_numbers', 'explain_attention_cell', 'check_shapes', 'explain_live_variable'];
const matrices = 'Q = [[1, 0], [0, 1]]\nK = [[1, 1], [0, 1]]\nV = [[1, 2], [3, 4]]\n';
const program = 'import torch\nQ = torch.tensor([[1.0, 0.0], [0.0, 1.0]])\nK = torch.tensor([[1.0, 1.0], [0.0, 1.0]])\nV = torch.tensor([[1.0, 2.0], [3.0, 4.0]])\nw = torch.softmax(Q @ K.T / 2 ** 0.5, dim=-1)\nout = w @ V\n'; // prettier-ignore

const { token } = new vscode.CancellationTokenSource();

async function call(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return content.map((part) => (part as vscode.LanguageModelTextPart).value).join('');
}

describe('tools for language models', () => {
  before(async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
  });

  it('are among those of VS Code, with their words and schemas', () => {
    const own = vscode.lm.tools.filter(({ name }) => names.includes(name));
    assert.deepEqual(own.map(({ name }) => name).sort(), [...names].sort());
    for (const { description, inputSchema } of own) {
      assert.ok(description.length > 100);
      assert.equal((inputSchema as { type: string }).type, 'object');
    }
  });

  it('answer with the engine’s digits: of matrices, and of code by the process that reads programs', async () => {
    // NumPy: softmax([1, 0]/√2)[1] = 0.33023845.
    for (const text of [matrices, program])
      assert.match(await call('explain_attention_cell', { text, cell: 'weights[0,1]', digits: 6 }), /^weights\[0,1\] = 0\.330238\n/); // prettier-ignore
    const result = '[[1.53788284, 2.53788284], [2.0, 3.0]]';
    assert.match(await call('check_attention_numbers', { text: matrices, result }), /mistake: The scores are not divided by √d_k/); // prettier-ignore
    assert.match(await call('check_shapes', { text: program }), /line 6: 2×2/);
  });

  it('say what is wrong in our sentences', async () => {
    await assert.rejects(call('explain_attention_cell', { text: matrices, cell: 'weight[0,0]' }), /no step weight\[0,0\]; the steps are/); // prettier-ignore
    await assert.rejects(call('explain_attention_cell', { file: 'absent.py' }), /absent\.py is no text file of the workspace/); // prettier-ignore
    await assert.rejects(call('explain_live_variable', { name: 'attn' }), /Nothing is stopped in a debugger here/);
  });

  it('read no file outside of the workspace', async () => {
    const uri = createFile(matrices, 'txt');
    const ask = createToolCaller(noPrograms);
    for (const file of [uri.path, uri.toString(), '../../../../etc/hostname', '/etc/hostname'])
      await assert.rejects(ask('check_shapes', { file }, token), /is no text file of the workspace/);
  });
});
