// The code doctor: each rule fires where its mistake is planted, in several styles and under any names, and says nothing of the right twin.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosingText, edited, type Diagnosis } from '../../engine/program/doctor/diagnose';
import { ruleIds, rules, severities } from '../../engine/program/doctor/rules';
import { runProgram } from '../../engine/program/program';
import { finish } from '../../engine/text';
import { cases, programs, renamed, wrongOf, type Planted } from './doctor-cases';

const diagnosed = (text: string): Diagnosis => finish(diagnosingText(text));
const loud = ({ findings }: Diagnosis): readonly string[] => findings.filter(({ severity }) => severity !== 'information').map(({ rule }) => rule); // prettier-ignore
const titleOf = ({ rule, program, pieces }: Planted): string => `${rule} in ${program}: ${pieces.at(-1)?.[1].trim()}`;

/** Where called programs keep their weights. */
const weightsIn: Readonly<Partial<Record<Planted['program'], string>>> = {
  numpy_plain: 'weights',
  numpy_heads: 'A',
  torch_functions: 'p',
};

/** What is said of standard attention is what the right twin computes itself, of one head or another. */
function holdAgainstTwin({ program }: Planted, message: string): void {
  const [, i, j, said] = /Query (\d+) gives key (\d+) the weight .*in standard attention ([\d.]+)\./.exec(message) ?? [];
  const read = runProgram(programs[program]);
  const node = read.bindings.findLast(({ name }) => name === weightsIn[program])?.node;
  const dense = node && finish(read.look(node));
  if (said === undefined || !dense || !('data' in dense)) return;
  const [n = 1, m = 1] = dense.shape.slice(-2);
  const own = Array.from({ length: dense.data.length / (n * m) }, (_, one) => dense.data[one * n * m + Number(i) * m + Number(j)] as number);
  assert.ok(own.some((x) => Math.abs(x - Number(said)) < 6e-5), `${said}, the right twin has ${own.join(', ')}`);
} // prettier-ignore

