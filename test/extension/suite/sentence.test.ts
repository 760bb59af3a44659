// The sentence of a document's prose at an offset.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sentenceAt } from '../../../extension/documents';

const opened = (content: string, language = 'markdown') => vscode.workspace.openTextDocument({ language, content });

describe('the sentence at a cursor', () => {
  /** `¦` is the cursor. */
  const at = async (marked: string, language?: string) => {
    const offset = marked.indexOf('¦');
    const document = await opened(marked.replace('¦', ''), language);
    const found = sentenceAt(document, offset);
    return found && { text: document.getText().slice(found.range.start, found.range.end), alone: found.alone };
  };

  it('is one of a paragraph', async () => {
    assert.deepEqual(await at('One, two. The cat¦ sat\non the mat. Three, four.'), {
      text: 'The cat sat\non the mat.',
      alone: false,
    });
    assert.deepEqual(await at('¦One, two. Three four.'), { text: 'One, two.', alone: false });
    assert.deepEqual(await at('One, two. Three four.¦'), { text: 'Three four.', alone: false });
  });

  it('is a paragraph of its own, an item or a quote', async () => {
    for (const [marked, text] of [
      ['# T\n\nThe c¦at sat\n\nmore', 'The cat sat'],
      ['- one thing\n- the¦ cat sat\n- another one', 'the cat sat'],
      ['1. > The c¦at sat', 'The cat sat'],
      ['Text\r\n\r\nThe cat\r\nsat d¦own.\r\n', 'The cat\r\nsat down.'],
      ['Привет, ¦мир!', 'Привет, мир!'],
    ] as const)
      assert.deepEqual(await at(marked), { text, alone: true }, marked);
  });

  it('is a word, which is no example of a document that has more', async () => {
    assert.deepEqual(await at('wo¦rd'), { text: 'word', alone: false });
    assert.deepEqual(await at('a b.\n\nHence\n¦'), undefined);
  });

  it('is none in code, formulas, headings, tables and blank lines', async () => {
    for (const marked of [
      '# The c¦at',
      '```\nthe c¦at sat\n```',
      '| the¦ cat |\n|---|',
      'a\n¦\nb',
      'the $Q$ m¦atrix',
      '    x = ¦y z',
      '',
      '|',
      'use `x y`¦ now',
    ])
      assert.equal(await at(marked.includes('¦') ? marked : `${marked}¦`), undefined, marked);
    assert.equal(await at('the c¦at sat', 'python'), undefined);
    assert.deepEqual(await at('```\nx\n```\n\nthe c¦at sat'), { text: 'the cat sat', alone: true });
    assert.deepEqual(await at('\\section{A b}\n\nthe c¦at sat', 'latex'), { text: 'the cat sat', alone: true });
  });
});
