import assert from 'node:assert/strict';
import { specFromText } from '../../engine/index';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { explanation } from './inputs';

const code = `Q = torch.tensor([[1., 0.], [0., 1.]])
K = torch.tensor([[1., 2.], [3., 4.]])
mask = torch.triu(torch.ones(2, 2), diagonal=1)
scores = Q @ K.T
weights = torch.softmax(scores.masked_fill(mask.bool(), -torch.inf), dim=-1)
mha = nn.MultiheadAttention(2, num_heads=2)
`;

describe('what the source says and the explanation does not follow', function () {
  this.timeout(120_000);
  let open: OpenPage;
  beforeEach(async () => {
    open = await openPage();
  });
  quietly(() => open);

  const explain = async (text: string): Promise<void> => {
    const read = specFromText(text);
    assert.ok(read.ok, JSON.stringify(read));
    const { spec, notes, said = [], unfollowed = [] } = read.value;
    const source = { label: 'a.py:1', uri: 'file:///a.py', range: { start: 100, end: 100 + text.length } };
    const located = unfollowed.map((problem) => ({
      ...problem,
      range: { start: 100 + (problem.range?.start ?? 0), end: 100 + (problem.range?.end ?? 0) },
      line: text.slice(0, problem.range?.start).split('\n').length,
      column: 1,
    }));
    await open.explain({ ...explanation(spec, source), notes, said, unfollowed: located });
  };

  it('is listed with its lines, which lead to the editor', async () => {
    await explain(code);
    const items = open.page.locator('.banner.unfollowed li');
    const told = await items.allInnerTexts();
    assert.ok(told.includes('6:1 nn.MultiheadAttention(2, num_heads=2) is not followed.'), told.join('\n'));
    await items.filter({ hasText: 'MultiheadAttention' }).locator('button').click();
    const asked = (await open.messages()).filter(({ type }) => type === 'reveal').at(-1);
    const start = code.indexOf('nn.Multi');
    assert.deepEqual(asked, { type: 'reveal', start, end: code.length - 1 });
  });

  const product = code.slice(0, code.indexOf('mask'));
  const followed: readonly (readonly ['scale' | 'mask', string, string, string, string, string])[] = [
    // As in seed 004: no line scales.
    ['scale', 'weights = softmax(Q @ K.T)\n', 'The code never scales its scores', 'Scores are not scaled', 'sqrt_d_k', 'none'],
    // The mask's size is not known, so it is no matrix.
    ['mask', 'mask = torch.triu(torch.ones(n, n), diagonal=1)\nw = softmax((Q @ K.T / d ** 0.5).masked_fill(mask, -inf))\n', 'The code hides later keys', 'Later keys are hidden', 'none', 'causal'],
  ]; // prettier-ignore
  for (const [field, lines, offer, note, from, to] of followed)
    it(`follows the code by one click, and the note goes with it; Undo brings both back: ${field}`, async () => {
      await explain(product + lines);
      const banner = open.page.locator('.banner.note');
      const offered = banner.locator('li', { hasText: offer });
      const state = async (): Promise<unknown> => (await open.state())?.switches?.[field];
      assert.equal(await state(), from);
      await offered.getByText('Follow the code').click();
      await banner.locator('li', { hasText: note }).waitFor();
      await open.ready();
      assert.deepEqual([await state(), await offered.count()], [to, 0]);
      await open.page.locator('vscode-button[aria-label^="Undo"]').click();
      await offered.waitFor();
      await open.ready();
      assert.equal(await state(), from);
    });

  it('has room for the words beside or above the button, and one button that stands out', async () => {
    const problems = [{ code: 'code', message: 'this is Python code, and none of its matrices is known', line: 1, column: 1 }]; // prettier-ignore
    await open.send({ type: 'problems', label: 'a.py:1', problems });
    assert.deepEqual(await open.page.locator('.empty vscode-button[appearance=primary]').allInnerTexts(), ['Explain it as text']); // prettier-ignore
    await explain(code);
    await open.send({ type: 'problems', label: 'a.py:1', problems });
    for (const width of [320, 600, 1200]) {
      await open.page.setViewportSize({ width, height: 900 });
      const box = await open.page.locator('.banner.error .banner-text').boundingBox();
      assert.ok((box?.width ?? 0) > 0.55 * width, `${box?.width} of ${width} px`);
    }
  });

  it('offers to take code as text', async () => {
    await open.send({ type: 'problems', label: 'a.py:1', problems: [{ code: 'code', message: 'this is Python code', line: 1, column: 1 }] }); // prettier-ignore
    await open.page.getByText('Explain it as text').click();
    assert.equal((await open.messages()).filter(({ type }) => type === 'explainAsText').length, 1);
  });
});