describe('the code doctor', () => {
  for (const [name, text] of Object.entries(programs))
    it(`finds nothing in ${name}, nor under other names`, () => {
      for (const one of [text, renamed(text)]) {
        const found = diagnosed(one);
        // A prompt, and the last of its steps.
        assert.equal(found.computed, name === 'torch_generating' ? 2 : 1);
        assert.deepEqual(found.findings, []);
      }
    });

  for (const planted of cases) {
    const text = wrongOf(planted);
    it(titleOf(planted), () => {
      const found = diagnosed(text);
      const [own, ...more] = found.findings.filter(({ rule }) => rule === planted.rule);
      assert.ok(own, `found: ${loud(found).join()}`);
      assert.deepEqual(more, []);
      // It names this and nothing louder than it.
      assert.deepEqual(loud(found), rules[planted.rule].severity === 'information' ? [] : [planted.rule]);
      if (own.severity === 'warning') holdAgainstTwin(planted, own.message);
      assert.equal(own.mend !== undefined, planted.mended);
      if (!own.mend) return;
      const mended = edited(text, own.mend.edits);
      assert.deepEqual(loud(diagnosed(mended)), []);
      // A statement that does not parse, or has a name that is not there, is passed by with what is wrong in it.
      const told = (one: string): readonly string[] => runProgram(one).notes.map((note) => note.text);
      assert.deepEqual(told(mended), told(text));
    });
  }

  for (const planted of cases.filter(({ rule, program }) => rules[rule].by !== 'names' && (rule !== 'queries-keys-swapped' || program === 'torch_cross')))
    it(`under other names, ${titleOf(planted)}`, () => {
      assert.ok(diagnosed(renamed(wrongOf(planted))).findings.some(({ rule }) => rule === planted.rule));
    });

  const projected = (q: string, k: string, v: string): string => `import torch\nfrom torch import nn\ntorch.manual_seed(0)\nclass A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        ${[...new Set([q, k, v])].map((name) => `self.${name} = nn.Linear(8, 8)`).join('; ')}\n    def forward(self, x):\n        q, k, v = self.${q}(x), self.${k}(x), self.${v}(x)\n        return torch.softmax(q @ k.transpose(-2, -1) / 8 ** 0.5, dim=-1) @ v\nA()(torch.randn(1, 5, 8))\n`; // prettier-ignore

  it('says of a layer that is named after another part what it makes, and nothing of names that say no part or several', () => {
    for (const right of ['q k v', 'query key value', 'q_proj k_proj v_proj', 'to_q to_k to_v', 'W_query W_key W_value', 'Wq Wk Wv', 'queryLayer keyLayer valueLayer', 'a b c', 'qk qk v', 'shared shared shared', 'query kv kv', 'key_query query_key value'])
      assert.deepEqual(diagnosed(projected(...(right.split(' ') as [string, string, string]))).findings, [], right);
    const of = (q: string, k: string, v: string): unknown => diagnosed(projected(q, k, v)).findings.map(({ rule, message }) => [rule, message]); // prettier-ignore
    assert.deepEqual(of('key', 'query', 'value'), [['projections-named-otherwise', '`self.key` makes the queries. `self.query` makes the keys.']]); // prettier-ignore
    const shared = diagnosed('import numpy as np\nX, W_q = np.eye(4), np.ones((4, 2))\nQ = K = V = X @ W_q\nS = Q @ K.T / np.sqrt(2)\nA = np.exp(S) / np.exp(S).sum(1, keepdims=True)\nprint(A @ V)\n'); // prettier-ignore
    assert.deepEqual([shared.computed, shared.findings], [1, []]);
    assert.deepEqual(of('Wq', 'Wk', 'Wk2'), [['projections-named-otherwise', '`self.Wk2` makes the values.']]);
    assert.deepEqual(of('to_q', 'to_v', 'to_k'), [['projections-named-otherwise', '`self.to_v` makes the keys. `self.to_k` makes the values.']]); // prettier-ignore
  });

  it('asks which axis is the tokens’ only where neither a mask nor the sizes say it', () => {
    const text = (layer: string, call: string, shape = '4, 3, 8'): string => `import torch\nfrom torch import nn\ntorch.manual_seed(0)\nlayer = ${layer}\nx = torch.randn(${shape})\nout = ${call}\n`; // prettier-ignore
    const rulesOf = (one: string): unknown => diagnosed(one).findings.map(({ rule }) => rule);
    assert.deepEqual(rulesOf(text('nn.MultiheadAttention(8, 2)', 'layer(x, x, x)')), ['tokens-first']);
    assert.deepEqual(rulesOf(text('nn.MultiheadAttention(8, 2)', 'layer(x, x, x)', '1, 5, 8')), ['tokens-first']);
    for (const [layer, call, shape] of [
      ['nn.MultiheadAttention(8, 2, batch_first=True)', 'layer(x, x, x)'],
      ['nn.MultiheadAttention(8, 2)', 'layer(x, x, x, attn_mask=torch.triu(torch.ones(4, 4), 1).bool())'],
      ['nn.MultiheadAttention(8, 2)', 'layer(x, x, x)', '4, 8'],
      ['nn.MultiheadAttention(8, 2)', 'layer(x, x, x)', '4, 1, 8'],
      ['nn.MultiheadAttention(8, 2)', 'layer(x, x[:2], x[:2])'],
      // Of inputs first, however they came to be, and where the code says that tokens stand first.
      ['nn.MultiheadAttention(8, 2, batch_first=True)', 'layer(*[x.transpose(0, 1)] * 3)'],
      ['nn.TransformerEncoderLayer(8, 2, batch_first=True)', 'layer(x.transpose(0, 1))'],
      ['nn.MultiheadAttention(8, 2, batch_first=False)', 'layer(x, x, x)'],
    ] as const)
      assert.deepEqual(rulesOf(text(layer, call, shape)), [], `${layer} ${call} ${shape}`);
  });

  /* np.sum(E, axis=1) has n numbers, which meet columns. What NumPy has of this program: sums 0.640, 1.868, 0.665, 1.767; 1.2920 at [1, 2], where 0.4662 is right. */
  const rows = (sums: string): string =>
    `import numpy as np\nnp.random.seed(1)\nQ = np.random.randn(4, 3)\nK = np.random.randn(4, 3)\nV = np.random.randn(4, 3)\nS = Q @ K.T / np.sqrt(3)\nE = np.exp(S)\nA = E / ${sums}\nprint(A @ V)\n`;

  it('says of sums without their axis that they divide columns, and mends it', () => {
    for (const sums of ['np.sum(E, axis=1)', 'E.sum(axis=-1)']) {
      const [found, ...more] = diagnosed(rows(sums)).findings;
      assert.ok(found?.mend && more.length === 0);
      assert.equal(found.rule, 'softmax-axis');
      assert.match(found.message, /lost their axis and divide columns: the weights of query 1 sum to 1\.87, not to 1\. Query 1 gives key 2 the weight 1\.2920, in standard attention 0\.4662/);
      assert.deepEqual(diagnosed(edited(rows(sums), found.mend.edits)).findings, []);
    }
    // Of a square matrix the shape is the same for either axis.
    const columns = diagnosed(rows('np.sum(E, axis=0)')).findings[0];
    assert.match(columns?.message ?? '', /^Softmax runs over the queries, not over the keys/);
    assert.match(columns?.mend?.edits[0]?.text ?? '', /axis=-1, keepdims=True\)$/);
    for (const right of ['np.sum(E, axis=1, keepdims=True)', 'E.sum(axis=1)[:, None]', 'E.sum(axis=1).reshape(-1, 1)'])
      assert.deepEqual(diagnosed(rows(right)).findings, []);
  }); // prettier-ignore

  /* PyTorch 1.13: weights of query 0 of input 0 are 0.1411 and 0.1279 behind the mask, 0.5244 and 0.4756 with the mask before the softmax. */
  it('compares with a mask for each input where there are inputs and no heads', () => {
    const begin = 'import torch\ntorch.manual_seed(3)\nq, k, v = torch.randn(2, 3, 4), torch.randn(2, 6, 4), torch.randn(2, 6, 4)\nlens = torch.tensor([2, 4])\nmask = (torch.arange(6)[None, None, :] < lens[:, None, None]).expand(2, 3, 6)\ns = torch.bmm(q, k.transpose(1, 2)) / 2\n';
    const after = `${begin}p = torch.softmax(s, dim=-1)\np[~mask] = 0\nprint(torch.bmm(p, v))\n`;
    const [found, ...more] = diagnosed(after).findings;
    assert.ok(found?.mend && more.length === 0);
    assert.equal(found.rule, 'mask-after-softmax');
    assert.match(found.message, /Query 0 gives key 0 the weight 0\.1411, in standard attention 0\.5244/);
    // What is written to is no expression that could be divided.
    const mended = edited(after, found.mend.edits);
    assert.match(mended, /^p\[~mask\] = 0\np = p \/ p\.sum\(dim=-1, keepdim=True\)$/m);
    assert.deepEqual(diagnosed(mended).findings, []);
    const right = `${begin}p = torch.softmax(s.masked_fill(~mask, float('-inf')), dim=-1)\nprint(torch.bmm(p, v))\n`;
    assert.deepEqual(diagnosed(right).findings, []);
  });

  /* d2l's masked_softmax with its mask the other way round. PyTorch 1.13: query 0 of input 0 gives key 1 the weight 0.8517 of its two keys. */
  it('says of a comparison with lengths that hides the keys before them that it shows the padding', () => {
    const text = (mask: string, fill = 'mask'): string => `import torch\ntorch.manual_seed(0)\nq, k, v = torch.randn(2, 1, 8), torch.randn(2, 10, 8), torch.randn(2, 10, 4)\nvalid_lens = pad_len = torch.tensor([2, 6])\nmask = ${mask}\ns = torch.bmm(q, k.transpose(1, 2)) / 8 ** 0.5\nprint(torch.bmm(torch.softmax(s.masked_fill(${fill}, -1e6), dim=-1), v))\n`;
    const before = 'torch.arange(10)[None, None, :] < valid_lens[:, None, None]';
    const [found, ...more] = diagnosed(text(before)).findings;
    assert.deepEqual([found?.rule, more], ['mask-padding', []]);
    assert.match(found?.message ?? '', /^The mask hides the first 2 keys of input 0, those before valid_lens, and shows the padding behind them\. Query 0 gives key 1 the weight 0\.0000, in standard attention 0\.8517\.$/);
    assert.ok(found?.mend);
    assert.deepEqual(diagnosed(edited(text(before), found.mend.edits)).findings, []);
    for (const right of [text(before, '~mask'), text(before.replace('valid_lens', 'pad_len')), text(before.replace('<', '>='))])
      assert.deepEqual(diagnosed(right).findings, [], right);
  });

  /* PyTorch 1.13: query 1 gives key 4 the weight 0.2818 over the keys, 0.2114 over the queries; softmax(s)[4, 1] is 0.1602, softmax(s.T)[1, 4] 0.1826. */
  it('reads weights whose rows are keys, by matrices and by letters, and says what is transposed', () => {
    const text = (rest: string): string => `import torch\ntorch.manual_seed(0)\nx = torch.randn(5, 8)\nwq, wk, wv = (torch.nn.Linear(8, 8, bias=False) for _ in range(3))\nq, k, v = wq(x), wk(x), wv(x)\n${rest}\nprint(out)\n`;
    const [kq, qk] = ['s = k @ q.T / 8 ** 0.5', 's = q @ k.T / 8 ** 0.5'];
    const letters = "s = torch.einsum('id,jd->ij', k, q) / 8 ** 0.5";
    const sums = ['out = a.T @ v', "out = torch.einsum('ij,id->jd', a, v)", 'out = (v.T @ a).T'];
    for (const scores of [kq, letters])
      for (const sum of sums) {
        assert.deepEqual({ ...diagnosed(text(`${scores}\na = torch.softmax(s, dim=0)\n${sum}`)), causes: [] }, { findings: [], computed: 1, places: 1, attentions: 1, causes: [] });
        const wrong = text(`${scores}\na = torch.softmax(s, dim=-1)\n${sum}`);
        const [found, ...more] = diagnosed(wrong).findings;
        assert.deepEqual([found?.rule, more], ['softmax-axis', []], `${scores} ${sum}`);
        assert.match(found?.message ?? '', /Query 1 gives key 4 the weight 0\.2114, in standard attention 0\.2818\.$/);
        assert.equal(found?.mend?.edits[0]?.text, 'torch.softmax(s, dim=-2)');
      }
    const of = (rest: string): unknown => diagnosed(text(rest)).findings.map(({ rule, message, mend }) => [rule, / the weight (.*?),/.exec(message)?.[1], mend?.edits[0]?.text]);
    assert.deepEqual(of(`${qk}\na = torch.softmax(s.T, dim=-1)\nout = a @ v`), [['queries-keys-swapped', '0.1826', 's']]);
    assert.deepEqual(of(`${qk}\na = torch.softmax(s, dim=-1)\nout = a.T @ v`), [['queries-keys-swapped', '0.1602', 'a @ v']]);
    assert.deepEqual(of(`${kq}\na = torch.softmax(s.T, dim=-1)\nout = a @ v`), []);
  });

  /* HosseinZaredar/Transformer-from-Scratch, whose joined heads were called wrong; joseph-nagel/attention-mechanism, as SAGAN's equation 1 has it. */
  it('finds no mistake in heads of an equation that has i and j for heads and queries, nor in a softmax over the axis that the values are summed by', () => {
    const heads = `import torch\ntorch.manual_seed(0)\nq, k, v = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 4, 3), torch.randn(1, 2, 3, 4)\na = torch.softmax(torch.einsum('bijk,bikl->bijl', q, k) / 4 ** 0.5, dim=-1)\nprint(torch.einsum('bijk,bikl->bijl', a, v).permute(0, 2, 1, 3).reshape(1, 3, 8))\n`;
    const found = diagnosed(heads);
    assert.deepEqual([found.computed, found.findings], [1, []]);
    assert.deepEqual(diagnosed(heads.replace('.permute(0, 2, 1, 3)', '')).findings.map(({ rule }) => rule), ['heads-merged']);
    const channels = (c: number): string => `import torch\nfrom torch import nn\ntorch.manual_seed(0)\nclass A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.q, self.k, self.v = nn.Conv1d(8, ${c}, 1), nn.Conv1d(8, ${c}, 1), nn.Conv1d(8, 8, 1)\n    def forward(self, x):\n        q, k, v = self.q(x), self.k(x), self.v(x)\n        w = torch.softmax(torch.bmm(q.transpose(1, 2), k) / ${c} ** 0.5, dim=1)\n        return torch.bmm(v, w)\nA()(torch.randn(1, 8, 6))\n`;
    for (const c of [1, 4]) assert.deepEqual(loud(diagnosed(channels(c))), [], `${c}`);
    assert.equal(diagnosed(channels(4)).computed, 1);
  });

  it('reads the mask and the scale of weights whose rows are keys', () => {
    const text = (mask: string, scale = 2): string => `import torch\ntorch.manual_seed(5)\nX = torch.randn(8, 5)\nWq, Wk, Wv = torch.randn(4, 8), torch.randn(4, 8), torch.randn(4, 8)\nQ, K, V = Wq @ X, Wk @ X, Wv @ X\nS = K.T @ Q / ${scale}\nS = S.masked_fill(${mask}, float('-inf'))\nA = torch.softmax(S, dim=0)\nout = V @ A\nprint(out)\n`;
    const of = (one: string): unknown => diagnosed(one).findings.map(({ rule }) => rule);
    // A token is a column: key 3 stands in row 3, and query 1 in column 1 must not see it.
    assert.deepEqual(of(text('torch.tril(torch.ones(5, 5), -1) == 1')), []);
    assert.deepEqual(of(text('torch.tril(torch.ones(5, 5), -1) == 1', 4)), ['scale-without-root']);
    assert.deepEqual(of(text('torch.triu(torch.ones(5, 5), 1) == 1')), ['mask-inverted']);
    assert.deepEqual(of(text('torch.tril(torch.ones(5, 5)) == 1')), ['mask-off-by-one']);
  });

  it('says in which order query heads take fewer heads of keys, where neighbours share none', () => {
    const text = (of: string): string => `import torch\ntorch.manual_seed(0)\nx = torch.randn(1, 5, 32)\nlayers = [torch.nn.Linear(32, size) for size in (32, 16, 16)]\nq, k, v = (one(x).view(1, 5, -1, 8).transpose(1, 2) for one in layers)\nk, v = ${of}\np = torch.softmax(q @ k.transpose(2, 3) / 8 ** 0.5, dim=-1)\nprint((p @ v).transpose(1, 2).reshape(1, 5, 32))\n`;
    for (const tiled of ['k.repeat(1, 2, 1, 1), v.repeat(1, 2, 1, 1)', 'k[:, None].expand(1, 2, 2, 5, 8).reshape(1, 4, 5, 8), v[:, None].expand(1, 2, 2, 5, 8).reshape(1, 4, 5, 8)']) {
      const found = diagnosed(text(tiled)).findings;
      assert.deepEqual(found.map(({ rule, severity }) => [rule, severity]), [['heads-tiled', 'information']], tiled);
      assert.match(found[0]?.message ?? '', /in the order 0 1 0 1; in grouped-query attention neighbours share one: 0 0 1 1\.$/);
    }
    for (const right of ['k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)', 'k[:, :, None].expand(1, 2, 2, 5, 8).reshape(1, 4, 5, 8), v[:, :, None].expand(1, 2, 2, 5, 8).reshape(1, 4, 5, 8)', 'k[:, :1], v[:, :1]', 'k[:, [0, 0, 1, 1]], v[:, [0, 0, 1, 1]]'])
      assert.deepEqual(diagnosed(text(right)).findings, [], right);
  });

  /* hyunwoongko/transformer/pull/40, huggingface/transformers/pull/26421. PyTorch 1.13: query 3 of head 0 of input 0, which sees no key, gives key 1 the weight .2500; .5053 where key 3 is hidden. */
  it('says of a padding mask that lies over queries that it hides no key', () => {
    const text = (axes: string): string => `import torch\ntorch.manual_seed(0)\nq, k, v = (torch.randn(2, 2, 4, 4) for _ in range(3))\nseen = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]])\nmask = torch.zeros(2, 1, 4, 4).masked_fill((seen == 0)${axes}, torch.finfo(torch.float32).min)\nw = torch.softmax(q @ k.transpose(-2, -1) / 4 ** 0.5 + mask, dim=-1)\nprint(w @ v)\n`;
    const [found, ...more] = diagnosed(text('[:, None, :, None]')).findings;
    assert.deepEqual([found?.rule, more], ['mask-padding', []]);
    assert.match(found?.message ?? '', /query 3 sees no key, query 0 all of them, so that no key is hidden\. Query 3 gives key 1 the weight 0\.2500, in standard attention 0\.5053/);
    assert.deepEqual(diagnosed(text('[:, None, None, :]')).findings, []);
    // Padding that sees nothing and is not seen.
    assert.deepEqual(diagnosed(text('[:, None, None, :] | (seen == 0)[:, None, :, None]')).findings, []);
  });

  /* d2l-ai/d2l-en, whose transformer was read with stand-in ids of one axis too many. */
  it('finds nothing where several axes behind the tokens are features', () => {
    const text = `import torch\ntorch.manual_seed(0)\nlayer = torch.nn.Linear(8, 8)\nx = torch.randn(1, 5, 5, 8)\nq, k, v = (layer(x).reshape(1, 5, 2, 20).transpose(1, 2).reshape(2, 5, 20) for _ in range(3))\nprint(torch.softmax(q @ k.transpose(1, 2) / 20 ** 0.5, dim=-1) @ v)\n`;
    assert.deepEqual(diagnosed(text), { findings: [], computed: 1, places: 1, attentions: 1, causes: [] });
  });

  /* The root of all heads' width, behind the softmax: FrancescoSaverioZuppichini/ViT/issues/1. */
  it('says of weights that are divided by the root of another width that they do not sum to 1', () => {
    const text = (end: string): string => `import torch\ntorch.manual_seed(0)\nq, k, v = (torch.randn(2, 2, 5, 4) for _ in range(3))\nw = torch.nn.Linear(8, 8)\nenergy = torch.einsum('bhqd,bhkd->bhqk', q, k)\natt = ${end}\nout = w((att @ v).transpose(1, 2).reshape(2, 5, 8))\n`;
    const [found, ...more] = diagnosed(text('torch.softmax(energy, dim=-1) / 8 ** 0.5')).findings;
    assert.deepEqual([found?.rule, more], ['scale-after-softmax', []]);
    assert.match(found?.message ?? '', /divided by 2\.828, the root of the width 8, after the softmax: they sum to 0\.3536, not to 1/);
    assert.deepEqual(loud(diagnosed(text('torch.softmax(energy / 2, dim=-1)'))), []);
  });

  it('says of weights that are set to −∞ that the mask comes too late', () => {
    const text = (fill: string): string =>
      `import torch\nx = torch.randn(1, 2, 4, 3)\nmask = torch.tril(torch.ones(4, 4)).bool()\nattn = torch.softmax((x @ x.transpose(2, 3)) / 3 ** 0.5, dim=-1)\nattn = ${fill}\nprint(attn @ x)\n`;
    const late = diagnosed(text('attn.masked_fill(mask == False, -torch.inf)'));
    assert.deepEqual(loud(late), ['mask-after-softmax']);
    assert.match(late.findings[0]?.message ?? '', /with −∞ after the softmax, not before it: what query 0 takes of the values is not finite/);
    assert.deepEqual(loud(diagnosed(text('attn'))), []);
  }); // prettier-ignore

  /* gazelle93/Transformer-Various-Positional-Encoding, issue 1: cut as B·h, taken apart as h·B. */
  it('says of heads and inputs on one axis that they are taken apart in the other order', () => {
    const text = (cut: string, apart: string): string =>
      `import torch\nB, H, T, D = 2, 3, 4, 5\nq, k, v = torch.randn(B, T, H * D), torch.randn(B, T, H * D), torch.randn(B, T, H * D)\ndef cut(x):\n    return x.view(B, T, H, D).${cut}.reshape(B * H, T, D)\nQ, K, V = map(cut, (q, k, v))\na = torch.softmax(torch.bmm(Q, K.transpose(1, 2)) / D ** 0.5, dim=-1)\nprint(torch.bmm(a, V).${apart}.reshape(B, T, H * D))\n`;
    const [byInput, byHead] = ['permute(0, 2, 1, 3)', 'permute(2, 0, 1, 3)'];
    const [fromInputs, fromHeads] = ['view(B, H, T, D).permute(0, 2, 1, 3)', 'view(H, B, T, D).permute(1, 2, 0, 3)'];
    for (const right of [text(byInput, fromInputs), text(byHead, fromHeads)]) {
      assert.equal(diagnosed(right).computed, 1);
      assert.deepEqual(diagnosed(right).findings, []);
    }
    for (const wrong of [text(byInput, fromHeads), text(byHead, fromInputs), text(byInput, 'view(H, B, -1, D).permute(0, 2, 1, 3)')]) {
      assert.deepEqual(loud(diagnosed(wrong)), ['heads-merged']);
      assert.match(diagnosed(wrong).findings[0]?.message ?? '', /Heads are joined across inputs: row \d of the result has numbers of inputs \d and \d/);
    }
  }); // prettier-ignore

  it('is silent where a comment says so, for the named rule or for all', () => {
    const text = wrongOf(cases[0] as Planted);
    const at = (comment: string, above = false): string => {
      const line = text.split('\n').find((one) => one.includes('dim=-2')) ?? '';
      return text.replace(line, above ? `        ${comment}\n${line}` : `${line}  ${comment}`);
    };
    for (const comment of ['# explain-attention: ignore', '# explain-attention: ignore[softmax-axis]', '# explain-attention: ignore[mask-fill, softmax-axis]'])
      for (const above of [false, true]) assert.deepEqual(diagnosed(at(comment, above)).findings, []);
    assert.deepEqual(loud(diagnosed(at('# explain-attention: ignore[mask-fill]'))), ['softmax-axis']);
    assert.deepEqual(loud(diagnosed(at('# ignore[softmax-axis]'))), ['softmax-axis']);
  });

  it('says the numbers before and after that NumPy gives', () => {
    // numpy_plain with axis=0: NumPy 1.24 gives weights[3, 3] = 1.0 and, over the keys, 0.05220.
    const [found] = diagnosed(wrongOf(cases[2] as Planted)).findings;
    assert.match(found?.message ?? '', /Query 3 gives key 3 the weight 1\.0000, in standard attention 0\.0522\./);
  });

  it('takes no size that stands in for a mistake: a global head size of 16 beside an argument of 4', () => {
    const text = `head_size = 16\n${programs.torch_module.replace('        head_size = C // self.n_head\n', '        d = C // self.n_head\n').replaceAll('n_head, head_size)', 'n_head, d)')}`;
    assert.deepEqual(diagnosed(text).findings.filter(({ severity }) => severity === 'warning'), []);
  });

  it('does not call scores unscaled that are divided by an argument which no call gives', () => {
    const text = 'import torch\nimport torch.nn as nn\n\nclass Dot(nn.Module):\n    def __init__(self, temperature):\n        super().__init__()\n        self.temperature = temperature\n\n    def forward(self, q, k, v):\n        attn = torch.softmax(q / self.temperature @ k.transpose(-2, -1), dim=-1)\n        return attn @ v\n';
    assert.deepEqual(diagnosed(text).findings, []);
    const after = text.replace('q / self.temperature @ k.transpose(-2, -1)', 'q @ k.transpose(-2, -1) / self.temperature');
    assert.deepEqual(diagnosed(after).findings, []);
  });

  it('takes the root of the width of X for a choice, also where that width is d_k²', () => {
    const text = 'import torch\ntorch.manual_seed(0)\nx = torch.randn(5, 16)\nq, k, v = (x @ torch.randn(16, 4) for _ in range(3))\nw = torch.softmax(q @ k.T * 16 ** -0.5, dim=-1)\ny = w @ v\n';
    assert.deepEqual(diagnosed(text).findings.map(({ rule }) => rule), ['scale-width']);
  });

  it('leaves fused attention alone that drops in training only, under a long signature', () => {
    const text = wrongOf(cases.at(-1) as Planted).replace('def forward(self, x):', 'def forward(\n        self,\n        x,\n    ):').replace('dropout_p=0.1', 'dropout_p=0.1 if self.training else 0.0');
    assert.deepEqual(diagnosed(text).findings, []);
  });

  /* d2l's heads, joined without a permutation: PyTorch's first row of the result has numbers of queries 0 and 1. */
  it('says of heads on the axis of inputs that they are joined without their axis being put behind the tokens’', () => {
    const text = (joined: string): string => `import torch\ntorch.manual_seed(1)\ndef heads(x):\n    return x.reshape(2, 5, 3, 4).permute(0, 2, 1, 3).reshape(6, 5, 4)\nq, k, v = (heads(torch.randn(2, 5, 12)) for _ in range(3))\na = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / 2, dim=-1)\no = torch.bmm(a, v).reshape(2, 3, 5, 4)\ny = ${joined}\nprint(y @ torch.randn(12, 12))\n`;
    const [found, ...more] = diagnosed(text('o.reshape(2, 5, 12)')).findings;
    assert.deepEqual([found?.rule, more], ['heads-merged', []]);
    assert.equal(found?.mend?.edits[0]?.text, 'o.transpose(1, 2).reshape(2, 5, 12)');
    for (const right of ['o.transpose(1, 2).reshape(2, 5, 12)', 'torch.cat(o.unbind(1), dim=-1)'])
      assert.deepEqual(diagnosed(text(right)).findings, [], right);
    assert.deepEqual(diagnosed(text('o.flatten(1)').replace('(12, 12)', '(60, 3)')).findings, []);
  });

  it('leaves masks beside earlier keys and rotary positions alone that only look like the mistakes', () => {
    const cached = programs.torch_cached;
    // Keys of another source before the own are no cache of this layer, and keys that all see are hidden from none.
    for (const right of [
      cached.replace('torch.cat([past[0], k], dim=2)', 'torch.cat([k, past[0]], dim=2)').replace('tril(S - L)', 'tril()').replace('torch.cat([past[1], v], dim=2)', 'torch.cat([v, past[1]], dim=2)'),
      cached.replace('torch.ones(L, S, dtype=torch.bool).tril(S - L)', 'torch.cat([torch.ones(L, S - L).bool(), torch.ones(L, L).tril().bool()], -1)'),
    ])
      assert.deepEqual(loud(diagnosed(right)), [], right);
    const rotary = programs.torch_rotary;
    const neighbours = rotary.replace('torch.cat((theta, theta), dim=-1)', 'theta.repeat_interleave(2, dim=-1)').replace('a, b = x.chunk(2, dim=-1)', 'a, b = x[..., ::2], x[..., 1::2]').replace('torch.cat((-b, a), dim=-1)', 'torch.stack((-b, a), dim=-1).flatten(-2)');
    const otherWay = rotary.replace('torch.cat((-b, a), dim=-1)', 'torch.cat((b, -a), dim=-1)');
    const scaled = rotary.replace('theta.cos(), theta.sin()', 'theta.cos() * 0.7, theta.repeat_interleave(1, -1).sin() * 0.7');
    const part = rotary.replace('return x * cos + rotate(x) * sin', 'y = x[..., :4]\n    return torch.cat((y * cos + rotate(y) * sin, x[..., 4:]), dim=-1)').replace('angles(8, 5)', 'angles(4, 5)');
    for (const right of [neighbours, otherWay, scaled, part]) {
      const found = diagnosed(right);
      assert.deepEqual([found.computed, loud(found)], [1, []], right);
    }
    // Cosines and sines that are laid out each for itself are mended both.
    const each = neighbours.replace('theta = theta.repeat_interleave(2, dim=-1)', 'pass').replace('theta.cos(), theta.sin()', 'torch.cat((theta.cos(), theta.cos()), dim=-1), torch.cat((theta.sin(), theta.sin()), dim=-1)');
    assert.deepEqual(diagnosed(each).findings[0]?.mend?.edits.map((one) => one.text), ['torch.repeat_interleave(theta.cos(), 2, dim=-1)', 'torch.repeat_interleave(theta.sin(), 2, dim=-1)']);
    // Of a part of the features the same is seen.
    assert.deepEqual(loud(diagnosed(part.replace('torch.cat((theta, theta), dim=-1)', 'theta.repeat_interleave(2, dim=-1)'))), ['positions-pairs']);
  });

  it('has each rule in the settings, with its severity, and in the documentation', () => {
    const read = (name: string): string => readFileSync(join(__dirname, '../..', name), 'utf8');
    const { contributes } = JSON.parse(read('package.json')) as { contributes: { configuration: { properties: Record<string, { properties?: Record<string, { default: string; enum: string[] }> }> } } };
    const set = contributes.configuration.properties['explainAttention.doctor.rules']?.properties ?? {};
    const { 'python-error': raised, ...own } = set;
    assert.equal(raised?.default, 'information');
    assert.deepEqual(Object.entries(own).map(([id, of]) => [id, of.default]), ruleIds.map((id) => [id, rules[id].severity]));
    for (const of of Object.values(set)) assert.deepEqual(of.enum, severities);
    for (const id of ruleIds) assert.ok(read('extension/docs/doctor.md').includes(`| \`${id}\` | ${rules[id].severity} |`), id);
  });

  it('has two planted programs of each rule', () => {
    for (const rule of ruleIds) assert.ok(cases.filter((one) => one.rule === rule).length >= 2, rule);
  });
}); // prettier-ignore

describe('the code doctor on convolutions', () => {
  it('says nothing of heads where each place of a picture has one number', () => {
    const layer = (channels: number): string => `import torch
import torch.nn as nn
class SelfAttention(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.query, self.key = nn.Conv2d(channels, channels // 8, 1), nn.Conv2d(channels, channels // 8, 1)
    def forward(self, x):
        b, c, h, w = x.shape
        q = self.query(x).permute(0, 2, 3, 1).reshape(b, h * w, c // 8)
        k = self.key(x).permute(0, 2, 3, 1).reshape(b, h * w, c // 8)
        v = x.permute(0, 2, 3, 1).reshape(b, h * w, c)
        return torch.softmax(q @ k.transpose(1, 2), dim=-1) @ v
torch.manual_seed(0)
SelfAttention(${channels})(torch.randn(1, ${channels}, 3, 4))
`;
    for (const channels of [8, 16]) {
      const found = diagnosed(layer(channels));
      assert.deepEqual([found.computed, loud(found)], [1, []], `${channels}`);
    }
  });
});
