// What a language model may ask: over the protocol, by its official client, from the program as it is shipped; and what shapes fit, beside PyTorch.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { buildSync } from 'esbuild';
import { callTool, tools, type ToolHost } from '../../engine/index';
import { createAnswering } from '../../engine/formula';
import { finish, ok } from '../../engine/text';
import { createServer } from '../../engine/tools';
import { pythonOrSkip } from '../reference/python';

const root = join(__dirname, '../..');
const matrices = 'Q = [[1, 0], [0, 1]]\nK = [[1, 1], [0, 1]]\nV = [[1, 2], [3, 4]]\n';
/** By NumPy: softmax(Q Kᵀ/√2); and the output without the division. */
const weights = '[[0.66976155, 0.33023845], [0.5, 0.5]]';
const unscaled = '[[1.53788284, 2.53788284], [2.0, 3.0]]';
const program = `import torch
Q = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
K = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
V = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
w = torch.softmax(Q @ K.T, dim=-1)
out = w @ V
`;

const host: ToolHost = {
  run: (work) => Promise.resolve(finish(work)),
  read: () => Promise.reject(new Error('no file is asked for')),
  ask: (kind, asked) => Promise.resolve(ok(finish(createAnswering()({ kind, ...asked } as never)).answer as never)),
};
const asked = async (name: string, input: unknown): Promise<string> => (await callTool(name, input, host)).text;
const bytes = (text: string): number => Buffer.byteLength(text);

describe('tools over the Model Context Protocol', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-mcp-'));
  const work = join(folder, 'work');
  let client: Client;
  const call = async (name: string, input: Record<string, unknown>): Promise<{ text: string; isError: boolean }> => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first, ...more] = content as readonly { type: string; text: string }[];
    assert.equal(first?.type, 'text');
    assert.deepEqual(more, []);
    assert.ok(bytes(first.text) <= 4096, `${bytes(first.text)} bytes`);
    return { text: first.text, isError: isError === true };
  };
  before(async () => {
    mkdirSync(join(folder, 'dist'));
    mkdirSync(work);
    cpSync(join(root, 'extension/l10n'), join(folder, 'extension/l10n'), { recursive: true });
    writeFileSync(join(work, 'own.py'), program);
    writeFileSync(join(work, 'layers.py'), 'import torch\n\ndef attend(q, k, v):\n    return torch.softmax(q @ k.T / 2 ** 0.5, dim=-1) @ v\n'); // prettier-ignore
    writeFileSync(join(work, 'uses.py'), program.replace('import torch', 'import torch\nfrom layers import attend').replace(/w = [^]*/, 'out = attend(Q, K, V)  # softmax, attention\n')); // prettier-ignore
    writeFileSync(join(folder, 'secret.txt'), matrices);
    symlinkSync(join(folder, 'secret.txt'), join(work, 'link.txt'));
    const entry = join(folder, 'dist/cli.js');
    buildSync({ entryPoints: [join(root, 'engine/cli/main.ts')], outfile: entry, bundle: true, platform: 'node', define: { PACKAGE_VERSION: '"1.2.3"' } }); // prettier-ignore
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [entry, 'mcp'], cwd: work }));
  });
  after(async () => {
    await client.close();
    rmSync(folder, { recursive: true });
  });

  it('are listed as package.json declares them', async () => {
    assert.deepEqual(client.getServerVersion(), { name: 'explain-attention', title: 'Explain Attention', version: '1.2.3' }); // prettier-ignore
    const listed = (await client.listTools()).tools;
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { contributes: { languageModelTools: readonly { name: string; modelDescription: string; inputSchema: unknown }[] } }; // prettier-ignore
    const declared = contributes.languageModelTools;
    assert.deepEqual(listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })), declared.map(({ name, modelDescription, inputSchema }) => ({ name, description: modelDescription, inputSchema }))); // prettier-ignore
    assert.deepEqual(listed.map(({ name }) => name), ['check_attention_numbers', 'explain_attention_cell', 'check_shapes', 'explain_live_variable']); // prettier-ignore
    assert.ok(listed.every(({ annotations }) => annotations?.readOnlyHint === true));
  });

  it('say which step numbers are, and which mistake gives them', async () => {
    const right = await call('check_attention_numbers', { text: matrices, result: weights });
    assert.match(right.text, /the result is .*weights/i);
    assert.equal(right.isError, false);
    const wrong = await call('check_attention_numbers', { text: matrices, result: unscaled });
    assert.match(wrong.text, /mistake: The scores are not divided by √d_k/);
    assert.match(wrong.text, /\[0, 0\] differs most: 1\.53788284, right is 1\.66048/);
  });

  it('explain one cell with its terms, of matrices and of a file with what it imports', async () => {
    const { text } = await call('explain_attention_cell', { text: matrices, cell: 'weights[0,1]', digits: 8 });
    assert.match(text, /^weights\[0,1\] = 0\.33023845\n/);
    const file = await call('explain_attention_cell', { file: 'uses.py', cell: 'weights[0,1]', digits: 6 });
    assert.match(file.text, /^weights\[0,1\] = 0\.330238\n/);
    const masked = await call('explain_attention_cell', { text: matrices, cell: 'weights[0,1]', set: { mask: 'causal' } }); // prettier-ignore
    assert.match(masked.text, /^weights\[0,1\] = 0\.0{6}\n/);
  });

  it('give problems as errors in our sentences, and read no file outside of the folder', async () => {
    const misfit = await call('explain_attention_cell', {
      text: matrices.replace('[[1, 1], [0, 1]]', '[[1, 1, 2], [0, 1, 2]]'),
    });
    assert.deepEqual(misfit, { isError: true, text: 'line 2: K has 3 columns, Q has 2 (QKᵀ needs the same d_k in both: Q is 2×2, K is 2×3.)' }); // prettier-ignore
    for (const file of ['../secret.txt', join(folder, 'secret.txt'), 'link.txt', '.', 'absent.txt']) {
      const refused = await call('check_shapes', { file });
      assert.ok(refused.isError && !refused.text.includes('[1, 0]'), refused.text);
    }
    assert.match((await call('explain_live_variable', { name: 'attn' })).text, /^Nothing is stopped in a debugger here\./); // prettier-ignore
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /Unknown tool: no_such_tool/);
  });
});

