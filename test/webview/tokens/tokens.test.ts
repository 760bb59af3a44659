import assert from 'node:assert/strict';
import type { Piece } from '../../../engine/index';
import type { HostMessage } from '../../../webview/protocol';
import { vocabularyOf } from '../../engine/tokens-texts';
import { bertFile, explanation, qkvExplanation, textSpec } from '../inputs';
import { quietly } from '../each-page';
import { openPage, type OpenPage } from '../harness';
import { cells, goTo, openControls } from '../page-driver';

const question = 'What is the capital of France?';
const tutorial003 = explanation(textSpec(question), {
  label: '003.md:1',
  uri: 'file:///003.md',
});
// gpt-tokenizer 4.0.0 and tiktoken 0.14.0.
const ids = {
  gpt2: [2061, 318, 262, 3139, 286, 4881, 30],
  cl100k_base: [3923, 374, 279, 6864, 315, 9822, 30],
  o200k_base: [4827, 382, 290, 9029, 328, 10128, 30],
} as const;
type Encoding = keyof typeof ids;

describe('tokens by a vocabulary', function () {
  this.timeout(120_000);
  let open: OpenPage;
  let expected: RegExp[] = [];
  beforeEach(async () => {
    expected = [];
    open = await openPage();
  });
  quietly(
    () => open,
    () => expected,
  );

  const buttons = (): ReturnType<OpenPage['page']['locator']> => open.page.locator('.token-button');
  const shownIds = async (): Promise<number[]> =>
    (await buttons().evaluateAll((all) => all.map((b) => b.getAttribute('data-id')))).map(Number);
  const asked = async (): Promise<unknown[]> =>
    (await open.messages()).filter(({ type }) => type === 'vocabulary' || type === 'chooseTokenizer');
  const state = async () => {
    const saved = await open.state();
    assert.ok(saved);
    return saved;
  };

  /** Chooses with the mouse; unlike `choose`, does not wait for what the host has still to answer. */
  async function pick(text: string): Promise<void> {
    await openControls(open);
    const field = open.page.locator('[data-control="tokenizer"]');
    await field.click();
    await field.locator('vscode-option', { hasText: text }).filter({ visible: true }).first().click();
  }
  async function answer(name: Encoding): Promise<void> {
    const message: HostMessage = {
      type: 'vocabulary',
      encoding: name,
      bytes: new Uint8Array(await vocabularyOf(name)),
    };
    await open.send(message);
  }
  async function pickAndAnswer(name: Encoding): Promise<void> {
    await pick(name);
    await answer(name);
    await open.page.locator(`.token-button[data-id="${ids[name][0]}"]`).waitFor();
    await open.ready();
  }
  const file = (name: string, text: string): Promise<void> => open.send({ type: 'tokenizerFile', name, text });
  const trouble = async (): Promise<string> => {
    await open.page.locator('.banner.error').waitFor();
    return open.page.locator('.banner.error').innerText();
  };

  it('the first explanation asks for no vocabulary', async () => {
    await open.explain(tutorial003);
    assert.deepEqual(await open.messages(), [{ type: 'ready', restored: false }]);
  });

  for (const name of Object.keys(ids) as Encoding[]) {
    it(`${name}: seven tokens of tutorial 003, with their ids, and everything computed anew`, async () => {
      await open.explain(tutorial003);
      await pick(name);
      assert.deepEqual(await asked(), [{ type: 'vocabulary', encoding: name }]);
      assert.equal(await buttons().count(), 7, 'the words stay until there are tokens');
      await answer(name);
      await open.page.locator(`.token-button[data-id="${ids[name][0]}"]`).waitFor();
      await open.ready();
      assert.deepEqual(await buttons().allInnerTexts(), ['What', '·is', '·the', '·capital', '·of', '·France', '?']);
      assert.deepEqual(await shownIds(), ids[name]);
      await goTo(open, 'tokens');
      assert.deepEqual(
        (await cells(open, 'tokens')).map(([id]) => id),
        ids[name],
      );
      await goTo(open, 'weights');
      assert.equal((await cells(open, 'weights')).length, 7);
      const { switches, cuts } = await state();
      assert.equal(switches.tokenizer, name);
      assert.deepEqual(
        cuts?.[0]?.pieces.map(([id]: Piece) => id),
        ids[name],
      );
    });
  }

  it('by keyboard alone', async () => {
    await open.explain(tutorial003);
    const { page } = open;
    await openControls(open);
    await page.locator('[data-control=tokenizer]').focus();
    await page.keyboard.press('Enter');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual(await asked(), [{ type: 'vocabulary', encoding: 'gpt2' }]);
    await answer('gpt2');
    await page.locator('.token-button[data-id="2061"]').waitFor();
    await open.ready();
    assert.ok(await page.locator('[data-control=tokenizer]').evaluate((e) => e === document.activeElement));
    await page.keyboard.press('Control+z');
    await page.locator('.token-button[data-id="0"]').waitFor();
    assert.deepEqual((await buttons().allInnerTexts()).slice(0, 2), ['What', 'is']);
  });

  it('a vocabulary that was read is not asked for again; undo, redo and reset need none', async () => {
    await open.explain(tutorial003);
    await pickAndAnswer('gpt2');
    await open.page.locator('vscode-button[aria-label=Undo]').click();
    await open.page.locator('.token-button[data-id="0"]').waitFor();
    await open.page.locator('vscode-button[aria-label=Redo]').click();
    await open.page.locator('.token-button[data-id="2061"]').waitFor();
    await open.page.locator('.controls-head vscode-button', { hasText: 'Reset' }).click();
    await open.page.locator('.token-button[data-id="0"]').waitFor();
    // Another text: the worker still has it.
    await open.explain(explanation(textSpec('Paris'), { label: 'other.md:1', uri: 'file:///other.md' }));
    await pick('gpt2');
    await open.page.locator('.token-button[data-id="40313"]').waitFor();
    assert.equal((await asked()).length, 1);
  });

  it('a newer choice wins, whenever the older answer comes', async () => {
    await open.explain(tutorial003);
    await pick('o200k_base');
    await pick('gpt2');
    await answer('o200k_base');
    await answer('gpt2');
    await open.page.locator('.token-button[data-id="2061"]').waitFor();
    await open.page.waitForTimeout(300);
    assert.deepEqual(await shownIds(), ids.gpt2);
    assert.equal((await state()).past.length, 1 + 1);
  });

  it('shows that it reads, and Cancel goes back', async () => {
    await open.explain(tutorial003);
    await pick('cl100k_base');
    const progress = open.page.locator('[data-progress]');
    await progress.waitFor();
    assert.match(await progress.innerText(), /Reading cl100k_base/);
    await progress.locator('vscode-button').click();
    await open.ready();
    assert.equal((await state()).switches.tokenizer, 'words');
    assert.equal(
      await open.page.locator('[data-control=tokenizer]').evaluate((e) => (e as HTMLSelectElement).value),
      'words',
    );
    await answer('cl100k_base');
    await open.page.waitForTimeout(200);
    assert.deepEqual((await buttons().allInnerTexts()).slice(0, 2), ['What', 'is']);
    assert.equal(await open.page.locator('.banner.error').count(), 0);
  });

  it('without an answer it gives up after 20 s, says so, and leaves what is shown', async () => {
    await open.close();
    open = await openPage({ own: true });
    await open.page.clock.install();
    await open.explain(tutorial003);
    await pick('gpt2');
    await open.page.clock.fastForward(19_000);
    assert.equal(await open.page.locator('.banner.error').count(), 0);
    await open.page.clock.fastForward(2_000);
    assert.match(
      await trouble(),
      /Could not use gpt2[^]*gpt2\.tkv was not loaded within 20 s[^]*Still showing 003\.md:1/,
    );
    assert.deepEqual((await buttons().allInnerTexts()).slice(0, 2), ['What', 'is']);
    assert.equal((await state()).switches.tokenizer, 'words');
    assert.equal(await open.page.locator('[data-progress]').isVisible(), false);
  });

  it('a vocabulary that cannot be read, or is damaged, is said; the next choice works', async () => {
    await open.explain(tutorial003);
    await pick('gpt2');
    await open.send({
      type: 'noTokenizer',
      name: 'gpt2',
      problems: [{ code: 'vocabulary-unreadable', message: 'gpt2.tkv cannot be read: not there' }],
    });
    assert.match(await trouble(), /Could not use gpt2[^]*not there/);
    await pick('cl100k_base');
    assert.equal(await open.page.locator('.banner.error').count(), 0, 'another choice answers it');
    await open.send({ type: 'vocabulary', encoding: 'cl100k_base', bytes: new Uint8Array([1, 2, 3]) });
    assert.match(await trouble(), /Could not use cl100k_base[^]*cl100k_base\.tkv: ends at byte 3/);
    await pickAndAnswer('gpt2');
    assert.deepEqual(await shownIds(), ids.gpt2);
  });

  it('a text with more than 131,072 tokens is refused at the control', async () => {
    // A hundred words, each of 500 letters of four bytes: three tokens or four a letter.
    const text = Array.from({ length: 100 }, () => '𓀀'.repeat(500)).join(' ');
    await open.explain(explanation(textSpec(text), { label: 'long.md:1' }));
    await pick('gpt2');
    await answer('gpt2');
    assert.match(await trouble(), /Could not use gpt2[^]*tokens, the limit is 131072/);
    assert.equal(await buttons().count(), 100);
  });

  it('tokenizer file…: opens the host’s dialog, and uses what comes, by its name', async () => {
    await open.explain(tutorial003);
    await pick('Tokenizer file…');
    assert.deepEqual(await asked(), [{ type: 'chooseTokenizer' }]);
    await open.ready();
    const value = (): Promise<string> =>
      open.page.locator('[data-control=tokenizer]').evaluate((e) => (e as HTMLSelectElement).value);
    assert.equal(await value(), 'words', 'nothing is chosen yet');
    await file('bert/tokenizer.json', bertFile());
    await open.page.locator('.token-button[data-special]').first().waitFor();
    const texts = await buttons().allInnerTexts();
    assert.equal(texts[0], '[CLS]');
    assert.equal(texts.at(-1), '[SEP]');
    assert.equal(await value(), 'file:bert/tokenizer.json');
    assert.match((await buttons().first().getAttribute('aria-label')) ?? '', /^Token 0: \[CLS\], id 2, special token$/);
    await pick('Words');
    await pick('bert/tokenizer.json');
    await open.page.locator('.token-button[data-special]').first().waitFor();
    assert.equal((await asked()).length, 1, 'its tokens are kept');
  });

  it('a file that is no tokenizer is said with its place; matrices take none', async () => {
    await open.explain(tutorial003);
    await file('a/tokenizer.json', '{"model": {"type": "Magic"}}');
    assert.match(await trouble(), /Could not use a\/tokenizer\.json[^]*model: Magic is not supported/);
    await file('a/tokenizer.json', '{ nonsense');
    assert.match(await trouble(), /Could not use a\/tokenizer\.json/);
    await file('a/vocab.txt', 'no\npieces\n');
    assert.match(await trouble(), /vocab\.txt[^]*\[UNK\]/);
    await file('a/tokenizer.json', bertFile());
    await open.page.locator('.token-button[data-special]').first().waitFor();
    assert.equal(await open.page.locator('.banner.error').count(), 0);
    await open.explain(qkvExplanation);
    await file('a/tokenizer.json', bertFile());
    assert.match(await trouble(), /does not start from a text/);
  });

  it('comes back after a reload with its tokens; another text wants the file, and gets it', async () => {
    await open.explain(tutorial003);
    await file('bert/tokenizer.json', bertFile());
    await open.page.locator('.token-button[data-special]').first().waitFor();
    const before = [await buttons().allInnerTexts(), await shownIds()];
    await open.ready();
    await open.page.reload();
    await open.ready();
    assert.deepEqual([await buttons().allInnerTexts(), await shownIds()], before);
    assert.deepEqual(await asked(), []);
    await open.send({ type: 'source', state: 'stale' });
    await open.page.locator('[data-source=stale] vscode-button').click();
    await open.send({
      type: 'explain',
      explanation: { ...tutorial003, spec: textSpec('What is new?') },
      settings: { backend: 'auto', digits: 2 },
    });
    assert.match(await trouble(), /bert\/tokenizer\.json is no longer loaded/);
    assert.deepEqual(await buttons().allInnerTexts(), before[0]);
    await open.page.locator('.banner.error vscode-button', { hasText: 'Choose file' }).click();
    assert.deepEqual(await asked(), [{ type: 'chooseTokenizer' }]);
    await file('bert/tokenizer.json', bertFile());
    await open.page.locator('.banner.error').waitFor({ state: 'detached' });
    await open.ready();
    const { explanation: now } = await state();
    assert.ok(now.spec.start.from === 'text' && now.spec.start.text === 'What is new?');
    assert.notDeepEqual(await buttons().allInnerTexts(), before[0]);
    assert.equal((await buttons().allInnerTexts())[0], '[CLS]');
  });

  it('a changed source is cut by the same tokenizer again', async () => {
    await open.explain(tutorial003);
    await pickAndAnswer('gpt2');
    await open.send({ type: 'source', state: 'stale' });
    await open.page.locator('[data-source=stale] vscode-button').click();
    await open.explain({ ...tutorial003, spec: textSpec('Paris') });
    assert.deepEqual(await shownIds(), [40313]);
    assert.equal((await state()).switches.tokenizer, 'gpt2');
  });

  it('a text that comes with an encoding (the setting) waits for it; words where it cannot be had', async () => {
    const start = { from: 'text', text: question, tokenizer: 'gpt2' } as const;
    const message = {
      type: 'explain',
      explanation: { ...tutorial003, spec: textSpec(question, { start }) },
      settings: { backend: 'auto', digits: 2 },
    };
    await open.send(message);
    await open.page.locator('[data-progress]').waitFor();
    await answer('gpt2');
    await open.page.locator('.token-button[data-id="2061"]').waitFor();
    assert.equal(await open.page.locator('.header-actions .count').count(), 0, 'nothing was changed');
    const other = await openPage();
    await other.send(message);
    await other.send({ type: 'noTokenizer', name: 'gpt2', problems: [{ code: 'x', message: 'not there' }] });
    await other.page.locator('.banner.error').waitFor();
    assert.deepEqual(await other.page.locator('.token-button').allInnerTexts(), [
      'What',
      'is',
      'the',
      'capital',
      'of',
      'France',
      '?',
    ]);
    await other.close();
  });

  it('a page that was reloaded while it waited asks again', async () => {
    await open.explain(tutorial003);
    await pick('gpt2');
    await open.page.locator('[data-progress]').waitFor();
    await open.page.reload();
    await open.page.locator('[data-progress]').waitFor();
    assert.deepEqual(await asked(), [{ type: 'vocabulary', encoding: 'gpt2' }]);
    await answer('gpt2');
    await open.page.locator('.token-button[data-id="2061"]').waitFor();
  });

  it('pointer and focus show a token’s id and place; its name says them too', async () => {
    await open.explain(tutorial003);
    await pickAndAnswer('cl100k_base');
    const tip = open.page.locator('.token-tip');
    await buttons().nth(3).hover();
    const [name, id, place, ...attention] = (await tip.innerText()).split('\n');
    assert.deepEqual([name, id, place], ['·capital', 'id 6,864 of 100,277', 'characters 11 to 19']);
    assert.match(attention.join('\n'), /^·capital attends to .*\n·capital is attended to by /);
    assert.equal(await buttons().nth(3).getAttribute('aria-label'), 'Token 3: blank capital, id 6864');
    await open.page.mouse.move(600, 700);
    assert.equal(await tip.isVisible(), false);
    await buttons().first().focus();
    await open.page.keyboard.press('ArrowRight');
    assert.match(await tip.innerText(), /id 374 of/);
    await open.page.keyboard.press('Escape');
    assert.equal(await tip.isVisible(), false);
    assert.ok(await open.page.locator('#controls').isVisible(), 'Escape took the tip only');
  });

  it('the inspector says where an id and a row come from', async () => {
    await open.explain(tutorial003);
    await pickAndAnswer('gpt2');
    await goTo(open, 'tokens');
    const note = open.page.locator('.inspector .note').first();
    await open.page.locator('[data-matrix=tokens] [data-row="3"][data-column="0"]').click();
    await note.getByText('“·capital” has the id 3139 in the vocabulary of gpt2.').waitFor();
    await open.page.locator('[data-matrix=tokens] [data-row="3"][data-column="1"]').click();
    await note.getByText('“·capital” is row 3 of the table').waitFor();
    await goTo(open, 'embedding');
    await open.page.locator('[data-matrix=embedding] [data-row="3"][data-column="0"]').first().click();
    await open.page.locator('.inspector').getByText('The row of “·capital” is 3: row 3 of the table.').waitFor();
  });

  it('part of a character says whose', async () => {
    await open.explain(explanation(textSpec('a 🐈'), { label: 'cat.md:1' }));
    await pick('gpt2');
    await answer('gpt2');
    // gpt-tokenizer: 64, 12520, 238, 230
    await open.page.locator('.token-button[data-id="12520"]').waitFor();
    assert.deepEqual(await shownIds(), [64, 12520, 238, 230]);
    await buttons().nth(3).hover();
    assert.match(await open.page.locator('.token-tip').innerText(), /part of “🐈”/);
  });

  for (const count of [20, 200, 2000]) {
    it(`${count} tokens`, async () => {
      // 64, then 257 for each “ a”, says gpt-tokenizer.
      const text = Array.from({ length: count }, () => 'a').join(' ');
      await open.explain(explanation(textSpec(text), { label: 'many.md:1' }));
      await pick('gpt2');
      await answer('gpt2');
      await open.page.locator('.token-button[data-id="257"]').first().waitFor();
      await open.ready();
      assert.deepEqual(await shownIds(), [64, ...Array<number>(count - 1).fill(257)]);
    });
  }
});
