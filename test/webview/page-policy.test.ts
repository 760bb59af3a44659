import assert from 'node:assert/strict';
import { contentSecurityPolicy } from '../../webview/protocol';
import { catExplanation, explanation, textSpec, words } from './inputs';
import { openPage } from './harness';
import { goTo, openControls } from './page-driver';

describe('the content security policy', function () {
  this.timeout(120_000);

  it('names its source and nonce, and allows nothing else', () => {
    const policy = contentSecurityPolicy('https://host', 'abc');
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-abc' 'wasm-unsafe-eval'; style-src https://host 'nonce-abc'; font-src https://host; " +
        "worker-src blob:; base-uri 'none'; form-action 'none'",
    );
    assert.doesNotMatch(policy, /'unsafe/);
  });

  /** Opens with a changed policy, does all that a reader does, and gives what the browser complained of. */
  async function troublesUnder(policy: (policy: string) => string): Promise<string> {
    const open = await openPage({ policy });
    await open.explain(catExplanation);
    for (const step of ['positions', 'q', 'masked', 'weights', 'output']) await goTo(open, step);
    await openControls(open);
    await open.send({
      type: 'explain',
      explanation: explanation(textSpec(words(400))),
      settings: { backend: 'cpu', digits: 2 },
    });
    await open.page.waitForTimeout(2500);
    await open.close();
    return open.troubles.join('\n');
  }

  it('is enough for everything the page does', async () => {
    assert.equal(await troublesUnder((policy) => policy), '');
  });

  // Each permission is needed: without it the browser complains.
  for (const [what, part, pattern] of [
    ['the nonce for styles', / 'nonce-[0-9a-f]+'(?=; font)/, /style-src/],
    ['fonts', /font-src [^;]+; /, /font-src/],
    ['blob workers', /worker-src blob:; /, /worker-src|blob:/],
  ] as const) {
    it(`needs ${what}`, async () => {
      assert.match(await troublesUnder((policy) => policy.replace(part, '')), pattern);
    });
  }
});
