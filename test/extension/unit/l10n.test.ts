// Every string that a person reads goes through vscode.l10n.t or the engine's t, and German is complete. Read from the sources by TypeScript itself.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');
type Words = Readonly<Record<string, string>>;
const words = (path: string): Words => JSON.parse(readFileSync(join(root, path), 'utf8')) as Words;

interface Source {
  readonly name: string;
  readonly tree: ts.SourceFile;
}

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/\.d\.ts$|node_modules/.test(name))
    .map((name) => `${folder}/${name}`)
    .map((name) => ({
      name,
      tree: ts.createSourceFile(name, readFileSync(join(root, name), 'utf8'), ts.ScriptTarget.Latest, true),
    }));

const [extension, others] = [sourcesIn('extension'), [...sourcesIn('engine'), ...sourcesIn('webview')]];

function* nodes(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) yield* nodes(child);
}

/** What says in English why a driver, or a message between our own two ends, was refused: its words are the driver's, or for the log; and what language models are told. */
const technical = /^engine\/run\/backend\/|^engine\/tools\/declared\.ts$|^webview\/(?:lesson-)?protocol\//;
const told = [...extension, ...others].filter(({ name }) => !technical.test(name));

/** Other functions have these names too. */
const takesSay = ({ text }: ts.SourceFile): boolean =>
  /import \{[^}]*\bsay\b[^}]*\} from '[./]*(?:engine\/index|text(?:\/sentence)?)'/.test(text);

/** `vscode.l10n.t(…)`, or `t(…)`, `say(…)`, `textKey(…)`: the engine's, or taken out of it. */
function isTranslation(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  if (!ts.isIdentifier(expression))
    return ts.isPropertyAccessExpression(expression) && expression.getText() === 'vscode.l10n.t';
  if (expression.text === 'say') return takesSay(node.getSourceFile());
  return expression.text === 't' || expression.text === 'textKey';
}

const where = ({ name, tree }: Source, node: ts.Node): string =>
  `${name}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText().slice(0, 80)}`;

/** Fields whose values people read, in what VS Code takes and in Problems. */
const read = [
  'message',
  'hint',
  'title',
  'prompt',
  'placeHolder',
  'label',
  'detail',
  'description',
  'tooltip',
  'openLabel',
];
/** Methods whose first argument people read. */
const says = /^(show(Error|Warning|Information)Message|setStatusBarMessage|withProgress)$/;
/** Names and an example, the same in every language, and what stands for a dialog that was closed, which nobody is told. */
const names: readonly string[] = [
  ...['Explain Attention', 'The cat sat on the mat', 'cancelled', 'd_model'],
  // How a field of a spec says that it has no default.
  'the input',
  ...['NumPy', 'PyTorch', 'LaTeX', 'CSV', 'JSON', 'JavaScript', 'Markdown', 'MATLAB'],
];
const icon = /\$\([a-z-]+\)/g;

function isRead(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node && read.includes(parent.name.getText());
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  const called = parent.expression;
  return ts.isPropertyAccessExpression(called) && says.test(called.name.text);
}

/** A message for the log, which is read in English: `{ type: 'log', message }`. */
const isLogged = ({ parent: { parent } }: ts.Node): boolean =>
  ts.isObjectLiteralExpression(parent) && /type: 'log'/.test(parent.getText());

/** Its words, without what is filled in. */
function literal(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map((span) => span.literal)].map((part) => part.text).join(' ');
}

/** `{0}`, in whatever form, and the symbols of a sentence, `{W_q}`. */
const places = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\d+|[A-Za-z_]+ᵀ?)(?::\w+)?\}/g)].map(([, place]) => `{${place}}`))].sort();
const values = (text: string): number =>
  Math.max(
    -1,
    ...places(text)
      .map((place) => Number(place.slice(1, -1)))
      .filter(Number.isInteger),
  ) + 1;

/** What a sentence says with tokens as rows, and as columns. */
const sides = (text: string): string[] => [1, 2].map((side) => text.replace(/\[([^[\]|]*)\|([^[\]|]*)\]/g, `$${side}`));

