import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import katex from 'katex';
import { planOf, type AttentionSpec } from '../../engine/index';
import { builtPage } from './harness';
import { startBrowser } from './windows';

const root = join(__dirname, '../..');
const file = join(root, 'test/fixtures/attention/variants.json.gz');
const { specs } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
  specs: readonly { readonly spec: AttentionSpec }[];
};

/** `\mathbf` and its kin are drawn of another cut, `\mathfrak` and its kin of another family: for what lessons of others ask. */
const missing = /\\(?:math|text)(?:frak|sf|scr|tt|bf|it)\b|\\(?:Bbb|tt|sf|bf|it|bm|boldsymbol|emph)\b/;

const options = { strict: 'ignore', trust: true } as const;
const html = (latex: string): string => katex.renderToString(latex, options);

/** The same of the KaTeX that is packaged. */
async function packaged(): Promise<(latex: string) => string> {
  const { fontsInUse } = (await import(join(root, 'esbuild.mjs'))) as { fontsInUse: Plugin };
  const { outputFiles } = await build({
    stdin: { contents: "export { default } from 'katex'", resolveDir: root },
    bundle: true,
    write: false,
    format: 'cjs',
    plugins: [fontsInUse],
  });
  const module: { exports: { default?: typeof katex } } = { exports: {} };
  new Function('module', outputFiles[0]?.text ?? '')(module);
  const ours = module.exports.default;
  assert.ok(ours && ours !== katex);
  return (latex) => ours.renderToString(latex, options);
}

/** The letters of a font, as KaTeX's own table of their sizes lists them. */
function glyphsOf(file: string): readonly string[] {
  const metrics = readFileSync(join(root, 'node_modules/katex/dist/katex.mjs'), 'utf8');
  const name = file.slice('KaTeX_'.length, -'.woff2'.length);
  const [, table = ''] = new RegExp(`^ *"${name}": \\{([^}]*)\\}`, 'm').exec(metrics) ?? [];
  return [...table.matchAll(/"(\d+)":/g)].map(([, code]) => String.fromCharCode(Number(code)));
}

describe('formulas', function () {
  this.timeout(120_000);
  const formulas = new Set<string>();
  before(() => {
    for (const { spec } of specs) {
      const plan = planOf(spec);
      assert.ok(plan.ok);
      for (const { formula } of plan.value.steps) formulas.add(formula.roles);
    }
  });

  it('ask for no font that the page leaves out', () => {
    for (const formula of formulas) assert.doesNotMatch(formula, missing);
    assert.ok(formulas.size > 100, `${formulas.size} formulas`);
  });

  it('nor do those of our lessons', () => {
    const folder = join(root, 'extension/lessons');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    assert.ok(texts.length > 9 && texts.join().includes('$'));
    for (const text of texts) assert.doesNotMatch(text, missing);
  });

  it('are set in the package as KaTeX sets them', async () => {
    const ours = await packaged();
    for (const formula of formulas) assert.equal(ours(formula), html(formula));
    const cuts = '\\mathbf{W}\\boldsymbol{\\theta}\\textit{rows}\\mathbb{R}\\mathcal{N}\\sum_{i}\\sqrt{\\frac{a}{b}}';
    assert.equal(ours(cuts), html(cuts));
  });

  it('that ask for a family that is absent are as large as upright ones', async () => {
    const ours = await packaged();
    for (const family of ['mathfrak', 'mathsf', 'mathscr', 'mathtt']) {
      const strut = (text: string): string | undefined => /class="strut" style="([^"]*)"/.exec(text)?.[1];
      assert.equal(strut(ours(`\\${family}{Q}`)), strut(html('\\mathrm{Q}')), family);
    }
  });

  it('have every glyph of KaTeX’s fonts, as wide as there, in files that are smaller', async () => {
    const folder = join(builtPage(), 'fonts');
    const page = await (await startBrowser()).newPage();
    for (const name of readdirSync(folder)) {
      const [ours, theirs] = [folder, join(root, 'node_modules/katex/dist/fonts')].map((at) => readFileSync(join(at, name)));
      assert.ok(ours && theirs && ours.length < theirs.length, name);
      const differing = await page.evaluate(
        async ({ fonts, letters }) => {
          const faces = fonts.map((data, i) => new FontFace(`f${i}`, `url(data:font/woff2;base64,${data})`));
          for (const face of faces) document.fonts.add(await face.load());
          const pen = document.createElement('canvas').getContext('2d');
          if (!pen) return ['no canvas'];
          const different = letters.filter((letter) => {
            const [one, other] = ['f0', 'f1'].map((family) => {
              pen.font = `64px ${family}`;
              const { width, actualBoundingBoxAscent: top, actualBoundingBoxDescent: bottom } = pen.measureText(letter);
              return [width, top, bottom].map((x) => x.toFixed(0)).join();
            });
            return one !== other;
          });
          for (const face of faces) document.fonts.delete(face);
          return different;
        },
        { fonts: [ours, theirs].map((data) => data.toString('base64')), letters: glyphsOf(name) },
      );
      assert.ok(glyphsOf(name).length > 5, name);
      assert.deepEqual(differing, [], name);
    }
    await page.close();
  }); // prettier-ignore
});
