import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNonce, pageHtml } from '../../../extension/pages/html';
import { messageOf } from '../../../extension/host/message';
import {
  isAmongNumbers,
  isNearStart,
  mayBeRow,
  mayContinue,
  windowAround,
} from '../../../extension/documents/text-window';
import { parseHostMessage } from '../../../webview/protocol';

const root = join(__dirname, '../../..');
const json = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

describe('the page', () => {
  const files = { at: (name: string) => `https://x.test/${name}?a=1&b="2"`, cspSource: 'https://x.test' };
  const html = pageHtml(files, 'n0nce');

  it('loads one script with the nonce and nothing inline', () => {
    assert.deepEqual(html.match(/<script[^>]*>/g), [
      '<script nonce="n0nce" src="https://x.test/webview.js?a=1&amp;b=&quot;2&quot;">',
    ]);
    assert.doesNotMatch(html, /<style|style="|onload=|javascript:|'unsafe-inline|'unsafe-eval/);
    assert.match(html, /<meta property="csp-nonce" content="n0nce">/);
  });

  it('says that it comes until its script has built it', () => {
    assert.match(html, /<p class="page-loading" role="status">Loading…<\/p>/);
    assert.match(
      readFileSync(join(root, 'webview/base.css'), 'utf8'),
      /\.page-loading:has\(~ :not\(script, \[hidden\]\)\) \{\s*display: none/,
    );
    // In what the style sheets of all pages have in common.
    for (const page of ['explainer', 'lesson'] as const)
      assert.match(pageHtml({ ...files, page }, 'n'), /<link rel="stylesheet" href="https:\/\/x\.test\/common\.css/);
    assert.match(readFileSync(join(root, 'webview/common.css'), 'utf8'), /@import '\.\/base\.css';/);
  });

  it('has a policy that begins with nothing and names the nonce', () => {
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    assert.match(policy, /^default-src 'none'/);
    assert.match(policy, /script-src 'nonce-n0nce'/);
    assert.ok(
      html.indexOf('Content-Security-Policy') < html.indexOf('<link'),
      'the policy stands before what it governs',
    );
  });

  it('gets another nonce each time', () => {
    const nonces = Array.from({ length: 50 }, createNonce);
    assert.equal(new Set(nonces).size, 50);
    for (const nonce of nonces) assert.match(nonce, /^[0-9a-f]{32}$/);
  });
});

describe('a message about bad input', () => {
  const ragged = {
    code: 'ragged',
    message: 'row 2 has 3 numbers, row 1 has 2',
    hint: 'Make them equal.',
    line: 3,
    column: 5,
  };

  it('names what and where', () => {
    const expected = 'row 2 has 3 numbers, row 1 has 2 (a.py, line 3, column 5). Make them equal.';
    assert.equal(messageOf([ragged], 'a.py'), expected);
    assert.equal(messageOf([ragged, ragged], 'a.py'), `${expected} 1 more problem is in the log.`);
    assert.equal(messageOf([ragged, ragged, ragged], 'a.py'), `${expected} 2 more problems are in the log.`);
    assert.equal(messageOf([{ code: 'x', message: 'nothing' }], 'typed input'), 'nothing (typed input).');
  });
});

describe('part of a long text', () => {
  const text = 'abcdefghij';
  const source = {
    length: text.length,
    slice: ({ start, end }: { start: number; end: number }) => text.slice(start, end),
  };

  it('reaches as far as is asked for, or to an end of the text', () => {
    assert.deepEqual(windowAround(source, 5, 2), {
      start: 3,
      end: 7,
      text: 'defg',
      at: 2,
      cutBefore: true,
      cutAfter: true,
    });
    assert.deepEqual(windowAround(source, 1, 3), {
      start: 0,
      end: 4,
      text: 'abcd',
      at: 1,
      cutBefore: false,
      cutAfter: true,
    });
    assert.deepEqual(windowAround(source, 99, 3), {
      start: 7,
      end: 10,
      text: 'hij',
      at: 3,
      cutBefore: true,
      cutAfter: false,
    });
  });

  it('notices a row of a matrix that began before it', () => {
    const cut = (text: string) => {
      const start = text.lastIndexOf('[');
      const window = { start: 0, end: text.length, text, at: start, cutBefore: true, cutAfter: true };
      return mayBeRow(window, { start, end: text.length });
    };
    assert.equal(cut('1, 2],\n [3, 4]'), true);
    assert.equal(cut('1 2]\n [3 4]'), true);
    assert.equal(cut('[1, 2]'), true);
    assert.equal(cut('x = [3, 4]'), false);
    assert.equal(cut('f(a, [3, 4]'), false);
    assert.equal(cut('g(1)\nx = f([1, 2], [3, 4]'), false);
  });

  it('notices a table that may go on beyond it', () => {
    const window = { start: 0, end: 0, at: 0, cutBefore: true, cutAfter: true };
    const rows = '1,2\n3,4\n5,6';
    assert.equal(mayContinue({ ...window, text: rows }, { start: 4, end: 11 }), true);
    assert.equal(mayContinue({ ...window, text: rows }, { start: 4, end: 7 }), true);
    assert.equal(mayContinue({ ...window, text: `${rows}\n\nThe end` }, { start: 4, end: 11 }), false);
    assert.equal(mayContinue({ ...window, cutAfter: false, text: rows }, { start: 4, end: 11 }), false);
    assert.equal(isNearStart({ ...window, text: rows }, { start: 4, end: 11 }), true);
    assert.equal(isNearStart({ ...window, text: `a\n${rows}` }, { start: 6, end: 13 }), false);
    assert.equal(isNearStart({ ...window, cutBefore: false, text: rows }, { start: 4, end: 11 }), false);
  });
});

describe('where a literal may be larger than the window', () => {
  const among = (text: string): boolean =>
    isAmongNumbers(
      windowAround({ length: text.length, slice: ({ start, end }) => text.slice(start, end) }, text.length / 2, 1e6),
    );

  it('is among numbers, not in prose or code', () => {
    assert.equal(among('[0.125, -3.5e-4, 17],\n'.repeat(30)), true);
    assert.equal(among('1 2 3\n'.repeat(100)), true);
    assert.equal(among('The cat sat on the mat 3 times. '.repeat(30)), false);
    assert.equal(among('    value = lookup(table[0], key) + 1\n'.repeat(30)), false);
    assert.equal(among('no number at all'), false);
  });

  it('is where fewer than a quarter of the characters are letters, in 256 before and after', () => {
    const mixed = (letters: number): string => 'e'.repeat(letters) + '7'.repeat(100 - letters);
    assert.deepEqual(
      [24, 25, 26].map((letters) => among(mixed(letters))),
      [true, false, false],
    );
    const far = 'x'.repeat(1000);
    assert.equal(among(`${far}${'7'.repeat(512)}${far}`), true);
    assert.equal(among(`${far}${'7'.repeat(384)}${far}`), false, '64 letters on each side are a quarter of 512');
    assert.equal(among(`${far}${'7'.repeat(386)}${far}`), true);
  });
});

describe('package.json', () => {
  const { contributes } = json('package.json') as {
    contributes: {
      commands: { command: string; title: string; category?: string }[];
      configuration: {
        properties: Record<string, { type: string; enum?: string[]; minimum?: number; maximum?: number }>;
      };
    };
  };
  const words = json('package.nls.json');

  it('has words for every %key%, and no words without a key', () => {
    const text = readFileSync(join(root, 'package.json'), 'utf8');
    const keys = [...text.matchAll(/"%([^%"]+)%"/g)].map((m) => m[1] ?? '');
    assert.ok(keys.length > 0);
    assert.deepEqual([...new Set(keys)].sort(), Object.keys(words).sort());
  });

  it('names the command exactly “Explain Attention” in the palette', () => {
    const explain = contributes.commands.find(({ command }) => command === 'explainAttention.explain');
    assert.equal(words[(explain?.title ?? '').replaceAll('%', '')], 'Explain Attention');
    assert.equal(explain?.category, undefined);
  });

  it('allows only settings that the page takes', () => {
    const { properties } = contributes.configuration;
    const { minimum, maximum } = properties['explainAttention.digits'] ?? {};
    for (const backend of properties['explainAttention.backend']?.enum ?? []) {
      for (const digits of [minimum, maximum]) {
        const result = parseHostMessage({ type: 'settings', settings: { backend, digits } });
        assert.ok(result.ok, JSON.stringify(result));
      }
    }
  });
});
