// Shapes that stand in, on the lines of code that nothing calls: one input of 5 tokens and 6 keys, width 8, two heads of width 4; functions are as wide
// as a head. Names of sizes say which is which: no two of them are equal.
import assert from 'node:assert/strict';
import { runProgram } from '../../engine/program/program';
import { linesOf } from '../../engine/program/places/index';

const imports = 'import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n';
const core = ['w = (q @ k.transpose(-2, -1)).softmax(-1)', 'return w @ v'];
const masked = (test: string): string[] => ['s = q @ k.transpose(-2, -1)', `w = s.masked_fill(${test}, -torch.inf).softmax(-1)`, 'return w @ v']; // prettier-ignore
const definition = (params: string, body: readonly string[], indent = ''): string =>
  `${indent}def ${indent ? 'forward' : 'attend'}(${params}):\n${body.map((line) => `${indent}    ${line}\n`).join('')}`;
const attend = (params: string, ...body: string[]): string => imports + definition(params, body);
const layer = (params: string, made: readonly string[], given: string, ...body: string[]): string =>
  `${imports}class Layer(nn.Module):\n    def __init__(self, ${params}):\n        super().__init__()\n${made.map((line) => `        ${line}\n`).join('')}${definition(`self, ${given}`, body, '    ')}`; // prettier-ignore

/** `w: 5×5`, by what a line begins with. */
function shapes(text: string): (line: string) => string | undefined {
  const lines = linesOf(text, runProgram(text, { watch: true }));
  return (line) => lines.find(({ range }) => text.slice(range.start, range.end).trimStart().startsWith(line))?.label;
}

