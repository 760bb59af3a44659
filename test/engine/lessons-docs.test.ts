// What the pages for teachers say of versions and limits is what is so.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lessonLimit, partLimit, questionKinds, takes } from '../../engine/index';
import { codeServerVersion } from '../host/code-server';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const docs = readdirSync(join(root, 'extension/docs')).map((name) => read(`extension/docs/${name}`));

describe('the pages for teachers', () => {
  it('name the versions that are tested and asked for', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { vscode: string } };
    const [, floor = ''] = /(\d+\.\d+)/.exec(engines.vscode) ?? [];
    assert.match(read('extension/docs/side-loading.md'), new RegExp(`In VS Code ${floor} or later`));
    const named = docs.flatMap((text) => [...text.matchAll(/code-server[@ ](\d+\.\d+\.\d+)/g)].map(([, version]) => version));
    assert.ok(named.length > 1);
    assert.deepEqual([...new Set(named)], [codeServerVersion]);
  }); // prettier-ignore

  it('name the limits of a lesson, every kind of question and everything that a quantity takes', () => {
    const lessons = read('extension/lessons/README.md');
    const plain = (count: number): string => count.toLocaleString('en').replace(/^(\d),(\d{3})$/, '$1$2');
    assert.ok(lessons.includes(`at most ${lessonLimit.toLocaleString('en')} characters and ${plain(partLimit)} blocks`));
    for (const word of [...questionKinds, ...takes]) assert.ok(lessons.includes(`\`${word}\``), word);
  }); // prettier-ignore

  it('say at their end what was tried and what was not', () => {
    for (const name of ['chromebooks', 'codespaces', 'side-loading', 'web', 'classroom'])
      assert.match(read(`extension/docs/${name}.md`), /\*\*Not tried\*\*/, name);
  });
});
