import assert from 'node:assert/strict';
import { textPartsOf } from '../../../webview/tokens/text-parts';
import { eachPage } from '../each-page';
import { type OpenPage } from '../harness';
import { bertFile, catExplanation, explanation, qkvExplanation, sentence, textSpec } from '../inputs';
import { goTo } from '../page-driver';

const token = (text: string, start?: number, end?: number) => ({
  text,
  id: 0,
  ...(start === undefined ? {} : { start }),
  ...(end === undefined ? {} : { end }),
});

describe('the text with its tokens', function () {
  this.timeout(120_000);

  it('is the text again, whatever the tokens are', () => {
    const text = 'a  🐈\nb';
    const cut = [token('a', 0, 1), token('x', 3, 5), token('y', 3, 5), token('b', 6, 7)];
    const stretches = textPartsOf(text, cut);
    assert.equal(stretches.map((s) => s.text).join(''), text);
    assert.deepEqual(
      stretches.map((s) => s.tokens),
      [[0], [], [1, 2], [], [3]],
    );
  });

  it('shows signs of the tokenizer’s own where they were added', () => {
    const special = (text: string, at: number) => ({ ...token(text, at, at), special: true as const });
    const stretches = textPartsOf('hi', [special('[CLS]', 0), token('hi', 0, 2), special('[SEP]', 2)]);
    assert.deepEqual(
      stretches.map((s) => [s.text, s.special ?? false]),
      [['[CLS]', true], ['hi', false], ['[SEP]', true]], // prettier-ignore
    );
  });

  describe('in the page', () => {
    let open: OpenPage;
    eachPage((page) => (open = page));
    const body = (): ReturnType<OpenPage['page']['locator']> => open.page.locator('.raw-text-body');

    it('stands at the tokens; a click selects, and the editor shows the selected one', async () => {
      await open.explain(catExplanation);
      await goTo(open, 'tokens');
      assert.equal(await body().innerText(), sentence);
      await open.page.locator('.raw-token').nth(2).click();
      await open.page.locator('.token-button[aria-pressed=true]', { hasText: 'sat' }).waitFor();
      await open.page.locator('.raw-text').getByRole('button', { name: 'Show in the editor' }).click();
      const reveals = (await open.messages()).filter(({ type }) => type === 'reveal');
      assert.deepEqual(reveals, [{ type: 'reveal', start: 8, end: 11 }]);
      await goTo(open, 'x');
      assert.equal(await body().isVisible(), false);
    });

    it('is walked by keyboard, one tab stop', async () => {
      await open.explain(catExplanation);
      await goTo(open, 'tokens');
      await open.page.locator('.raw-token[tabindex="0"]').focus();
      assert.equal(await open.page.locator('.raw-token[tabindex="0"]').count(), 1);
      await open.page.keyboard.press('End');
      assert.match(
        (await open.page.locator('.raw-token[aria-pressed=true]').getAttribute('aria-label')) ?? '',
        /5: mat/,
      );
      await open.page.keyboard.press('ArrowLeft');
      assert.equal(await open.page.locator(':focus').innerText(), 'the');
      assert.deepEqual((await open.state())?.cell?.[0], 4);
    });

    it('keeps lines and blanks, and marks special tokens', async () => {
      await open.explain(explanation(textSpec('The cat\n  sat.')));
      await open.send({ type: 'tokenizerFile', name: 'bert/tokenizer.json', text: bertFile() });
      await open.page.locator('.token-button[data-special]').first().waitFor();
      await open.ready();
      await goTo(open, 'tokens');
      assert.deepEqual(await open.page.locator('.raw-token[data-special]').allInnerTexts(), ['[CLS]', '[SEP]']);
      const plain = await body().evaluate((node) =>
        [...node.childNodes].map((n) => ((n as Element).matches?.('[data-special]') ? '' : n.textContent)).join(''),
      );
      assert.equal(plain, 'The cat\n  sat.');
    });

    it('is not there for matrices', async () => {
      await open.explain(qkvExplanation);
      assert.equal(await open.page.locator('.raw-text').isVisible(), false);
    });
  });
});