const cases: readonly (readonly [name: string, text: string, lines: Readonly<Record<string, string>>])[] = [
  ['a function', attend('q, k, v', ...core), { 'def attend': '~ 5×4 each', w: '~ 5×5', return: '~ 5×4' }],
  ['a context of another length', attend('x, context', 'q = x', 'k = v = context', ...core), { 'def attend': '~ x 5×4, context 6×4', w: '~ 5×6' }],
  ['a mask', attend('q, k, v, mask', ...masked('mask == 0')), { 'def attend': '~ q 5×4, k 5×4, v 5×4, mask 5×5 bool', w: '~ 5×5' }],
  ['weights and a bias as arguments', attend('x, W_q, W_k, b_q', 'q = x @ W_q + b_q', 'k = v = x @ W_k', ...core), { 'def attend': '~ x 5×4, W_q 4×4, W_k 4×4, b_q (4,)', w: '~ 5×5' }],
  ['four axes', attend('q, k, v', 'B, H, T, D = q.shape', ...core), { 'def attend': '~ q B×H×T×D, k 1×2×5×8, v 1×2×5×8', w: '~ 1×2×5×5' }],
  ['rotations', attend('q, k, v, cos, sin', 'q = q * cos + q * sin', ...core), { 'def attend': '~ q 5×4, k 5×4, v 5×4, cos 1×5×4, sin 1×5×4', w: '~ 1×5×5' }],
  ['complex rotations', attend('q, k, v, freqs_cis', 'x = torch.view_as_complex(q.reshape(*q.shape[:-1], -1, 2)) * freqs_cis', 'q = torch.view_as_real(x).flatten(-2)', ...core), { 'q =': '~ 5×4', w: '~ 5×5' }],
  ['a height and a width', attend('x, H, W', 'q = k = v = x', 'r = x.new_zeros(H, W)', ...core), { r: '~ 2×4', w: '~ 5×5' }],
  ['layers as arguments', attend('x, proj, norm', 'q = k = v = proj(norm(x))', ...core), { 'q =': '~ 5×4', w: '~ 5×5' }],
  ['ids', layer('vocab_size, d_model', ['self.e = nn.Embedding(vocab_size, d_model)'], 'idx', 'q = k = v = self.e(idx)', ...core), { 'def forward': '~ idx 1×5 int64', 'q =': '~ 1×5×8', w: '~ 1×5×5' }],
  ['a configuration', layer('config', ['self.h = config.n_head', 'self.c = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)'], 'x', 'B, T, C = x.size()', 'q, k, v = self.c(x).split(C, dim=2)', 'q = q.view(B, T, self.h, C // self.h).transpose(1, 2)', 'k = k.view(B, T, self.h, C // self.h).transpose(1, 2)', 'return (q @ k.transpose(-2, -1)).softmax(-1)'), { 'q, k, v': '~ 1×5×8 each', 'q = q.view': '~ 1×2×5×4', return: '~ 1×2×5×5' }],
  ['a width for each head', layer('d_model, n_heads, d_head', ['self.h, self.d = n_heads, d_head', 'self.q = nn.Linear(d_model, n_heads * d_head)'], 'x', 'q = self.q(x)', 'q = q.reshape(x.shape[0], x.shape[1], self.h, self.d).transpose(1, 2)', 'y = torch.cat([q, q], -1)', 'w = (q @ q.transpose(-2, -1)).softmax(-1)', 'return (w @ q)[0, 0]'), { return: '~ 5×4' }],
  ['positions of a table', layer('max_len, d_model', ['self.p = nn.Embedding(max_len, d_model)'], 'x', 'p = self.p(torch.arange(x.shape[1]))', 'q = k = v = x + p', ...core), { w: '~ 1×5×5' }],
  ['a size of the module', `vocab_size = len(set(open('input.txt').read()))\n${layer('d_model', ['self.e = nn.Embedding(vocab_size, d_model)', 'self.o = nn.Linear(d_model, vocab_size)'], 'idx', 'q = k = v = self.e(idx)', 'w = (q @ k.transpose(-2, -1)).softmax(-1)', 'return self.o(w @ v)')}`, { w: '~ 1×5×5', return: '~ 1×5×11' }],
  ['a class of settings, with its own factors and words', `from dataclasses import dataclass\n@dataclass\nclass Args:\n    dim: int = 512\n    sharper: float = 2.0\n    way: str = 'dot'\n${layer('args: Args', ['self.q = nn.Linear(args.dim, args.dim)', 'self.sharper = args.sharper / 2', 'self.way = args.way'], 'x', 'q = k = v = self.q(x) * self.sharper', "s = q @ k.transpose(-2, -1) if self.way == 'dot' else q", 'return s.softmax(-1) @ v')}`, { 'q =': '~ 1×5×8', 's =': '~ 1×5×5' }],
  ['a mask of keys that an assertion asks for', attend('q, k, v, key_padding_mask=None', 'tgt_len, bsz, d = q.size()', 'k = k + 0 * q', 'if key_padding_mask is not None:', '    assert key_padding_mask.size(0) == bsz', '    assert key_padding_mask.size(1) == tgt_len', 's = q.transpose(0, 1) @ k.permute(1, 2, 0)', 'if key_padding_mask is not None:', '    s = s.masked_fill(key_padding_mask[:, None], -torch.inf)', 'return s.softmax(-1) @ v.transpose(0, 1)'), { 's = s.masked': '~ 1×5×5' }],
  ['what stands behind a library that is asked first', attend('q, k, v, by_hand=False', 'if not by_hand and torch.jit.is_scripting() is False and k is not None:', '    return F.scaled_dot_product_attention(q, k, v)', ...core), { w: '~ 5×5' }],
  ['the way of another word, and of another number', attend("q, k, v, way='row', temperature=1.0", "if way == 'row':", '    s = q @ k.transpose(-2, -1)', 'else:', '    t = torch.cat([k, k]) @ q.transpose(-2, -1)', '    s = t.transpose(-2, -1)', 'if temperature == 1.0:', '    s = s / 2', 'else:', '    u = s / temperature', '    s = u', 'return s.softmax(-1) @ v'), { u: '~ 5×5' }],
]; // prettier-ignore

describe('shapes that stand in', () => {
  for (const [name, text, lines] of cases)
    it(`of ${name}`, () => {
      const label = shapes(text);
      assert.deepEqual(Object.fromEntries(Object.keys(lines).map((line) => [line, label(line)])), lines);
    });
});
