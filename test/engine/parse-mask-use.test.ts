// What a 1 of a boolean mask means, told by the lines that use it. Rules: PyTorch's documentation of masked_fill, where,
// scaled_dot_product_attention and MultiheadAttention; NumPy's of where.
// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { specFromText, type AttentionSpec } from '../../engine/index';
import { maskUse } from '../../engine/parse/mask-use';
import { assembled } from './parse-support';

const qk = 'Q = np.array([[1, 0], [0, 1]])\nK = np.array([[1, 2], [3, 4]])\n';
/** Its ones and zeros stand in no triangle, and no row is all of one kind: nothing but its use can tell. */
const numbers = 'mask = np.array([[0, 1], [1, 0]])\n';
const truths = 'mask = torch.tensor([[False, True], [True, False]])\n';

type Meaning = 'hidden' | 'visible' | undefined;

/** And whether a line is named for it. */
function meaning(text: string, after = ''): Meaning {
  const read = specFromText(qk + text, { before: '', after });
  assert.ok(read.ok, read.ok ? '' : read.problems[0]?.message);
  const { mask }: AttentionSpec = read.value.spec;
  assert.ok(typeof mask === 'object' && mask.kind === 'boolean');
  const said = /a 1 \(True\) (hides|may be seen), as the line `(.+)` says/.exec(read.value.notes.join(' '));
  if (!said) return undefined;
  assert.equal(mask.trueMeans, said[1] === 'hides' ? 'hidden' : 'visible');
  return mask.trueMeans;
}

describe('what a mask means, by the lines that use it', () => {
  const lines: readonly (readonly [line: string, means: Meaning])[] = [
    ["scores.masked_fill(mask, -1e9)", 'hidden'],
    ["scores = scores.masked_fill(mask, float('-inf'))", 'hidden'],
    ['scores.masked_fill_(mask.bool(), -np.inf)', 'hidden'],
    ['scores.masked_fill(mask == 1, -torch.inf)', 'hidden'],
    ["scores = scores.masked_fill(mask == 0, float('-inf'))", 'visible'],
    ['scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)', 'visible'],
    ['scores = scores.masked_fill(mask.logical_not(), -1e20)', 'visible'],
    ['scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)', 'visible'],
    ['scores = scores.masked_fill(mask[None, :] == False, -10000.0)', 'visible'],
    ['np.where(mask, scores, -1e9)', 'visible'],
    ['scores = np.where(mask == 1, scores, -np.inf)', 'visible'],
    ['scores = np.where(mask, -np.inf, scores)', 'hidden'],
    ['scores = np.where(mask == 0, -1e9, scores)', 'visible'],
    ['scores = torch.where(mask == 0, scores, -1e9)', 'hidden'],
    ['scores[mask == 0] = -1e9', 'visible'],
    ['scores[mask] = -np.inf', 'hidden'],
    ['out, w = mha(x, x, x, key_padding_mask=mask)', 'hidden'],
    ['out, w = mha(x, x, x, key_padding_mask=~mask)', 'visible'],
    ['scores.masked_fill(  # here\n  mask == 0,\n  -1e9,\n)', 'visible'],
    // What says nothing of it.
    ['scores.masked_fill(mask, 0.5)', undefined],
    ['scores.masked_fill(other_mask, -1e9)', undefined],
    ['scores.masked_fill(self.mask, -1e9)', undefined],
    ['scores.masked_fill(mask & other, -1e9)', undefined],
    ['# scores.masked_fill(mask, -1e9)', undefined],
    ['scores = scores + mask * -1e9', undefined],
    ['attend(Q, K, attn_mask=mask)', undefined],
    ['scores.masked_fill(mask, -1e9)\nscores.masked_fill(mask == 0, -1e9)', undefined],
    ['np.where(mask, scores, zeros)', undefined],
  ]; // prettier-ignore
  for (const [line, means] of lines)
    it(`${line.replaceAll('\n', ' ⏎ ')}: ${means ?? 'not told'}`, () => {
      assert.equal(meaning(numbers + line), means);
      assert.equal(meaning(numbers.trimEnd(), `\n${line}\n`), means, 'right below the selection');
    });

  it('scaled_dot_product_attention sees where truth values are true, and MultiheadAttention does not', () => {
    const dot = 'F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)';
    assert.equal(meaning(truths + dot), 'visible');
    assert.equal(meaning(`${truths}F.scaled_dot_product_attention(Q, K, V, mask)`), 'visible');
    assert.equal(meaning(`${truths}F.scaled_dot_product_attention(\n  Q, K, V,\n  attn_mask=~mask)`), 'hidden');
    // Numbers would be added.
    assert.equal(meaning(numbers + dot), undefined);
    assert.equal(meaning(`${truths}mha = nn.MultiheadAttention(8, 2)\nmha(x, x, x, attn_mask=mask)`), 'hidden');
    assert.equal(meaning(`${truths}mha = nn.MultiheadAttention(8, 2)\nours(x, x, x, attn_mask=mask)`), undefined);
  });

  it('a function counts that is called with it', () => {
    const attend = 'def attend(q, k, mask):\n    s = q @ k.T\n\n    return s.masked_fill(mask == 0, -1e9)\n';
    assert.equal(meaning(`${numbers}${attend}attend(Q, K, mask)\n`), 'visible');
    assert.equal(meaning(`${attend}${numbers}attend(Q, K, mask)\n`), 'visible');
    assert.equal(meaning(numbers + attend), undefined);
    const turned = attend.replace('s = q @ k.T', 's = q @ k.T\n    mask = 1 - mask');
    assert.equal(meaning(`${numbers}${turned}attend(Q, K, mask)\n`), undefined);
    const lifted = attend.replace('s = q @ k.T', 's = q @ k.T\n    mask = mask.unsqueeze(0)');
    assert.equal(meaning(`${numbers}${lifted}attend(Q, K, mask)\n`), 'visible');
  });

  it('another value under the same name is another mask', () => {
    assert.equal(meaning(numbers.trimEnd(), '\nmask = mask == 0\nscores.masked_fill(mask, -1e9)\n'), undefined);
    assert.equal(meaning(numbers.trimEnd(), '\nscores.masked_fill(mask, -1e9)\nmask = mask == 0\n'), 'hidden');
  });

  it('outranks the diagonal, and names its line', () => {
    const { spec, notes } = assembled(
      `${qk}mask = np.array([[0, 1], [0, 0]])\nscores = scores.masked_fill(mask == 0, -1e9)\n`,
    );
    assert.ok(typeof spec.mask === 'object' && spec.mask.kind === 'boolean' && spec.mask.trueMeans === 'visible');
    assert.match(notes.join(' '), /as the line `scores = scores\.masked_fill\(mask == 0, -1e9\)` says/);
  });

  it('stays quick where every line uses it, or seems to', () => {
    const texts = [
      'scores.masked_fill(mask, -1e9)\n'.repeat(20_000),
      'def f(mask):\n  scores.masked_fill(mask, -1e9)\n'.repeat(20_000),
      `x.masked_fill(mask,${'['.repeat(280)}\n`.repeat(4000),
      `where(mask${'[0][0].to(a)'.repeat(22)},-,\n`.repeat(4000),
      `where(mask, ${'a, -1e9'.repeat(40)}\n${'f('.repeat(3000)}`.repeat(400),
    ];
    for (const text of texts) {
      const started = performance.now();
      maskUse({ text, after: text }, 'mask', false);
      const took = performance.now() - started;
      assert.ok(took < 3000, `${took} ms for ${text.slice(0, 40)}`);
    }
  });
});
