/** Mistakes of the code doctor's rules, planted one at a time in right programs (test/fixtures/doctor/): a piece of the program, and what stands there instead. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleId } from '../../engine/program/doctor/rules';

export interface Planted {
  readonly rule: RuleId;
  readonly program: keyof typeof programs;
  /** Right, then wrong, in turn. */
  readonly pieces: readonly (readonly [right: string, wrong: string])[];
  /** Whether the doctor mends it. */
  readonly mended: boolean;
}

const file = (name: string): string => readFileSync(join(__dirname, '../fixtures/doctor', `${name}.py`), 'utf8');

export const programs = {
  'numpy_plain': file('numpy_plain'),
  'numpy_heads': file('numpy_heads'),
  'torch_functions': file('torch_functions'),
  'torch_module': file('torch_module'),
  'torch_cross': file('torch_cross'),
  'torch_padding': file('torch_padding'),
  'torch_encoder': file('torch_encoder'),
  'torch_grouped': file('torch_grouped'),
  'torch_given_mask': file('torch_given_mask'),
  'torch_given_bias': file('torch_given_bias'),
  'torch_cached': file('torch_cached'),
  'torch_generating': file('torch_generating'),
  'torch_rotary': file('torch_rotary'),
  'torch_looped': file('torch_looped'),
  'torch_wide': file('torch_wide'),
} as const; // prettier-ignore

const planted = (rule: RuleId, program: Planted['program'], mended: boolean, ...pieces: Planted['pieces']): Planted => ({ rule, program, pieces, mended }); // prettier-ignore

