// Code in a selection: told from prose, named where it is not followed, and never cut into words unless that is asked for.
import assert from 'node:assert/strict';
import { matrixDefaults, type AttentionSpec } from '../../engine/index';
import { specFromText } from '../../engine/parse/index';
import { statedScaleAndMask } from '../../engine/parse/stated-fields';
import { programIn } from '../../engine/parse/code/lines';
import { assembled, readText, refused } from './parse-support';

const samples = (name: string): string[] => readText(`test/fixtures/parse/${name}`).trimEnd().split('\n-----\n');
const isCode = (text: string): boolean => programIn(text) !== undefined;

describe('code and prose', () => {
  it('tells sentences, verse, lists, formulas and mixtures from code: none of over a hundred is taken for code', () => {
    const prose = samples('prose-samples.txt');
    assert.ok(prose.length > 100);
    assert.deepEqual(prose.filter(isCode), []);
  });

  it('tells Python, JavaScript, R, Julia, C from prose: one of a hundred in a hundred is missed at most', () => {
    const code = samples('code-samples.txt');
    assert.ok(code.length >= 99);
    assert.deepEqual(code.filter((text) => !isCode(text)), ['return x']); // prettier-ignore
  });

  it('tells them apart in our own sources and documents', () => {
    const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map((name) => readText(name));
    const paragraphs = documents.flatMap((text) =>
      text.split(/\n\s*\n/).filter((part) => !/^```|^ {4}|│|▼/m.test(part)),
    );
    assert.ok(paragraphs.length > 40, String(paragraphs.length));
    assert.deepEqual(paragraphs.filter(isCode), []);
    const functions = ['text_walk', 'attention_numpy', 'attention_odd', 'parse_program', 'describe_numpy']
      .flatMap((name) => readText(`test/reference/${name}.py`).split(/\n(?=def |class )/))
      .filter((part) => part.length > 40);
    assert.ok(functions.length >= 30, String(functions.length));
    assert.ok(functions.filter((text) => !isCode(text)).length <= 1);
  });

  it('takes links and lists in Markdown, and sentences that begin as an import, for text', () => {
    for (const text of [
      'Use [.isMatch()](#ismatch) to for boolean matching:',
      '__[Demo](http://markdown-it.github.io/linkify-it/)__',
      '* cups.Connection.getDocument()\n* cups.Connection.getDefault()',
      '- **method** `String` - Default: [getGlobalDispatcher](#undici)\n- f.g(x)',
      'from Paris import no wine before June',
    ])
      assert.equal(isCode(text), false, text);
  });

  it('takes declarations of TypeScript and C for code', () => {
    for (const text of [
      'export type Result = {\n    aliases: Array<string>;\n};',
      'readonly status?: number;\nprivate count = 0;',
      '#ifndef A_H\n#define A_H\n#endif',
      'TORCH_API at::Tensor relu_out(const at::Tensor & self, const at::Tensor & weight, int64_t groups);',
    ])
      assert.equal(isCode(text), true, text);
    assert.deepEqual(['# Define the weights first, please', 'public opinion: it changes; a lot'].filter(isCode), []);
  });

  it('names the language', () => {
    const of = (text: string): unknown => programIn(text)?.language;
    assert.equal(of('import numpy as np\nx = np.eye(3) @ y'), 'Python');
    assert.equal(of('const s = q.map((x) => x * 2);\nconsole.log(s);'), 'JavaScript');
    assert.equal(of('s <- Q %*% t(K)\nw <- softmax(s)'), 'R');
    assert.equal(of("using LinearAlgebra\ns = Q * K' ./ sqrt(d)"), 'Julia');
    assert.equal(of('#include <math.h>\nfloat s = dot(q, k);'), 'C');
  });

  it('takes no longer for a long line or many quotes than for many lines', () => {
    for (const text of [
      'a.b'.repeat(30_000),
      "'a ".repeat(30_000),
      'softmax'.repeat(10_000),
      '( '.repeat(40_000),
      '"'.repeat(60_000),
      '](#'.repeat(20_000),
    ]) {
      const before = Date.now();
      programIn(text);
      specFromText(text);
      assert.ok(Date.now() - before < 4000, `${text.slice(0, 8)}: ${Date.now() - before} ms`);
    }
  });
});

const attention = `class SelfAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.c_attn = nn.Linear(d, 3 * d)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        q, k, v = self.c_attn(x).chunk(3, dim=-1)
        return F.softmax(q @ k.T, dim=-1) @ v
`;

describe('a selection of code', () => {
  it('is no text, says what stands in it, and is text when that is asked for', () => {
    const [problem] = refused(attention);
    assert.equal(problem?.code, 'code');
    assert.match(
      problem.message,
      /^this is Python code, and none of its matrices is known(: .+)?; not followed: class SelfAttention \(lines 1 to 9\)$/,
    );
    const text = specFromText(attention, undefined, { asText: true });
    assert.ok(text.ok && text.value.spec.start.from === 'text');
    assert.equal(text.value.spec.start.text, attention);
    // Matrices too, where text is asked for.
    const matrix = specFromText('[[1, 2], [3, 4]]', undefined, { asText: true });
    assert.ok(matrix.ok && matrix.value.spec.start.from === 'text');
  });

  const named = (text: string): (readonly [string, string])[] =>
    (assembled(text).unfollowed ?? []).map(
      ({ message, range }) => [message, text.slice(range?.start, range?.end)] as const,
    );

  it('names classes, functions and calls beside a literal', () => {
    const literal = 'inputs = torch.tensor([[0.43, 0.15], [0.55, 0.87]])\n';
    assert.deepEqual(named(`${attention}\n${literal}attn = SelfAttention(2, 1)\nmha = nn.MultiheadAttention(2, num_heads=2)\n`), [
      [
        'class SelfAttention is not followed, nor what is in it: c_attn, nn.Linear, nn.Dropout, chunk, F.softmax.',
        attention.trimEnd(),
      ],
      ['SelfAttention(2, 1) is not followed.', 'SelfAttention(2, 1)'],
      ['nn.MultiheadAttention(2, num_heads=2) is not followed.', 'nn.MultiheadAttention(2, num_heads=2)'],
    ]); // prettier-ignore
  });

  it('names the options of an attention block, which only lessons and the preview use', () => {
    const text = '```attention mask=causal heads=2\nQ = [[1, 0], [0, 1]]\nK = [[1, 2], [3, 4]]\n```\n';
    const read = specFromText(text);
    assert.ok(read.ok);
    const [note, ...more] = read.value.unfollowed ?? [];
    assert.equal(more.length, 0);
    assert.match(note?.message ?? '', /options of this attention block are not used here: mask=causal heads=2\./);
    assert.deepEqual(note?.range, { start: text.indexOf('mask'), end: text.indexOf('\nQ') });
    const plain = specFromText(text.replace(' mask=causal heads=2', ''));
    assert.deepEqual(plain.ok && (plain.value.unfollowed ?? []), []);
  });

  it('names weights of Q, K and V in one matrix, masks, dropout and norms', () => {
    const X = 'X = np.array([[1., 2.], [3., 4.]])\n';
    const W = '[[1., 2.], [3., 4.], [1., 2.], [3., 4.], [1., 2.], [3., 4.]]';
    for (const name of ['in_proj_weight', 'qkv_proj', 'c_attn'])
      assert.deepEqual(named(`${X}${name} = np.array(${W})\n`), [
        [`${name} holds W_q, W_k and W_v in one: it is not split, and not followed.`, name],
      ]);
    assert.deepEqual(
      named(`${X}y = nn.LayerNorm(2)(X)\nw = att.masked_fill(m == 0, -1e9)\ndropout = 0.1\n`).map(
        ([message]) => message,
      ),
      [
        'nn.LayerNorm(2) is not followed.',
        'att.masked_fill(m == 0, -1e9) is not followed.',
        'dropout = 0.1 is not followed.',
      ],
    );
    assert.deepEqual(named(`${X}n_heads = 2\nprint(X)\n`), []);
    assert.deepEqual(named(`Here is X, and \`nn.LayerNorm(2)\` comes later.\n\n${X}`), []);
  });

  const qkv =
    'Q = torch.tensor([[1., 0.], [0., 1.]])\nK = torch.tensor([[1., 2.], [3., 4.]])\nV = torch.tensor([[1., 2.], [3., 4.]])\n';
  const sdpa = (args: string): ReturnType<typeof assembled> =>
    assembled(`${qkv}out = F.scaled_dot_product_attention(${args})\n`);

  it('follows scaled_dot_product_attention of the Q, K and V that were read, its causal mask included', () => {
    for (const args of [
      'Q, K, V, is_causal=True',
      'Q, K, V, None, 0.0, True',
      'query=Q, key=K, value=V, is_causal=True, dropout_p=0.0',
    ]) {
      const { spec, notes, unfollowed } = sdpa(args);
      assert.equal(spec.mask, 'causal', args);
      assert.ok(notes.includes('Causal mask, as is_causal=True in line 4 says.'), notes.join());
      assert.deepEqual(unfollowed, [], args);
    }
    const plain = sdpa('Q, K, V');
    assert.deepEqual([plain.spec.mask, plain.unfollowed], ['none', []]);
  });

  it('names it where it asks for more, of others, or twice differently', () => {
    for (const args of [
      'Q, K, V, attn_mask=m, is_causal=True',
      'q, k, v, is_causal=True',
      'K, Q, V, is_causal=True',
      'Q, K, V, dropout_p=0.1',
      'Q, K, V, scale=0.5',
      'Q, K, V, is_causal=flag',
    ]) {
      const { spec, unfollowed = [] } = sdpa(args);
      assert.equal(spec.mask, 'none', args);
      assert.equal(unfollowed[0]?.message, `F.scaled_dot_product_attention(${args}) is not followed.`.replace(/^(.{60}).*? (is not followed\.)$/, '$1… $2'), args); // prettier-ignore
    }
    const both = `${qkv}a = F.scaled_dot_product_attention(Q, K, V)\nb = F.scaled_dot_product_attention(Q, K, V, is_causal=True)\n`;
    assert.equal(assembled(both).spec.mask, 'none');
    assert.equal(assembled(both).unfollowed?.length, 2);
  });
});

