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

  it('offers to take code as text', async () => {
    await open.send({ type: 'problems', label: 'a.py:1', problems: [{ code: 'code', message: 'this is Python code', line: 1, column: 1 }] }); // prettier-ignore
    await open.page.getByText('Explain it as text').click();
    assert.equal((await open.messages()).filter(({ type }) => type === 'explainAsText').length, 1);
  });
});