export const cases: readonly Planted[] = [
  planted('softmax-axis', 'torch_module', true, ['wei = F.softmax(wei, dim=-1)', 'wei = F.softmax(wei, dim=-2)']),
  planted('softmax-axis', 'torch_functions', true, ['F.softmax(scores, dim=-1)', 'F.softmax(scores, 1)']),
  planted('softmax-axis', 'numpy_plain', true, ['np.exp(scores).sum(axis=-1, keepdims=True)', 'np.exp(scores).sum(axis=0, keepdims=True)']),
  planted('softmax-axis', 'numpy_heads', true, ['softmax(S, axis=-1)', 'softmax(S, axis=0)']),
  planted('softmax-matrix', 'numpy_plain', true, ['np.exp(scores).sum(axis=-1, keepdims=True)', 'np.exp(scores).sum()']),
  planted('softmax-matrix', 'torch_functions', false, ['p = F.softmax(scores, dim=-1)', 'p = F.softmax(scores.flatten(-2), dim=-1).view_as(scores)']),
  planted('softmax-twice', 'torch_module', true, ['wei = F.softmax(wei, dim=-1)', 'wei = F.softmax(F.softmax(wei, dim=-1), dim=-1)']),
  planted('softmax-twice', 'torch_functions', true, ['return torch.matmul(p, v)', 'return torch.matmul(torch.softmax(p, dim=-1), v)']),
  planted('softmax-twice', 'numpy_heads', true, ['A = softmax(S, axis=-1)', 'A = softmax(softmax(S, axis=-1), axis=-1)']),
  planted('mask-after-softmax', 'torch_module', true, ["        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))\n", ''], ['wei = F.softmax(wei, dim=-1)', 'wei = F.softmax(wei, dim=-1) * self.tril[:T, :T]']),
  planted('mask-after-softmax', 'numpy_plain', true, ['scores = np.where(mask == 1, -np.inf, scores)\n', ''], ['out = weights @ V', 'out = (weights * (1 - mask)) @ V']),
  planted('mask-after-softmax', 'torch_functions', true, ['scores = scores.masked_fill(mask == 0, float(\'-inf\'))', 'keep = mask'], ['    return torch.matmul(p, v)', '    p = p.masked_fill(mask == 0, 0.0)\n    return torch.matmul(p, v)']),
  planted('mask-inverted', 'torch_module', true, ['self.tril[:T, :T] == 0', 'self.tril[:T, :T] == 1']),
  planted('mask-inverted', 'numpy_plain', true, ['np.where(mask == 1, -np.inf, scores)', 'np.where(mask == 1, scores, -np.inf)']),
  planted('mask-inverted', 'torch_functions', true, ['torch.tril(torch.ones(T, T))', 'torch.triu(torch.ones(T, T))']),
  planted('mask-off-by-one', 'torch_module', true, ['torch.tril(torch.ones(block_size, block_size))', 'torch.tril(torch.ones(block_size, block_size), diagonal=-1)']),
  planted('mask-off-by-one', 'numpy_plain', true, ['np.triu(np.ones((n, n)), k=1)', 'np.triu(np.ones((n, n)))']),
  planted('mask-off-by-one', 'torch_functions', true, ['torch.tril(torch.ones(T, T))', 'torch.ones(T, T).tril(1)']),
  planted('mask-off-by-one', 'numpy_heads', true, ['np.triu(np.full((n, n), -1e9), k=1)', 'np.triu(np.full((n, n), -1e9), k=2)']),
  planted('mask-hides-own', 'torch_functions', true, ['mask = torch.tril(torch.ones(T, T))', 'mask = torch.tril(torch.ones(T, T), diagonal=-1)\n    mask[0, 0] = 1']),
  planted('mask-hides-own', 'numpy_plain', true, ['np.triu(np.ones((n, n)), k=1)', 'np.triu(np.ones((n, n)), k=0)\nmask[0, 0] = 0']),
  planted('mask-fill', 'torch_module', true, ["self.tril[:T, :T] == 0, float('-inf'))", 'self.tril[:T, :T] == 0, 0)']),
  planted('mask-fill', 'torch_functions', true, ["mask == 0, float('-inf'))", 'mask == 0, 1e-9)']),
  planted('mask-fill', 'numpy_plain', true, ['np.where(mask == 1, -np.inf, scores)', 'np.where(mask == 1, -1, scores)']),
  planted('mask-fill', 'numpy_heads', false, ['S + np.triu(np.full((n, n), -1e9), k=1)', 'S + np.triu(np.ones((n, n)), k=1)']),
  planted('mask-fill', 'torch_module', true, ["wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))", 'wei * self.tril[:T, :T]']),
  planted('mask-fill', 'torch_padding', true, ["float('-inf')", "float('inf')"]),
  planted('mask-fill', 'torch_module', true, ["float('-inf')", "-float('-inf')"]),
  planted('mask-fill', 'torch_padding', false, ["scores.masked_fill(mask == 0, float('-inf'))", 'scores + mask']),
  planted('mask-fill', 'torch_padding', false, ["scores.masked_fill(mask == 0, float('-inf'))", 'scores - (~mask).float()']),
  planted('mask-fill', 'torch_given_mask', false, ['(1 - attention_mask[:, None, None, :]) * -1e9', 'attention_mask[:, None, None, :]']),
  planted('mask-fill', 'torch_padding', false, ['weights = torch.softmax(scores, dim=-1)', 'weights = torch.softmax(torch.tanh(scores), dim=-1)']),
  planted('mask-padding', 'torch_padding', true, ['masked_fill(mask == 0,', 'masked_fill(mask,']),
  planted('mask-padding', 'torch_padding', true, [' < lengths[:, None]', ' >= lengths[:, None]']),
  planted('mask-padding', 'torch_encoder', true, ['key_padding_mask=pad', 'key_padding_mask=~pad']),
  planted('mask-padding', 'torch_encoder', true, ['pad = ids == 0', 'pad = ids != 0']),
  planted('mask-padding', 'torch_encoder', false, ['pad = ids == 0', 'pad = (ids == 0).flip(1)']),
  planted('mask-padding', 'torch_encoder', false, ['pad = ids == 0', 'pad = (ids == 0).roll(1, 0)']),
  planted('mask-padding', 'torch_encoder', true, [', padding_idx=0', ''], ['key_padding_mask=pad', 'key_padding_mask=~pad']),
  planted('mask-padding', 'torch_encoder', true, ['key_padding_mask=pad', 'attn_mask=pad[:, None, :].expand(3, 5, 5).repeat(2, 1, 1)']),
  planted('mask-unused', 'torch_padding', true, ['scores = scores.masked_fill(', 'scores.masked_fill(']),
  planted('mask-unused', 'torch_module', true, ['wei = wei.masked_fill(', 'wei.masked_fill(']),
  planted('mask-unused', 'torch_module', true, ["wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))", "wei + torch.where(self.tril[:T, :T] == 0, float('-inf'), 0.0)"]),
  planted('mask-hides-all', 'torch_functions', false, ['mask = torch.tril(torch.ones(T, T))', 'mask = torch.tril(torch.ones(T, T))\n    mask[0] = 0']),
  planted('mask-hides-all', 'numpy_plain', false, ['mask = np.triu(np.ones((n, n)), k=1)', 'mask = np.triu(np.ones((n, n)), k=1)\nmask[2] = 1']),
  planted('scale-without-root', 'torch_functions', true, ['/ math.sqrt(d_k)', '/ d_k']),
  planted('scale-without-root', 'numpy_plain', true, ['Q @ K.T / np.sqrt(d)', 'Q @ K.T / d']),
  planted('scale-without-root', 'torch_module', false, ['* head_size ** -0.5', '* head_size ** -1']),
  planted('scale-inverse', 'torch_module', true, ['* head_size ** -0.5', '* head_size ** 0.5']),
  planted('scale-inverse', 'numpy_plain', true, ['Q @ K.T / np.sqrt(d)', 'Q @ K.T * np.sqrt(d)']),
  planted('scale-after-softmax', 'torch_functions', true, ['/ math.sqrt(d_k)', ''], ['p = F.softmax(scores, dim=-1)', 'p = F.softmax(scores, dim=-1) / math.sqrt(d_k)']),
  planted('scale-after-softmax', 'numpy_heads', true, [') / np.sqrt(d_k)', ')'], ["np.einsum('hij,hjd->hid', A, V)", "np.einsum('hij,hjd->hid', A / np.sqrt(d_k), V)"]),
  planted('scale-width', 'torch_module', true, ['* head_size ** -0.5', '* C ** -0.5']),
  planted('scale-width', 'numpy_heads', true, ['/ np.sqrt(d_k)', '/ np.sqrt(d_model)']),
  planted('scale-none', 'torch_module', true, [' * head_size ** -0.5', '']),
  planted('scale-none', 'numpy_plain', true, [' / np.sqrt(d)', '']),
  planted('scale-other', 'torch_functions', false, ['/ math.sqrt(d_k)', '/ 7']),
  planted('scale-other', 'numpy_heads', false, ['/ np.sqrt(d_k)', '* 0.125']),
  planted('heads-split', 'torch_module', true, ['self.query(x).view(B, T, self.n_head, head_size).transpose(1, 2)', 'self.query(x).view(B, self.n_head, T, head_size)']),
  planted('heads-split', 'torch_wide', true, ['self.k_proj(x).view(B, T, self.n_heads, self.d_head).transpose(1, 2)', 'self.k_proj(x).view(B, self.n_heads, T, self.d_head)']),
  planted('heads-split', 'torch_functions', true, ['(x @ w_v).view(B, T, h, d).transpose(1, 2)', '(x @ w_v).view(B, h, T, d)']),
  planted('heads-split', 'numpy_heads', true, ['(x @ Wk).reshape(n, h, d_k).transpose(1, 0, 2)', '(x @ Wk).reshape(h, n, d_k)']),
  planted('heads-split', 'torch_padding', true, ['q @ k.transpose(-2, -1)', 'q @ k.reshape(B, self.num_heads, self.head_dim, T)']),
  planted('heads-tiled', 'torch_grouped', false, ['k.repeat_interleave(each, dim=1)', 'k.repeat(1, each, 1, 1)'], ['v.repeat_interleave(each, dim=1)', 'v.repeat(1, each, 1, 1)']),
  planted('heads-tiled', 'torch_grouped', false, ['k.repeat_interleave(each, dim=1)', 'k[:, None].expand(B, each, self.groups, T, self.size).reshape(B, self.heads, T, self.size)'], ['v.repeat_interleave(each, dim=1)', 'v[:, None].expand(B, each, self.groups, T, self.size).reshape(B, self.heads, T, self.size)']),
  planted('heads-merged', 'torch_module', true, ['out.transpose(1, 2).contiguous().view(B, T, C)', 'out.contiguous().view(B, T, C)']),
  planted('heads-merged', 'torch_functions', true, ['y.transpose(1, 2).reshape(B, T, D)', 'y.reshape(B, T, D)']),
  planted('heads-merged', 'numpy_heads', true, ['O.transpose(1, 0, 2).reshape(n, d_model)', 'O.reshape(n, d_model)']),
  planted('heads-interleaved', 'torch_module', false, ['out.transpose(1, 2).contiguous().view(B, T, C)', 'out.permute(0, 2, 3, 1).reshape(B, T, C)']),
  planted('heads-interleaved', 'numpy_heads', false, ['O.transpose(1, 0, 2).reshape(n, d_model)', 'O.transpose(1, 2, 0).reshape(n, d_model)']),
  planted('queries-keys-swapped', 'torch_module', true, ['q @ k.transpose(-2, -1)', 'k @ q.transpose(-2, -1)']),
  planted('queries-keys-swapped', 'numpy_plain', true, ['Q @ K.T', 'K @ Q.T']),
  planted('queries-keys-swapped', 'torch_functions', true, ['torch.matmul(q, k.transpose(-2, -1))', 'torch.matmul(k, q.transpose(-2, -1))']),
  planted('queries-keys-swapped', 'torch_cross', false, ['mix(self.q(x), self.k(memory), self.v(memory))', 'mix(self.q(memory), self.k(x), self.v(memory))']),
  planted('mask-window', 'torch_functions', false, ['mask = torch.tril(torch.ones(T, T))', 'window = 3\n    mask = torch.tril(torch.ones(T, T)) - torch.tril(torch.ones(T, T), -(window - 1))']),
  planted('mask-window', 'numpy_plain', false, ['np.triu(np.ones((n, n)), k=1)', 'np.triu(np.ones((n, n)), k=1)\nwindow_size = 3\ni = np.arange(n)\nmask[i[:, None] - i >= window_size - 1] = 1']),
  planted('mask-cache', 'torch_cached', true, ['tril(S - L)', 'tril()']),
  planted('mask-cache', 'torch_cached', true, ['seen = torch.ones(L, S, dtype=torch.bool).tril(S - L)', 'seen = ~torch.triu(torch.ones(L, S, dtype=torch.bool), diagonal=1)']),
  planted('values-from-queries', 'torch_cross', true, ['self.v(memory)', 'self.v(x)']),
  planted('values-from-queries', 'torch_cross', true, ['mix(self.q(x), self.k(memory), self.v(memory))', 'self.mixed(x, memory, x)\n\n    def mixed(self, a, b, c):\n        return mix(self.q(a), self.k(b), self.v(c))']),
  planted('positions-pairs', 'torch_rotary', true, ['torch.cat((theta, theta), dim=-1)', 'theta.repeat_interleave(2, dim=-1)']),
  planted('positions-pairs', 'torch_rotary', true, ['theta = torch.cat((theta, theta), dim=-1)', 'pass'], ['theta.cos(), theta.sin()', 'torch.cat((theta.cos(), theta.cos()), dim=-1), torch.cat((theta.sin(), theta.sin()), dim=-1)'], ['a, b = x.chunk(2, dim=-1)', 'a, b = x[..., ::2], x[..., 1::2]'], ['torch.cat((-b, a), dim=-1)', 'torch.stack((-b, a), dim=-1).flatten(-2)']),
  planted('positions-pairs', 'torch_rotary', false, ['torch.cat((-b, a), dim=-1)', 'torch.cat((b, a), dim=-1)']),
  planted('heads-merged', 'torch_looped', true, ['done.permute(1, 2, 0, 3).reshape(B, T, D)', 'done.view(B, T, D)']),
  planted('heads-merged', 'torch_looped', true, ['done = torch.zeros(self.heads, B, T, self.size)', 'done = []'], ['done[i] = weights @ v', 'done.append(weights @ v)'], ['done.permute(1, 2, 0, 3).reshape(B, T, D)', 'torch.stack(done).transpose(0, 1).reshape(B, T, D)']),
  planted('values-from-keys', 'torch_cached', false, ['D), (k, v)', 'D), (k, k)']),
  planted('values-from-keys', 'torch_cached', false, ['torch.cat([past[1], v]', 'torch.cat([past[0], v]']),
  planted('positions-cache', 'torch_cached', false, ['3 * width)', '3 * width)\n        self.pos = nn.Embedding(9, width)'], ['self.qkv(x)', 'self.qkv(x + self.pos(torch.arange(L)))']),
  planted('positions-cache', 'torch_cached', false, ['3 * width)', '3 * width)\n        self.pos = nn.Parameter(torch.randn(9, width))'], ['self.qkv(x)', 'self.qkv(x + self.pos[:L])']),
  planted('positions-cache', 'torch_generating', false, ['torch.arange(past, past + t)', 'torch.arange(t)']),
  planted('positions-axis', 'torch_rotary', false, ['.view(2, 5, 2, 8).transpose(1, 2) for w', '.view(2, 5, 2, 8) for w'], ['angles(8, 5)', 'angles(8, 2)'], ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'q, k, v = (one.transpose(1, 2) for one in (turn(q, cos, sin), turn(k, cos, sin), v))']),
  planted('positions-axis', 'torch_rotary', false, ['angles(8, 5)', 'angles(8, 2)'], ['theta = torch.cat((theta, theta), dim=-1)', 'theta = theta[:, None]'], ['return x * cos + rotate(x) * sin', 'a, b = x.chunk(2, dim=-1)\n    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)']),
  planted('positions-sides', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'q = turn(q, cos, sin)']),
  planted('positions-sides', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'k = turn(k, cos, sin)']),
  planted('positions-sides', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'q, k = turn(q, cos, sin), turn(k, cos, -sin)']),
  planted('positions-sides', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'q, k = turn(q, cos, sin), turn(turn(k, cos, sin), cos, sin)']),
  planted('positions-sides', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'q, k = (turn(turn(one, cos, sin), cos, sin) for one in (q, k))']),
  planted('positions-offset', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'q, k = turn(q, *(one[1:] for one in angles(8, 6))), turn(k, cos, sin)']),
  planted('positions-offset', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'k = turn(k, *(one[1:] for one in angles(8, 6)))\nq = turn(q, cos, sin)']),
  planted('positions-values', 'torch_rotary', false, ['y = (p @ v)', 'h = turn(v, cos, sin)\ny = (p @ h)']),
  planted('positions-values', 'torch_rotary', false, ['q, k = turn(q, cos, sin), turn(k, cos, sin)', 'q, k, v = turn(q, cos, sin), turn(k, cos, sin), turn(v, cos, sin)']),
  planted('bias-farther', 'torch_functions', false, ['/ math.sqrt(d_k)', '/ math.sqrt(d_k) + 0.5 * (torch.arange(q.size(-2))[:, None] - torch.arange(k.size(-2)))']),
  planted('bias-farther', 'numpy_plain', false, ['mask = np.triu', 'scores = scores + 0.5 * np.abs(np.arange(n)[:, None] - np.arange(n))\nmask = np.triu']),
  planted('projections-named-otherwise', 'torch_module', true, ['q = self.query(x)', 'q = self.key(x)'], ['k = self.key(x)', 'k = self.query(x)']),
  planted('projections-named-otherwise', 'torch_functions', true, ['(x @ w_v)', '(x @ w_k)']),
  planted('projections-named-otherwise', 'numpy_heads', true, ['x @ Wv', 'x @ Wq']),
  planted('scale-twice', 'torch_module', true, ['        k = self.key', '        q = q * head_size ** -0.5\n        k = self.key']),
  planted('scale-twice', 'numpy_plain', true, ['Q @ K.T', '(Q / np.sqrt(Q.shape[1])) @ K.T']),
  planted('part-unused', 'torch_module', false, ['q @ k.transpose(-2, -1)', 'q @ q.transpose(-2, -1)']),
  planted('part-unused', 'torch_module', false, ['out = wei @ v', 'out = wei @ q']),
  planted('part-unused', 'numpy_plain', false, ['weights @ V', 'weights @ x']),
  planted('queries-from-memory', 'torch_cross', false, ['mix(self.q(x), self.k(memory), self.v(memory))', 'mix(self.q(memory), self.k(x), self.v(x))']),
  planted('queries-from-memory', 'torch_cross', false, ['def forward(self, x, memory)', 'def forward(self, x, encoder_output)'], ['mix(self.q(x), self.k(memory), self.v(memory))', 'mix(self.q(encoder_output), self.k(x), self.v(x))']),
  planted('softmax-log', 'torch_functions', true, ['F.softmax(scores, dim=-1)', 'F.log_softmax(scores, dim=-1)']),
  planted('softmax-log', 'torch_functions', true, ["        scores = scores.masked_fill(mask == 0, float('-inf'))", '        pass'], ['F.softmax(scores, dim=-1)', 'scores.log_softmax(-1)']),
  planted('softmax-none', 'torch_functions', true, ['F.softmax(scores, dim=-1)', 'torch.sigmoid(scores)']),
  planted('softmax-none', 'numpy_plain', true, ['scores = np.where(mask == 1, -np.inf, scores)\nscores = scores - scores.max(axis=-1, keepdims=True)\n', ''], ['np.exp(scores) / np.exp(scores)', 'scores / scores']),
  planted('norm-one-side', 'torch_module', false, ['        wei = q @ k', '        q = F.layer_norm(q, (head_size,))\n        wei = q @ k']),
  planted('norm-one-side', 'torch_functions', false, ['    scores = torch.matmul(q,', '    k = F.normalize(k, dim=-1)\n    scores = torch.matmul(q,']),
  planted('dropout-scores', 'torch_module', false, ['self.n_head = n_head', 'self.n_head = n_head\n        self.drop = nn.Dropout(0.1)'], ['F.softmax(wei, dim=-1)', 'F.softmax(self.drop(wei), dim=-1)']),
  planted('dropout-scores', 'torch_functions', false, ['F.softmax(scores, dim=-1)', 'F.softmax(torch.nn.Dropout(0.1)(scores), dim=-1)']),
  planted('tokens-first', 'torch_encoder', true, ['nn.MultiheadAttention(8, 2, batch_first=True)', 'nn.TransformerEncoderLayer(8, 2)'], ['out, weights = mha(x, x, x, key_padding_mask=pad)', 'out = mha(x)']),
  planted('tokens-first', 'torch_encoder', true, ['nn.MultiheadAttention(8, 2, batch_first=True)', 'nn.MultiheadAttention(8, 2)'], ['mha(x, x, x, key_padding_mask=pad)', 'mha(x, x, x)']),
  planted('dropout-always', 'torch_module', true, ['out = wei @ v', 'out = F.dropout(wei, 0.1) @ v']),
  planted('dropout-always', 'torch_module', true, ['out = wei @ v', 'out = nn.Dropout(0.1)(wei) @ v']),
  planted('dropout-always', 'torch_module', false, ['out = wei @ v', 'drop = nn.Dropout(0.1)\n        out = drop(wei) @ v']),
  planted('dropout-always', 'torch_module', true, ['wei = F.softmax(wei, dim=-1)', 'wei = F.softmax(F.dropout(wei, 0.1), dim=-1)']),
  planted('dropout-always', 'torch_module', true, ['        wei = q @ k.transpose(-2, -1) * head_size ** -0.5\n', ''], ["        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))\n", ''], ['        wei = F.softmax(wei, dim=-1)\n', ''], ['out = wei @ v', 'out = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=0.1)']),
]; // prettier-ignore