describe('the protocol’s server', () => {
  const serve = createServer(host, '1');
  const code = async (line: string): Promise<number | undefined> =>
    (JSON.parse((await serve(line)) ?? '{}') as { error?: { code: number } }).error?.code;

  it('answers what is no request by the codes of JSON-RPC, and notifications not at all', async () => {
    assert.equal(await code('{'), -32700);
    assert.equal(await code('[]'), -32600);
    assert.equal(await code('null'), -32600);
    assert.equal(await code('{"id": 1}'), -32600);
    assert.equal(await code('{"id": 1, "method": "constructor"}'), -32601);
    assert.equal(await code('{"id": 1, "method": "tools/call", "params": []}'), -32602);
    assert.equal(await code('{"id": 1, "method": "tools/call", "params": {"name": "toString"}}'), -32602);
    for (const line of ['', '{"method": "notifications/initialized"}', '{"method": "no such"}', '{"id": 5, "result": {}}']) assert.equal(await serve(line), undefined); // prettier-ignore
  });

  it('speaks the client’s version where it knows it, else its newest', async () => {
    const version = async (protocolVersion: unknown): Promise<unknown> =>
      (JSON.parse((await serve(JSON.stringify({ id: 1, method: 'initialize', params: { protocolVersion } }))) ?? '') as { result: { protocolVersion: unknown } }).result.protocolVersion; // prettier-ignore
    assert.equal(await version('2024-11-05'), '2024-11-05');
    assert.equal(await version('1999-01-01'), '2025-11-25');
  });
});

