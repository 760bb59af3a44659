import assert from 'node:assert/strict';
import { hasAttentionCode } from '../../engine/python/words';
import { validateSpec, type AttentionAnswer } from '../../engine/index';
import { createAnswering } from '../../engine/program/serve/answer';
import { finish } from '../../engine/text/pace';
import { handWritten } from './program-compare';

describe('questions about programs', () => {
  const text = 'import torch\nx = torch.ones(2, 3)\ny = torch.softmax(x @ x.T, dim=-1) @ x\n';

  it('are answered with plain data, and a text that was read is not read again', () => {
    const answer = createAnswering();
    const work = (question: Parameters<typeof answer>[0]): { steps: number; value: unknown } => {
      const paced = answer(question);
      for (let steps = 0; ; steps++) {
        const part = paced.next();
        if (part.done) return { steps, value: part.value };
      }
    };
    const first = work({ kind: 'places', text });
    const again = work({ kind: 'places', text });
    assert.deepEqual(structuredClone(first.value), again.value);
    assert.ok(first.steps >= 3 && again.steps === 0, `${first.steps}, then ${again.steps}`);
    const value = finish(answer({ kind: 'value', text, offset: text.indexOf('y =') })).answer;
    assert.deepEqual(structuredClone(value), value);
    assert.equal((value as { shape?: string }).shape, '2×3');
  });

  it('give the attention at a place as a spec, of the program that was read', () => {
    const answer = createAnswering();
    finish(answer({ kind: 'places', text }));
    const at = { start: text.indexOf('torch.softmax'), end: text.indexOf(' @ x\n') };
    const found = finish(answer({ kind: 'attention', text, at })).answer as AttentionAnswer;
    assert.ok(found.is === 'found', JSON.stringify(found));
    assert.deepEqual(structuredClone(found), found);
    const { spec, all, which } = found;
    assert.deepEqual([all.length, which, spec.start.from], [1, 0, 'program']);
    assert.ok(validateSpec(JSON.parse(JSON.stringify(spec))).ok);
    assert.deepEqual(finish(answer({ kind: 'attention', text: 'import torch\nx = 1\n', at })).answer, { is: 'none' });
  });

  it('give the step that a printed part belongs to', () => {
    const batch = 'import torch\nx = torch.ones(2, 3, 4)\ny = torch.softmax(x @ x.mT, dim=-1) @ x\nprint(y[0])\nprint(y.sum())\n';
    const stepAt = (of: number): unknown => {
      const found = finish(createAnswering()({ kind: 'attention', text: batch, at: { start: of, end: of }, of })).answer as AttentionAnswer;
      return found.is === 'found' ? found.step : found.is;
    };
    assert.deepEqual([stepAt(batch.indexOf('print(y[0]')), stepAt(batch.indexOf('print(y.sum'))], ['output', 'refused']);
  }); // prettier-ignore

  it('compare weights whose rows are keys with standard attention, in its order', () => {
    const columns = 'import torch\ntorch.manual_seed(5)\nQ, K, V = torch.randn(4, 5), torch.randn(4, 5), torch.randn(4, 5)\nS = K.T @ Q / 2\nA = torch.softmax(S, dim=0)\nout = V @ A\n';
    const nearest = (one: string): unknown => {
      const found = finish(createAnswering()({ kind: 'attention', text: one })).answer as AttentionAnswer;
      return found.is === 'found' && [found.nearest?.says.split(',')[0], found.nearest?.differs.map(({ step }) => step)];
    };
    assert.deepEqual(nearest(columns), ['To line 6 the numbers are those of standard attention', []]);
    assert.deepEqual(nearest(columns.replace('dim=0', 'dim=1')), ['Line 5 differs from standard attention', ['weights', 'weights', 'output']]);
  }); // prettier-ignore

  it('say which modules are missing, and are answered with them', () => {
    const answer = createAnswering();
    const asking = 'import torch, os\nfrom .layers import attend\ny = attend(torch.ones(2, 3))\n';
    const attend = 'import torch\ndef attend(x):\n    return torch.softmax(x @ x.T, dim=-1) @ x\n';
    // What is imported from a package may be a module of it.
    const without = finish(answer({ kind: 'attention', text: asking }));
    assert.deepEqual(
      [without.missing, (without.answer as AttentionAnswer).is],
      [['.layers', '.layers.attend'], 'none'],
    );
    const files = [{ module: '.layers', text: attend, isPackage: false }];
    const found = finish(answer({ kind: 'attention', text: asking, files }));
    assert.deepEqual([found.missing, (found.answer as AttentionAnswer).is], [[], 'found']);
    // A file that changed is another program.
    const other = [{ ...(files[0] as (typeof files)[number]), text: attend.replace('softmax', 'relu') }];
    assert.equal((finish(answer({ kind: 'attention', text: asking, files: other })).answer as AttentionAnswer).is, 'none'); // prettier-ignore
  });

  it('are refused with the first cause where no stand-in sizes make the code run, and never show a stand-in as a number of the code', () => {
    const ask = (question: Parameters<ReturnType<typeof createAnswering>>[0]) => finish(createAnswering()(question)).answer; // prettier-ignore
    const uncalled = (first: string): string =>
      `import torch\ndef attend(q, k, v):\n    ${first}\n    w = torch.softmax(q @ k.transpose(-2, -1) * 0, dim=-1)\n    return w @ v\n`;
    const never = uncalled('assert q.shape[-1] == k.shape[-1] + 1');
    const at = { start: never.indexOf('softmax'), end: never.indexOf('softmax') + 1 };
    const refused = ask({ kind: 'attention', text: never, at }) as AttentionAnswer;
    assert.ok(refused.is === 'refused', JSON.stringify(refused));
    assert.match(refused.problems[0]?.message ?? '', /no stand-in sizes were found with which it runs: AssertionError/);
    const sampled = uncalled('pass');
    const found = ask({ kind: 'attention', text: sampled }) as AttentionAnswer;
    assert.ok(found.is === 'found' && found.spec.start.from === 'program' && found.spec.start.seed !== undefined);
    // Its scores are 0, of stand-ins.
    const number = ask({ kind: 'number', text: sampled, number: { text: '0.', offset: 0 } });
    assert.deepEqual((number as { places: unknown }).places, []);
  });

  it('tell layers that are copies apart, by their place in the model', () => {
    const model = [
      'import copy, torch, torch.nn as nn',
      'class Attention(nn.Module):',
      '    def __init__(self, d):',
      '        super().__init__()',
      '        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)',
      '    def forward(self, x):',
      '        return torch.softmax(self.q(x) @ self.k(x).transpose(-2, -1) / 2, dim=-1) @ self.v(x)',
      'class Layer(nn.Module):',
      '    def __init__(self, d):',
      '        super().__init__()',
      '        self.self_attn = Attention(d)',
      '    def forward(self, x):',
      '        return x + self.self_attn(x)',
      'class Model(nn.Module):',
      '    def __init__(self, layer, n):',
      '        super().__init__()',
      '        self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(n)])',
      '    def forward(self, x):',
      '        for layer in self.layers:',
      '            x = layer(x)',
      '        return x',
      'torch.manual_seed(0)',
      'model = Model(Layer(4), 3)',
      'y = model(torch.randn(5, 4))',
    ].join('\n');
    const found = finish(createAnswering()({ kind: 'attention', text: model })).answer as AttentionAnswer;
    assert.ok(found.is === 'found');
    const paths = found.all.map(({ label }) => label.split(',')[0]);
    // As named_modules() of PyTorch says them.
    assert.deepEqual(paths, ['layers.0.self_attn', 'layers.1.self_attn', 'layers.2.self_attn']);
  });

  it('are asked where a text has the words of attention, in whatever library', () => {
    const attends = [
      'w = torch.softmax(s, dim=-1)',
      'import numpy as np\nw = np.exp (s)',
      'x = layers.MultiHeadAttention(4, 16)(x, x)',
      'y = layers.Attention()([q, v])',
      'y = tf.keras.layers.AdditiveAttention()([q, v])',
      'from tensorflow.keras.layers import AdditiveAttention',
      'y = nn.dot_product_attention(q, k, v)',
      'y = nn.MultiHeadDotProductAttention(num_heads=4)(x)',
      'out = flash_attn_func(q, k, v)',
      'out = xops.memory_efficient_attention(q, k, v)',
      'h = nn.TransformerEncoderLayer(16, 4)',
      ...handWritten().map((one) => one.text).filter((text) => /softmax/.test(text)),
    ]; // prettier-ignore
    for (const one of attends) assert.equal(hasAttentionCode(one), true, one.slice(0, 80));
    const others = [
      'x = 1',
      'softmax',
      'def expand(x): return x',
      'y = layers.Dense(4)(x)',
      'attention = None',
      'class Attentive: x = 1',
    ];
    for (const one of others) assert.equal(hasAttentionCode(one), false, one);
  });
});