/** A program with the mistake in it. */
export function wrongOf({ program, pieces }: Planted): string {
  return pieces.reduce((text, [right, wrong]) => {
    if (!text.includes(right)) throw new Error(`${program} has no ${right}`);
    return text.replace(right, () => wrong);
  }, programs[program]);
}

const names: Readonly<Record<string, string>> = {
  q: 'aa', k: 'bb', v: 'cc', Q: 'a1', K: 'b1', V: 'c1', S: 's1', A: 'p1', O: 'o1', scores: 'tt', weights: 'uu', wei: 'uu', p: 'uu', mask: 'mm', keep: 'nn', out: 'yy', y: 'yy2', x: 'zz', memory: 'zz2', mix: 'mix2', d_k: 'e1', d_model: 'e2', d: 'e3', head_size: 'e4',
  query: 'lin1', key: 'lin2', value: 'lin3', proj: 'lin4', tril: 'tri_buffer', n: 'len1', h: 'parts', B: 'n1', T: 'n2', C: 'n3', D: 'n4', attention: 'mix', multi_head: 'mix_all', n_head: 'parts', n_embd: 'width', block_size: 'longest',
  Wq: 'A1', Wk: 'A2', Wv: 'A3', Wo: 'A4', w_q: 'A1', w_k: 'A2', w_v: 'A3', w_o: 'A4', CausalSelfAttention: 'Mixing',
}; // prettier-ignore

/** The same program with every name of its own changed; attributes of others keep theirs. */
export const renamed = (text: string): string =>
  text.replace(/(\.?)\b([A-Za-z_]\w*)\b/g, (whole, dot: string, name: string, at: number) => {
    const isOption = name === 'k' && /^=-?\d/.test(text.slice(at + whole.length));
    const own = (dot === '' && !isOption) || text.slice(Math.max(0, at - 4), at) === 'self';
    return own && Object.hasOwn(names, name) ? `${dot}${names[name]}` : whole;
  });