describe('names of one matrix, and of a mask', () => {
  it('take nothing from each other: V = K is K too', () => {
    for (const text of [
      'Q = np.array([[1., 2.]])\nK = np.array([[1., 2.], [3., 4.]])\nV = K\n',
      'K = [[1., 2.], [3., 4.]]\nV = K\nQ = [[1., 2.]]\n',
    ]) {
      const read = specFromText(text);
      assert.ok(read.ok, JSON.stringify(read));
      const { start } = read.value.spec;
      assert.deepEqual(start, { from: 'qkv', q: [[1, 2]], k: [[1, 2], [3, 4]], v: [[1, 2], [3, 4]] }); // prettier-ignore
    }
  });

  it('are not said to be left out where they are taken', () => {
    const read = specFromText('Q = [[1, 2], [3, 4]]\nK = [[1, 0], [0, 1]]\nattn_mask = [[0.0], [-1.5]]\n');
    assert.ok(read.ok);
    assert.equal(typeof read.value.spec.mask, 'object');
    assert.deepEqual(read.value.unfollowed ?? [], []);
  });
});

describe('what lines of code state', () => {
  const spec = (more: Partial<AttentionSpec> = {}): AttentionSpec => ({ ...matrixDefaults, start: { from: 'qkv', q: [[1, 2]], k: [[3, 4]], v: [[5]] }, ...more }); // prettier-ignore
  const stated = (after: string, more?: Partial<AttentionSpec>): string[] =>
    statedScaleAndMask({ text: 'Q = [[1, 2]]', after: `\n${after}` }, spec(more)).map(
      ({ change, followed }) => `${JSON.stringify(change)} ${followed}`,
    );
  const unscaled = (line: string): string => `{"scale":"none"} Scores are not scaled, as in the code: \`${line}\`.`;
  const hidden = (line: string): string => `{"mask":"causal"} Later keys are hidden, as in the code: \`${line}\`.`;

  it('is that scores go to softmax as they are, where nothing scales them', () => {
    for (const line of ['S = Q @ K.T', 'S = torch.matmul(q, k)', 'S = queries.dot(keys)'])
      assert.deepEqual(stated(`${line}\nW = softmax(S)`), [unscaled(line)]);
    for (const scaled of ['S = S / np.sqrt(2)', 'S = S * scale', 'S = S * d ** -0.5', 'S = S / d ** (1/2)'])
      assert.deepEqual(stated(`S = Q @ K.T\n${scaled}\nW = softmax(S)`), [], scaled);
    assert.deepEqual(stated('S = Q @ K.T'), []);
    assert.deepEqual(stated('W = softmax(S)'), []);
    assert.deepEqual(stated('S = Q @ K.T\nW = softmax(S)', { scale: 'none' }), []);
    assert.deepEqual(stated('S = Q @ K.T\nW = softmax(S)', { start: { from: 'scores', scores: [[1]], dK: 1 } }), []);
    const long = `S = Q @ K.T  + ${'b + '.repeat(20)}b`;
    assert.deepEqual(stated(`${long}\nW = softmax(S)`), [unscaled(`${long.slice(0, 80)}…`)]);
    const just = 'S = Q @ K.T + '.padEnd(80, 'b');
    assert.deepEqual(stated(`${just}\nW = softmax(S)`), [unscaled(just)]);
  });

  it('is that later keys are hidden, where a triangle is applied', () => {
    for (const made of ['m = np.triu(np.ones((2, 2)), k=1)', 'm = torch.triu(x, 1)', 'm = torch.tril(x)']) {
      assert.deepEqual(stated(`${made}\nS = S.masked_fill(m == 0, -inf)`), [hidden('S = S.masked_fill(m == 0, -inf)')]);
      assert.deepEqual(stated(`S = S.masked_fill(m == 0, -inf)\n${made}`), [], 'before it is made');
      assert.deepEqual(stated(made), []);
    }
    assert.deepEqual(stated('m = np.tril(x, k=-1)\nS = S + m'), []);
    assert.deepEqual(stated('m = np.triu(x, k=1)\nS = S + m'), [hidden('S = S + m')]);
    assert.deepEqual(stated('m = np.triu(x, k=1)\nS = S + mm'), []);
    assert.deepEqual(stated('S = np.where(np.triu(x, k=1), -np.inf, S)'), [hidden('S = np.where(np.triu(x, k=1), -np.inf, S)')]); // prettier-ignore
    assert.deepEqual(stated('m = np.triu(x, k=1)\nS = S + m', { mask: 'causal' }), []);
  });
});
