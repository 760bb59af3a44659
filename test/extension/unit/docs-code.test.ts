// Documents for developers, and comments: the files that they name exist, and so do the names of code that the documents quote.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const folders = ['engine', 'webview', 'extension', 'test'] as const;
const files = [
  ...readdirSync(root).filter((name) => name.includes('.')),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  ),
]; // prettier-ignore
const names = new Set(files.map((path) => basename(path)));
const sources = files.filter((path) => /\.(?:ts|mjs|wgsl|as)$/.test(path) && !/^test\/(?:fixtures|bench\/\w+\/node_modules)\/|\/node_modules\//.test(path)); // prettier-ignore
const documents = [
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  ...files.filter((path) => /^engine\/.*README\.md$/.test(path)),
];

/** Code that a document quotes, outside of blocks of code, with its line. */
const quotesIn = (page: string): readonly { readonly at: string; readonly code: string }[] =>
  read(page)
    .replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    .split('\n')
    .flatMap((line, i) => [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ at: `${page}:${i + 1}`, code })));
const all = documents.flatMap(quotesIn);

const isPath = (code: string): boolean => /^(?:\.?[\w-]+\/)+[\w.*-]*$/.test(code);
const isFileName = (code: string): boolean => /^[\w-][\w.-]*\.(?:ts|mjs|md|json|as)$/.test(code);
/** What the build, a test run or npm writes, which a checkout need not have. */
const isWritten = (code: string): boolean => /^(?:dist|test-results|node_modules)\//.test(code);

/** Whether a path exists: from the top, in the document's folder, or (a part of one, after its folder was named) anywhere. */
function exists(code: string, from: string): boolean {
  const path = code.replace(/\/$/, '');
  if (existsSync(join(root, `${path}.ts`))) return true;
  if (path.includes('*')) {
    const pattern = new RegExp(`(?:^|/)${path.replace(/[.]/g, '\\.').replace(/\*/g, '[^/]*')}$`);
    return files.some((file) => pattern.test(file));
  }
  return existsSync(join(root, path)) || existsSync(join(root, dirname(from), path)) || files.some((file) => file.endsWith(`/${path}`));
} // prettier-ignore

describe('what developers read', () => {
  it('names files and folders that exist', () => {
    const named = all.filter(({ code }) => (isPath(code) || isFileName(code)) && !isWritten(code));
    assert.ok(named.length > 100, `${named.length} paths`);
    const gone = named.filter(({ at, code }) => (isPath(code) ? !exists(code, at) : !names.has(code) && !existsSync(join(root, 'dist', code))));
    assert.deepEqual(gone.map(({ at, code }) => `${at} ${code}`), []);
  }); // prettier-ignore

  it('says of a file that is named without its folder, in the same item, where it is', () => {
    const isFolder = (path: string): boolean => files.some((file) => file.startsWith(`${path}/`));
    const gone = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((page) => {
      // The tables of rooms name folders of the part that their first line names.
      let part = '';
      return read(page)
        .replace(/^```[^]*?^```/gm, '')
        .split(/\n\n|\n(?=\d+\. |- |\| )/)
        .flatMap((item) => {
          if (item.startsWith('## ')) part = '';
          part = /room of `(\w+)\/`/.exec(item)?.[1] ?? part;
          const quoted = [...item.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
          const within = new Set(['', part]);
          for (const code of quoted.filter(isPath)) {
            const path = code.replace(/\/?\*?[.\w-]*\*[^/]*$|\/$/, '');
            for (const from of [...within].map((folder) => (folder === '' ? path : `${folder}/${path}`))) {
              within.add(dirname(from));
              if (isFolder(from)) within.add(from);
            }
          }
          const isThere = (code: string): boolean => [...within].some((folder) => existsSync(join(root, folder, code)));
          return quoted.filter((code) => isFileName(code) && !isThere(code)).map((code) => `${page}, ${item.slice(0, 60)}: ${code}`);
        });
    });
    assert.deepEqual(gone, []);
  }); // prettier-ignore

  it('quotes names that the code has', () => {
    const text = [...sources, 'package.json', 'eslint.config.mjs', 'esbuild.mjs'].map(read).join('\n');
    const words = new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);
    const quoted = all.flatMap(({ at, code }) => {
      const name = /^([A-Za-z_$][\w$]{2,})(?:\(.*\))?$/.exec(code)?.[1];
      return name === undefined ? [] : [{ at, name }];
    });
    assert.ok(quoted.length > 50, `${quoted.length} names`);
    assert.deepEqual(quoted.filter(({ name }) => !words.has(name)).map(({ at, name }) => `${at} ${name}`), []);
  }); // prettier-ignore

  it('quotes names of the files that the same item of CONTRIBUTING names', () => {
    const gone = read('CONTRIBUTING.md')
      .replace(/^```[^]*?^```/gm, '')
      .split(/\n\n|\n(?=\d+\. |- )/)
      .flatMap((item) => {
        const quoted = [...item.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
        const paths = quoted.filter((code) => isPath(code) || isFileName(code)).map((code) => code.replace(/\/$/, ''));
        const own = sources.filter((file) => paths.some((path) => `/${file}`.endsWith(`/${path}`) || file.startsWith(`${path}/`)));
        const text = own.map(read).join('\n');
        // What is quoted with arguments is called or declared there: a word of a comment is no function.
        const identifiers = quoted.flatMap((code) => /^([A-Za-z_$][\w$]{2,})(\((?:.*)\))?$/.exec(code)?.slice(1, 3).map((part) => part ?? '').join('').replace(/\(.*/, '(') ?? []);
        const isThere = (name: string): boolean => new RegExp(name.endsWith('(') ? `\\b(?:(?:const|function\\*?) ${name.slice(0, -1)}\\b|${name.slice(0, -1)}\\()` : `\\b${name}\\b`).test(text);
        return own.length === 0 ? [] : identifiers.filter((name) => !isThere(name)).map((name) => `${item.split('\n')[0] ?? ''}: ${name}`);
      });
    assert.deepEqual(gone, []);
  }); // prettier-ignore

  it('has comments that name files which exist', () => {
    const comment = /\/\*[^]*?\*\/|(?<![:"'`])\/\/[^\n]*/g;
    const path =
      /(?<![\w./@-])(?:engine|webview|extension|test)\/(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|py|md|as)\b/g;
    const gone = sources.flatMap((source) =>
      (read(source).match(comment) ?? [])
        .flatMap((text) => text.match(path) ?? [])
        .filter((named) => !existsSync(join(root, named)))
        .map((named) => `${source}: ${named}`),
    );
    assert.deepEqual(gone, []);
  });
});
