/** Attention of public code that was refused once, in programs of our own that have the same cause. */
import assert from 'node:assert/strict';
import { explainAttention, type AttentionTrace } from '../../engine/index';
import { readingAttention, type ProgramSpec } from '../../engine/program/explain/text';
import { valuesOf } from '../../engine/run/hash';
import { finish } from '../../engine/text/pace';

const lines = (...all: readonly string[]): string => all.join('\n');

function shown(text: string, mark?: string): ProgramSpec {
  const start = mark === undefined ? undefined : text.indexOf(mark);
  const found = finish(readingAttention(text, start === undefined ? undefined : { start, end: start + 1 }));
  assert.ok(found?.ok, found && !found.ok ? JSON.stringify(found.problems) : 'no attention');
  return found.value;
}

function traced({ spec }: ProgramSpec): AttentionTrace {
  const trace = explainAttention(spec);
  assert.ok(trace.ok, JSON.stringify(trace));
  return trace.value;
}

const shapesOf = (trace: AttentionTrace): Readonly<Record<string, string>> =>
  Object.fromEntries(trace.plan.steps.map(({ id, shape }) => [id, shape.join('×')]));

describe('attention that was refused', () => {
  const wide = lines(
    'import torch',
    'import torch.nn as nn',
    'class Attention(nn.Module):',
    '    def __init__(self, d_model, num_heads):',
    '        super().__init__()',
    '        self.num_heads = num_heads',
    '        self.qkv = nn.Linear(d_model, 3 * d_model)',
    '    def forward(self, x):',
    '        b, n, d = x.shape',
    '        q, k, v = self.qkv(x).view(b, n, 3, self.num_heads, d // self.num_heads).permute(2, 0, 3, 1, 4)',
    '        weights = torch.softmax(q @ k.transpose(-2, -1) / (d // self.num_heads) ** 0.5, dim=-1)',
    '        return (weights @ v).transpose(1, 2).reshape(b, n, d)',
    'torch.manual_seed(0)',
    'out = Attention(768, 12)(torch.randn(8, 1024, 768))',
  );

  it('is shown with sizes that stand in where the code’s own are too large, and says so', () => {
    for (const mark of [undefined, 'weights =', 'Attention(768']) {
      const found = shown(wide, mark);
      const { steps } = traced(found).plan;
      assert.deepEqual(steps.filter(({ standIn }) => !standIn).map(({ id }) => id), []); // prettier-ignore
      assert.match(found.notes[0]?.message ?? '', /8×12×1024×1024/);
    }
  });

  it('is shown with the code’s own sizes where they are small enough', () => {
    const found = shown(wide.replace('8, 1024, 768', '2, 5, 768'));
    assert.equal(shapesOf(traced(found))['weights'], '2×12×5×5');
    assert.ok(traced(found).plan.steps.some(({ standIn }) => !standIn));
  });

  const numbers = (trace: AttentionTrace, id: string): readonly number[] => {
    const step = trace.plan.steps.find((one) => one.id === id);
    assert.ok(step, id);
    return [...valuesOf(trace, step)];
  };

  /** The same attention, with the axes in the order that a step has. */
  const plain = lines(
    'import torch',
    'torch.manual_seed(1)',
    'q, k, v = torch.randn(3, 2, 2, 4), torch.randn(5, 2, 2, 4), torch.randn(5, 2, 2, 4)',
    'mask = torch.rand(3, 5) > 0.3',
  );
  const inOrder = lines(
    plain,
    'scores = (q.permute(1, 2, 0, 3) @ k.permute(1, 2, 3, 0)) * 0.5',
    "scores = scores.masked_fill(~mask, float('-inf'))",
    'w = scores.softmax(dim=-1)',
    'out = (w @ v.permute(1, 2, 0, 3)).permute(2, 0, 1, 3)',
  );
  const apart = lines(
    plain,
    "scores = torch.einsum('ibhd,jbhd->ijbh', q, k) * 0.5",
    "scores = scores.masked_fill(~mask.unsqueeze(-1).unsqueeze(-1), float('-inf'))",
    'w = scores.softmax(dim=1)',
    "out = torch.einsum('ijbh,jbhd->ibhd', w, v)",
  );
  const joinedAxes = lines(
    plain,
    'q, k, v = [x.permute(1, 2, 0, 3).reshape(1, 2, 1, 2, -1, 4) for x in (q, k, v)]',
    'scores = q @ k.transpose(-2, -1) * 0.5',
    "scores = scores.masked_fill(~mask, float('-inf'))",
    'w = torch.softmax(scores, -1)',
    'out = w @ v',
  );

  it('is shown with queries and keys last, wherever the code has them, and says so', () => {
    const wanted = traced(shown(inOrder));
    for (const text of [apart, joinedAxes]) {
      const found = shown(text);
      const own = traced(found);
      assert.equal(shapesOf(own)['weights'], '2×2×3×5');
      assert.match(found.notes[0]?.message ?? '', /shown as 2×2×3×5/);
      for (const part of ['scores', 'weights']) assert.deepEqual(numbers(own, part), numbers(wanted, part), part);
      assert.ok(own.plan.steps.some(({ id, role }) => id === 'masked' && role === 'scores'));
    }
  });

  it('has the lines of the code in each step of axes that were put in order', () => {
    const { steps } = traced(shown(apart)).plan;
    const line = (id: string): number | undefined => steps.find((step) => step.id === id)?.line;
    assert.deepEqual(['scores', 'masked', 'weights', 'output'].map(line), [5, 6, 7, 8]);
  });

  it('is refused where an axis in between is not followed', () => {
    const found = finish(readingAttention(apart.replace('dim=1)', 'dim=0)').replace('jbhd->ibhd', 'jbhd->jbhd'), undefined)); // prettier-ignore
    assert.ok(found === undefined || !found.ok);
  });

  it('is shown where a class that nothing calls has tokens before the batch, and keys say no shape', () => {
    const text = lines(
      'import torch',
      'from torch import nn',
      'class Attention(nn.Module):',
      '    def __init__(self, heads, d_model):',
      '        super().__init__()',
      '        self.heads, self.d_k = heads, d_model // heads',
      '        self.to_q, self.to_k, self.to_v = [nn.Linear(d_model, d_model) for _ in range(3)]',
      '        self.dropout = nn.Dropout(0.1)',
      '    def split(self, x):',
      '        return x.view(*x.shape[:-1], self.heads, self.d_k)',
      '    def forward(self, query, key, value):',
      '        length, batch, _ = query.shape',
      '        q, k, v = self.split(self.to_q(query)), self.split(self.to_k(key)), self.split(self.to_v(value))',
      "        weights = self.dropout(torch.einsum('ibhd,jbhd->ijbh', q, k).div(self.d_k ** 0.5).softmax(dim=1))",
      "        return torch.einsum('ijbh,jbhd->ibhd', weights, v).reshape(length, batch, -1)",
    );
    const trace = traced(shown(text));
    assert.equal(shapesOf(trace)['weights'], '1×2×5×5');
    assert.equal(shapesOf(trace)['wq'], '8×8');
  });

  it('is found from the line that makes its layers', () => {
    const text = lines(
      'import torch',
      'class Attention(torch.nn.Module):',
      '    def __init__(self, d):',
      '        super().__init__()',
      '        self.q, self.k, self.v = torch.nn.Linear(d, d), torch.nn.Linear(d, d), torch.nn.Linear(d, d)',
      '    def forward(self, x):',
      '        return torch.softmax(self.q(x) @ self.k(x).transpose(-2, -1), -1) @ self.v(x)',
      'torch.manual_seed(0)',
      'self_attention = Attention(8)',
      'x = torch.randn(1, 3, 8)',
      'out = self_attention(x)',
      'other = torch.nn.Linear(3, 3)',
    );
    assert.equal(shapesOf(traced(shown(text, 'self_attention =')))['weights'], '1×3×3');
    const found = finish(readingAttention(text, { start: text.indexOf('other'), end: text.length }));
    assert.ok(found === undefined || !found.ok);
  });

  it('is that of one call of flash attention or of xFormers', () => {
    const [q, kv] = ['q = torch.randn(2, 4, 4, 6)', 'k, v = torch.randn(2, 5, 2, 6), torch.randn(2, 5, 2, 6)'];
    const calls = [
      ['from flash_attn import flash_attn_func', 'out = flash_attn_func(q, k, v, causal=True)', '2×4×4×5'],
      ['import xformers.ops as xops', 'out = xops.memory_efficient_attention(q[:, :, :2], k, v)', '2×2×4×5'],
    ];
    for (const [imported = '', call = '', weights] of calls) {
      const found = shown(lines('import torch', imported, 'torch.manual_seed(0)', q, kv, call));
      assert.equal(shapesOf(traced(found))['weights'], weights);
      assert.deepEqual(found.notes, []);
    }
  });

  it('is shown in windows, whose size is a pair and says how many tokens there are', () => {
    const text = lines(
      'import torch',
      'import torch.nn as nn',
      'class WindowAttention(nn.Module):',
      '    def __init__(self, dim, window_size, num_heads):',
      '        super().__init__()',
      '        self.window_size, self.num_heads = window_size, num_heads',
      '        self.table = nn.Parameter(torch.zeros((2 * window_size[0] - 1) * (2 * window_size[1] - 1), num_heads))',
      '        rows, columns = torch.arange(self.window_size[0]), torch.arange(self.window_size[1])',
      '        places = torch.stack(torch.meshgrid([rows, columns])).flatten(1)',
      '        apart = (places[:, :, None] - places[:, None, :]).permute(1, 2, 0).contiguous()',
      '        apart[:, :, 0] += self.window_size[0] - 1',
      '        apart[:, :, 1] += self.window_size[1] - 1',
      '        apart[:, :, 0] *= 2 * self.window_size[1] - 1',
      "        self.register_buffer('index', apart.sum(-1))",
      '        self.qkv = nn.Linear(dim, dim * 3)',
      '        self.proj = nn.Linear(dim, dim)',
      '    def forward(self, x, mask=None):',
      '        B_, N, C = x.shape',
      '        q, k, v = self.qkv(x).reshape(B_, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4).unbind(0)',
      '        scores = (q * (C // self.num_heads) ** -0.5) @ k.transpose(-2, -1)',
      '        bias = self.table[self.index.view(-1)].view(self.window_size[0] * self.window_size[1], self.window_size[0] * self.window_size[1], -1)',
      '        weights = (scores + bias.permute(2, 0, 1).contiguous().unsqueeze(0)).softmax(dim=-1)',
      '        return self.proj((weights @ v).transpose(1, 2).reshape(B_, N, C))',
    );
    assert.match(shapesOf(traced(shown(text)))['weights'] ?? '', /×2×4×4$/);
  });
});