describe('the answers of tools', function () {
  this.timeout(60_000);

  it('check what a program has printed, in its comments or beside it', async () => {
    const given = await asked('check_attention_numbers', { text: program, result: '[[0.7310586, 0.2689414], [0.5, 0.5]]' }); // prettier-ignore
    assert.match(given, /step \d+, w\b/);
    assert.match(given, /√d_k/);
    const commented = await asked('check_attention_numbers', { text: `${program}print(w)\n# [[0.7310586 0.2689414]\n#  [0.5 0.5]]\n` }); // prettier-ignore
    assert.match(commented, /step \d+, w\b/);
    assert.match(await asked('check_attention_numbers', { text: program }), /no printed result was found/);
    assert.match(await asked('check_attention_numbers', { text: matrices, result: 'none' }), /is no matrix of numbers/);
    assert.match(await asked('check_attention_numbers', { text: 'only words', result: weights }), /neither code/);
  });

  it('are at most 4 kB, and say how much is left out', async () => {
    const row = Array.from({ length: 300 }, (_, i) => (i % 7) / 8).join(', ');
    const { text } = await callTool('explain_attention_cell', { text: `Q = [[${row}]]\nK = [[${row}]]\nV = [[1]]`, cell: 'scores[0,0]', digits: 17 }, host); // prettier-ignore
    assert.ok(bytes(text) <= 4096 && bytes(text) > 3500, String(bytes(text)));
    assert.match(text, /… \d+ more lines are left out: an answer holds 4096 bytes\.$/);
    const { text: long } = await callTool('check_shapes', { text: `import numpy as np\n${Array.from({ length: 200 }, (_, i) => `a${i} = np.zeros((${i + 1}, 2))`).join('\n')}\nnp.zeros((2, 3)) @ np.zeros((2, 3))\n` }, host); // prettier-ignore
    assert.ok(bytes(long) <= 4096);
    assert.match(long, /^Python raises an exception here:\nline 202: ValueError/);
  });

  it('refuse inputs that do not fit their schema, with what is expected', async () => {
    for (const [input, says] of [
      [undefined, 'the input: expected an object, found undefined'],
      [[], 'the input: expected an object, found []'],
      [{}, 'expected either text or file'],
      [{ text: 'a', file: 'b' }, 'expected either text or file'],
      [{ text: 7 }, 'text: expected a text, found 7'],
      [{ text: matrices, digits: 18 }, 'digits: expected a whole number from 0 to 17, found 18'],
      [{ text: matrices, digits: 1.5 }, 'digits: expected a whole number from 0 to 17, found 1.5'],
      [{ text: matrices, sets: {} }, 'sets is no property of the input (Did you mean set?)'],
      [{ text: matrices, __proto__: null, constructor: 1 }, 'constructor is no property of the input (It has text, file, cell, line, digits, set.)'], // prettier-ignore
      [{ text: matrices, cell: 'weights[2,0]' }, 'weights[2,0] is outside of 2×2 (An index from 0 for each of its 2 dimensions is expected.)'], // prettier-ignore
      [{ text: matrices, line: 1 }, 'line is for code, and there is none here that computes attention'],
      [{ text: program, line: 99 }, 'there is no line 99'],
      [{ text: program, set: { mask: 'causal' } }, 'No field can be set of what code does: change the code.'],
    ] as const)
      assert.deepEqual(await callTool('explain_attention_cell', input, host), { text: says, isError: true });
    for (const name of ['torch.save(x)', '__import__("os")', 'a; b', 'x[f()]', 'a\nb', 'x == y', 'lambda: 0', ''])
      assert.match(await asked('explain_live_variable', { name }), /is no name/, name);
    for (const slice of ['f()', ':n', '0]; x[0']) assert.match(await asked('explain_live_variable', { name: 'x', slice }), /is no slice/); // prettier-ignore
  });

  it('hand a live name and its slice to whoever reads the debugger', async () => {
    const seen: unknown[] = [];
    const live = (of: unknown) => Promise.resolve((seen.push(of), ok(['attn: 2×2'])));
    assert.deepEqual(await callTool('explain_live_variable', { name: 'self.attn["w"][0]', slice: '0, :8' }, { ...host, live }), { text: 'attn: 2×2', isError: false }); // prettier-ignore
    assert.deepEqual(seen, [{ name: 'self.attn["w"][0]', slice: '0, :8' }]);
  });

  it('say of shapes what PyTorch’s products say: 600 random ones', async function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    let state = 7;
    const draw = (most: number): number => (state = (state * 48271) % 2147483647) % most;
    const size = (): number => [1, 2, 3, 4][draw(4)] as number;
    const shape = (fewest: number): number[] => Array.from({ length: fewest + draw(3) }, size);
    const cases = Array.from({ length: 600 }, () => {
      const [q, k, v] = [shape(2), shape(2), shape(2)];
      // Most of them fit here and there, else all would end at the first product.
      if (draw(4) > 0) k[k.length - 1] = q.at(-1) ?? 1;
      if (draw(4) > 0) v[v.length - 2] = k.at(-2) ?? 1;
      const mask = draw(2) ? (draw(2) ? [q.at(-2) ?? 1, k.at(-2) ?? 1] : shape(1)) : undefined;
      return { Q: q, K: k, V: v, ...(mask && { mask }) };
    });
    const script = `
import json, sys, torch
def out(c):
    try:
        s = torch.zeros(c['Q']) @ torch.zeros(c['K']).transpose(-2, -1)
        if 'mask' in c: s.masked_fill_(torch.zeros(c['mask'], dtype=torch.bool), 0)
        return list((s.softmax(-1) @ torch.zeros(c['V'])).shape)
    except RuntimeError: return None
print(json.dumps([out(c) for c in json.load(sys.stdin)]))`;
    const { stdout } = spawnSync(python, ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8', timeout: 60_000 }); // prettier-ignore
    const expected = JSON.parse(stdout) as readonly (readonly number[] | null)[];
    const fitting = expected.filter((one) => one !== null).length;
    assert.ok(fitting > 60 && fitting < 540, String(fitting));
    for (const [i, shapes] of cases.entries()) {
      const said = await asked('check_shapes', { shapes });
      const output = /^O = .* → ([\d×]+)$/m.exec(said)?.[1];
      assert.equal(said.startsWith('The shapes fit.'), expected[i] !== null, `${JSON.stringify(shapes)}\n${said}`);
      assert.deepEqual(output?.split('×').map(Number), expected[i] ?? undefined, JSON.stringify(shapes));
    }
  });

  it('say what would fit: heads to repeat, axes to exchange, a mask that needs axes', async () => {
    const of = (shapes: object): Promise<string> => asked('check_shapes', { shapes });
    assert.match(await of({ Q: [2, 8, 5, 64], K: [2, 2, 7, 64] }), /8 = 4·2: .*repeat each head of K and V 4 times/);
    assert.match(await of({ Q: [2, 8, 5, 64], K: [2, 7, 8, 64] }), /axes −3 and −2 exchanged K would fit: 2×8×7×64/);
    assert.match(await of({ Q: [5, 64], K: [64, 7] }), /exchanged K would fit: 7×64/);
    assert.match(await of({ Q: [5, 64], K: [7, 64], V: [64, 7] }), /exchanged V would fit: 7×64/);
    assert.match(await of({ Q: [2, 8, 5, 64], K: [2, 8, 7, 64], mask: [2, 7] }), /mask\[:, None, None, :\] fits/);
    assert.match(await of({ Q: [5, 64], K: [7, 64], mask: [7, 5] }), /the mask would fit: 5×7/);
    assert.match(await of({ Q: [5, 2, 5, 4], K: [5, 2, 5, 4], mask: [5, 5] }), /as many inputs in the batch/);
    for (const shapes of [{ Q: [2, 2] }, { Q: [2, 2], K: [0, 2] }, { Q: [2, 2], K: 'x' }, { Q: [2], K: [2, 2] }, { Q: [2, 2], K: [2, 2], W: [1] }])
      assert.equal((await callTool('check_shapes', { shapes }, host)).isError, true);
  }); // prettier-ignore

  it('are given by every tool that is declared', () => {
    assert.equal(new Set(tools.map(({ name }) => name)).size, 4);
  });
});
