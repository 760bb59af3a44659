import assert from 'node:assert/strict';
import { createAnswering, type AttentionAnswer } from '../../engine/program/serve/answer';
import { finish } from '../../engine/text/pace';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { explanation } from './inputs';
import { choose, currentStep, goTo, openControls } from './page-driver';

const code = (softmax: string): string => `import torch
q = torch.tensor([[1., 0.], [0., 1.], [1., 1.]])
k = torch.tensor([[1., 2.], [3., 4.], [0., 1.]])
v = torch.tensor([[1., 0.], [0., 2.], [5., 1.]])
scores = q @ k.T / 2**0.5
weights = torch.softmax(scores, ${softmax})
out = weights @ v
`;

describe('standard attention beside a program’s', function () {
  this.timeout(120_000);
  let open: OpenPage;
  beforeEach(async () => {
    open = await openPage();
  });
  quietly(() => open);

  const explain = async (text: string): Promise<void> => {
    const answer = finish(createAnswering()({ kind: 'attention', text })).answer as AttentionAnswer;
    assert.ok(answer.is === 'found' && answer.nearest, JSON.stringify(answer).slice(0, 300));
    const { spec, nearest } = answer;
    await open.explain({ ...explanation(spec, { label: 'a.py:6' }), beside: { ...nearest, notes: [] } });
  };

  it('says that the numbers are the same, and can be turned to and back', async () => {
    await explain(code('dim=-1'));
    const note = open.page.locator('.banner.note li', { hasText: 'standard attention' });
    assert.match(
      await note.innerText(),
      /^To line 7 the numbers are those of standard attention, given the code’s own queries, keys, values and mask, right or wrong\./,
    );
    const steps = open.page.locator('[data-step]');
    const own = await steps.count();
    await open.page.getByText('Show standard attention').click();
    await open.page.getByText('Back to the code').waitFor();
    await open.ready();
    const state = await open.state();
    assert.equal(state?.explanation?.spec.start.from, 'qkv');
    assert.equal(state?.explanation?.turnedFrom?.spec.start.from, 'program');
    assert.ok(await currentStep(open));
    // Switches work there.
    await openControls(open);
    await choose(open, 'scale', 'None');
    assert.equal((await open.state())?.switches?.scale, 'none');
    await open.page.getByText('Back to the code').click();
    await note.waitFor();
    await open.ready();
    assert.equal((await open.state())?.explanation?.spec.start.from, 'program');
    assert.equal(await steps.count(), own);
  });

  it('says which line differs first, and by how much', async () => {
    // PyTorch has 0.0501 and 0.7337 at [0, 1], over the queries and over the keys.
    await explain(code('dim=0'));
    const note = open.page.locator('.banner.note li', { hasText: 'standard attention' });
    assert.match(await note.innerText(), /^Line 6 differs from standard attention, whose softmax runs over the keys: here 0\.0501\d, there 0\.7337\. Show standard attention$/); // prettier-ignore
  });

  it('shows weights whose rows are keys without saying of a row what it attends to', async () => {
    const turned = `import torch
torch.manual_seed(0)
q, k, v = torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4)
scores = k @ q.T / 2
weights = scores.softmax(dim=0)
out = weights.T @ v
`;
    for (const [text, isSaid] of [
      [code('dim=0'), true],
      [turned, false],
    ] as const) {
      await explain(text);
      await goTo(open, 'weights');
      assert.equal(await open.page.locator('.arcs').isVisible(), isSaid, text);
    }
  });
});
