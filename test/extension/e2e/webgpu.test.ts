import assert from 'node:assert/strict';
import { root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { examplesFolder, explainSelection } from './panel';

describe('the backend setting in a real VS Code', function () {
  this.timeout(180_000);
  let vscode: Session;
  afterEach(() => vscode.close());

  const badge = async (backend: string, webgpu: boolean): Promise<string> => {
    const settings = { 'explainAttention.backend': backend };
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder: examplesFolder(), settings, webgpu });
    const frame = await explainSelection(vscode, '1-the-cat-sat.md', 'The cat sat on the mat', 'mat');
    const text = frame.locator('[data-badge]');
    // The comparison follows the exact values.
    if (backend === 'webgpu')
      await text.filter({ hasText: /differ|no GPU/ }).waitFor({ state: 'attached', timeout: 60_000 });
    return text.innerText();
  };

  it('webgpu: a software adapter computes too, and the badge says how far it differs', async () => {
    const text = await badge('webgpu', true);
    const apart = /float32 preview by WebGPU · exact float64 by CPU · differ by at most (\S+) in \w+/.exec(text)?.[1];
    assert.ok(apart, text);
    assert.ok(Number(apart.replace('−', '-')) < 1e-5, text);
  });

  it('webgpu without an adapter: the CPU alone, and the reason', async () => {
    assert.match(await badge('webgpu', false), /float64 · CPU · no GPU: /);
  });
});