describe('the words of the extension, the page and the engine', function () {
  // They walk through every source.
  this.timeout(60_000);
  const calls = [...extension, ...others].flatMap((source) =>
    [...nodes(source.tree)].filter(isTranslation).map((call) => ({ source, call })),
  );
  const texts = calls.flatMap(({ call: { arguments: [text] } }) => text && ts.isStringLiteralLike(text) ? [text.text] : []); // prettier-ignore

  it('are literals where they are translated, or no bundle could hold them', () => {
    const found = calls.filter(({ call: { arguments: [text] } }) => !text || !ts.isStringLiteralLike(text)); // prettier-ignore
    assert.deepEqual(
      found.map(({ source, call }) => where(source, call)),
      [],
    );
    assert.ok(texts.length > 800, `${texts.length} texts`);
  });

  it('have as many values as places', () => {
    for (const { source, call } of calls) {
      const [text, ...given] = call.arguments;
      if (!text || !ts.isStringLiteralLike(text) || given.some(ts.isSpreadElement)) continue;
      if (call.expression.getText() === 'textKey') continue;
      assert.equal(given.length, values(text.text), where(source, call));
    }
  });

  it('are all in the bundle, which has no others', () => {
    const bundle = words('extension/l10n/bundle.l10n.json');
    assert.deepEqual(Object.keys(bundle).sort(), [...new Set(texts)].sort());
    for (const [key, value] of Object.entries(bundle)) assert.equal(value, key);
  });

  it('are all in German, with the same places', () => {
    const german = words('extension/l10n/bundle.l10n.de.json');
    assert.deepEqual(Object.keys(german).sort(), [...new Set(texts)].sort());
    for (const [key, value] of Object.entries(german)) {
      assert.deepEqual(places(value), places(key), key);
      assert.deepEqual(sides(value).map(places), sides(key).map(places), key);
      assert.notEqual(value.trim(), '', key);
    }
  });

  it('quote in German as German does: „so“', () => {
    for (const [key, value] of Object.entries(words('extension/l10n/bundle.l10n.de.json'))) {
      const quotes = [...value.matchAll(/[„“”]/g)].map(String).join('');
      assert.match(quotes, /^(„“)*$/, `${key}: ${value}`);
    }
  });

  it('of package.json are all in German', () => {
    assert.deepEqual(Object.keys(words('package.nls.de.json')).sort(), Object.keys(words('package.nls.json')).sort());
  });

  it('that explain a control do not bypass translation', () => {
    const kept = others.flatMap((source) => [...nodes(source.tree)].flatMap((node) => {
      const text = literal(node);
      const told = ts.isPropertyAssignment(node.parent ?? node) && (node.parent as ts.PropertyAssignment).name.getText() === 'explain';
      return told && text !== undefined ? [where(source, node)] : [];
    })); // prettier-ignore
    assert.deepEqual(kept, []);
  });

  it('do not bypass translation', () => {
    const found = told.flatMap((source) =>
      [...nodes(source.tree)].flatMap((node) => {
        const text = literal(node);
        const isText = text !== undefined && /\p{L}{2}/u.test(text.replace(icon, '')) && !names.includes(text);
        return isText && isRead(node) && !isLogged(node) ? [where(source, node)] : [];
      }),
    );
    assert.deepEqual(found, []);
  });

  it('are nowhere written without being translated, as an argument or a value', () => {
    const known = new Set(texts.filter((text) => /\p{L} +\p{L}/u.test(text)));
    const found = told.flatMap((source) =>
      [...nodes(source.tree)].flatMap((node) => {
        const text = ts.isStringLiteralLike(node) ? node.text : undefined;
        const isOurs = text !== undefined && known.has(text) && !names.includes(text) && !isTranslation(node.parent);
        return isOurs ? [where(source, node)] : [];
      }),
    );
    assert.deepEqual(found, []);
  });
});
