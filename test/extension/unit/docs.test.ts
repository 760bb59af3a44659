// README and the pages under extension/docs: links that lead somewhere, and settings and commands that are all named.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'extension/lessons/README.md',
  ...readdirSync(join(root, 'extension/docs')).map((name) => `extension/docs/${name}`),
];

/** The files that a page links to or shows, from the repository's top. */
const linksOf = (page: string): string[] =>
  [...read(page).matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => posix.join(dirname(page), target));

describe('the documentation', () => {
  it('leads to files that exist', () => {
    const links = pages.flatMap((page) => linksOf(page).map((to) => ({ page, to })));
    assert.ok(links.length > 20);
    assert.deepEqual(links.filter(({ to }) => !existsSync(join(root, to))), []); // prettier-ignore
  });

  it('has a way to each of its pages from the first one', () => {
    const first = linksOf('extension/docs/README.md');
    const others = readdirSync(join(root, 'extension/docs')).filter((name) => name !== 'README.md');
    assert.deepEqual(others.filter((name) => !first.includes(`extension/docs/${name}`)), []); // prettier-ignore
  });

  it('keeps README to what a newcomer reads first', () => {
    assert.ok(read('README.md').split('\n').length <= 60);
  });

  it('has no address that is invented: repository, bugs and homepage come together, or not at all', () => {
    const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, unknown>>;
    const addresses = ['repository', 'bugs', 'homepage'].filter((name) => manifest[name] !== undefined);
    assert.ok(addresses.length === 0 || addresses.length === 3, addresses.join());
    for (const name of addresses) assert.match(JSON.stringify(manifest[name]), /https:\/\/(?!example\.)/);
    assert.equal(read('test/host/package.ts').includes('--allow-missing-repository'), addresses.length === 0);
    assert.equal(manifest['qna'], 'marketplace');
    assert.match(read('README.md'), /there is no telemetry/);
  });

  it('names every setting with its default, and every command', () => {
    const { contributes } = JSON.parse(read('package.json')) as {
      contributes: {
        commands: readonly { title: string }[];
        configuration: { properties: Readonly<Record<string, { default?: unknown }>> };
      };
    };
    const words = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
    const page = read('extension/docs/settings.md');
    for (const name of Object.keys(contributes.configuration.properties)) assert.ok(page.includes(`\`${name}\``), name);
    const titles = contributes.commands.map(({ title }) => words[title.replaceAll('%', '')] ?? title);
    // Collected inputs: three commands in one phrase. The command on a selection is the page's first word.
    const missing = titles.filter((title) => !page.includes(title.replace(/ Collected Inputs$/, '')));
    assert.deepEqual(missing, []);
  });
});
