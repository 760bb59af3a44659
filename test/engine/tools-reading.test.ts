// What tools for language models read: saved specs, a line of code, matrices and texts; with numbers by NumPy.
import assert from 'node:assert/strict';
import { callTool, matrixDefaults, type AttentionSpec, type ToolHost } from '../../engine/index';
import { createAnswering } from '../../engine/formula';
import { finish, ok } from '../../engine/text';

const host: ToolHost = {
  run: (work) => Promise.resolve(finish(work)),
  read: () => Promise.reject(new Error('no file is asked for')),
  ask: (kind, asked) => Promise.resolve(ok(finish(createAnswering()({ kind, ...asked } as never)).answer as never)),
};
const call = (name: string, input: unknown) => callTool(name, input, host);
const asked = async (name: string, input: unknown): Promise<string> => (await call(name, input)).text;

/** Two heads of one column each: softmax of QKᵀ by head is (0.7311, 0.2689) and (0.5, 0.5) for the first, by NumPy. */
const spec: AttentionSpec = { ...matrixDefaults, start: { from: 'qkv', q: [[1, 0], [0, 1]], k: [[1, 1], [0, 1]], v: [[1, 2], [3, 4]] }, heads: 2 }; // prettier-ignore

const program = `import torch
import torch.nn.functional as F
Q = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
K = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
V = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
first = torch.softmax(Q @ K.T, dim=-1) @ V
second = F.scaled_dot_product_attention(Q, K, V)`;

describe('what tools read', function () {
  this.timeout(30_000);

  it('is a saved spec, whose heads have cells of three indices', async () => {
    const text = JSON.stringify(spec);
    const steps = await asked('explain_attention_cell', { text });
    assert.match(steps, /\nweights {2}2×2×2 {2}/);
    assert.match(await asked('explain_attention_cell', { text, cell: 'weights[0,0,0]', digits: 8 }), /^weights\[0,0,0\] = 0\.73105858\n/); // prettier-ignore
    assert.match(await asked('explain_attention_cell', { text, cell: 'weights[1,0,1]', digits: 8 }), /^weights\[1,0,1\] = 0\.50000000\n/); // prettier-ignore
    const missing = await call('explain_attention_cell', { text, cell: 'weights[0,1]' });
    assert.deepEqual(missing, { isError: true, text: 'weights[0,1] is outside of 2×2×2 (An index from 0 for each of its 3 dimensions is expected.)' }); // prettier-ignore
    for (const cell of ['weights[2,0,0]', 'weights[0,0,2]', 'weights[0,0,0,0]']) assert.ok((await call('explain_attention_cell', { text, cell })).isError, cell); // prettier-ignore
    assert.match(await asked('explain_attention_cell', { text, cell: 'wieghts[0,0,0]' }), /^no step wieghts\[0,0,0\]; the steps are .*weights/); // prettier-ignore
    const damaged = await call('explain_attention_cell', { text: text.replace('"heads":2', '"heads":3') });
    assert.ok(damaged.isError && /heads/.test(damaged.text), damaged.text);
  });

  it('is the attention on a line of code, the first and the last line too, and says which others there are', async () => {
    const cell = 'weights[0,0]';
    const on = (line: number) => call('explain_attention_cell', { text: program, cell, line, digits: 8 });
    assert.match((await on(6)).text, /^weights\[0,0\] = 0\.73105860?\n/);
    const last = await on(7);
    assert.equal(last.isError, false);
    assert.match(last.text, /^weights\[0,0\] = 0\.6697615/);
    assert.match(last.text, /\nnote: Attention 2 of 2: line 6: [^;]+; line 7: /);
    assert.deepEqual(await on(8), { isError: true, text: 'there is no line 8' });
    assert.deepEqual(await on(1), {
      isError: true,
      text: 'line 1: no attention is computed here; the code has it elsewhere: lines 6 to 6: 2×2, one head, no mask; lines 7 to 7: 2×2, one head, no mask',
    });
    assert.match((await call('explain_attention_cell', { text: program, cell, digits: 8 })).text, /= 0\.6697615/);
    assert.deepEqual(await call('explain_attention_cell', { text: program, set: { mask: 'causal' } }), { isError: true, text: 'No field can be set of what code does: change the code.' }); // prettier-ignore
    assert.ok((await call('explain_attention_cell', { text: 'Q = [[1]]\nK = [[1]]\nV = [[1]]', line: 1 })).isError);
  });

  it('says of a text that it has random weights', async () => {
    assert.match(await asked('explain_attention_cell', { text: 'the cat sat' }), /\nnote: No matrix was found: this is a text, with random weights\./); // prettier-ignore
  });

  it('names the roles and sizes of shapes', async () => {
    const shapes = (own: unknown) => call('check_shapes', { shapes: own });
    const wide = 2_147_483_647;
    assert.match((await shapes({ Q: [2, wide], K: [3, wide], V: [3, 5] })).text, /^The shapes fit\./);
    assert.match(
      (await shapes({ q: [2, 4], k: [3, 4], v: [2, 5] })).text,
      /^The shapes do not fit\.\n[^]*\nV 2×5 does not fit K 3×4: each key needs its own row of V; K has 3 rows, V 2\./,
    );
    assert.deepEqual(await shapes({ Q: [2, wide + 1], K: [3, 4] }), { isError: true, text: `shapes.Q: expected 2 to 8 sizes from 1, found [2,${wide + 1}]` }); // prettier-ignore
    assert.deepEqual(await shapes({ Q: [2, 4], W: [3, 4] }), { isError: true, text: 'shapes.W: expected Q, K, V, mask' }); // prettier-ignore
    assert.deepEqual(await shapes({ K: [3, 4] }), { isError: true, text: 'shapes.Q is missing' });
    assert.deepEqual(await shapes({ Q: [3, 4] }), { isError: true, text: 'shapes.K is missing' });
  });

  it('finds the attention that a result is of, among several of one program', async () => {
    const first = '[[0.73105858, 0.26894142], [0.5, 0.5]]';
    const of = await asked('check_attention_numbers', { text: program, result: first });
    assert.match(
      of,
      /^the result is step 5, A, as the code computes it: every number, to 6 digits after the point\.\n/,
    );
    assert.match(of, /\nTo check in line 6: /);
    assert.match(await asked('check_attention_numbers', { text: program, result: '[[0.66976155, 0.33023845], [0.5, 0.5]]' }), /^the result is/); // prettier-ignore
  });
});
