import assert from 'node:assert/strict';
import { dataUri, heatmapSvg } from '../../../extension/hover-svg';
import { formatNumber, hoverMarkdown, summarise, type HoverLiteral } from '../../../extension/hover-text';

const options = { theme: 'dark', digits: 4, link: 'command:x?%5B%5D' } as const;
const size = { maxWidth: 480, maxHeight: 140 };
const count = (text: string, what: string): number => text.split(what).length - 1;
const wave = (rows: number, columns: number) => ({
  rows,
  columns,
  // No two neighbours alike: the worst case for runs of one colour.
  values: Float64Array.from({ length: rows * columns }, (_, i) => ((i * 7919) % 31) - 15),
});

describe('the heatmap of a hover', () => {
  for (const [rows, columns] of [
    [1, 1],
    [1, 500],
    [4, 8],
    [44, 96],
    [45, 97],
    [1000, 1000],
    [5000, 2],
    [2, 5000],
  ] as const) {
    it(`of ${rows}×${columns} fits and stays small`, () => {
      const { svg, width, height, block } = heatmapSvg(wave(rows, columns), { theme: 'light', ...size });
      assert.ok(width >= 1 && width <= size.maxWidth, `width ${width}`);
      assert.ok(height >= 1 && height <= size.maxHeight, `height ${height}`);
      assert.ok(dataUri(svg).length < 90_000, `${dataUri(svg).length} characters`);
      assert.deepEqual(block, [Math.ceil(rows / 44), Math.ceil(columns / 96)]);
    });
  }

  it('draws each cell that is not zero once, equal neighbours as one run', () => {
    const grid = { rows: 2, columns: 3, values: [1, 1, -1, 0, 0, NaN] };
    const { svg } = heatmapSvg(grid, { theme: 'dark', ...size });
    const strokes = [...svg.matchAll(/<path fill="none" stroke="(#[0-9a-f]{6})" d="([^"]+)"/g)].map((m) => m.slice(1));
    assert.deepEqual(strokes, [
      ['#4ea0fa', 'M0,0.5h2'],
      ['#e27a2e', 'M2,0.5h1'],
      ['#d05cc8', 'M2,1.5h1'],
    ]);
  });

  it('gives infinities the full colour of their sign and keeps the scale of the others', () => {
    const { svg } = heatmapSvg({ rows: 1, columns: 3, values: [Infinity, -Infinity, 2] }, { theme: 'dark', ...size });
    assert.match(svg, /stroke="#4ea0fa" d="M0,0\.5h1M2,0\.5h1"/);
    assert.match(svg, /stroke="#e27a2e" d="M1,0\.5h1"/);
  });

  it('pools to means over finite values', () => {
    const values = Array.from({ length: 88 }, (_, i) => (i % 2 ? NaN : i === 0 ? 4 : -4));
    const { svg, block } = heatmapSvg({ rows: 88, columns: 1, values }, { theme: 'dark', ...size });
    assert.deepEqual(block, [2, 1]);
    assert.ok(svg.includes('stroke="#4ea0fa" d="M0,0.5h1"'), 'the first block is 4');
    assert.equal(count(svg, '#d05cc8'), 0, 'a block with a finite value is not NaN');
  });

  it('is one colour for zeros, and is in colours of the theme', () => {
    const zeros = { rows: 2, columns: 2, values: [0, 0, 0, -0] };
    assert.doesNotMatch(
      heatmapSvg(zeros, { theme: 'dark', ...size }).svg,
      /<path fill="none" stroke="#[0-9a-f]{6}" d=/,
    );
    const svgs = (['dark', 'light'] as const).map((theme) => heatmapSvg(zeros, { theme, ...size }).svg);
    assert.notEqual(svgs[0], svgs[1]);
  });

  it('is a data URI that Markdown and HTML leave alone', () => {
    const uri = dataUri(heatmapSvg(wave(4, 4), { theme: 'dark', ...size }).svg);
    assert.doesNotMatch(uri, /[\s<>"'()[\]|\\#]/);
    assert.equal(
      decodeURIComponent(uri.slice(uri.indexOf(',') + 1)),
      heatmapSvg(wave(4, 4), { theme: 'dark', ...size }).svg,
    );
  });
});

describe('the words of a hover', () => {
  // np.array([[1.5, -2, 0], [4, 0.25, -0.75]]): min -2, max 4, mean 0.5
  const x: HoverLiteral = { name: 'X_1', shape: [2, 3], values: [1.5, -2, 0, 4, 0.25, -0.75], dtype: 'float32' };

  it('name, shape, type, minimum, maximum and mean, with the link', () => {
    const markdown = hoverMarkdown(x, options);
    assert.ok(
      markdown.startsWith(
        '**X\\_1** 2×3 · float32 · min −2 · max 4 · mean 0.5\n\n[Explain Attention](command:x?%5B%5D)\n',
      ),
    );
    assert.match(
      markdown,
      /!\[2×3 heatmap of X\\_1: orange is negative, blue positive\]\(data:image\/svg\+xml,[^ ()]+\|width=72,height=48\)/,
    );
  });

  it('count NaN and infinities and leave them out of the rest', () => {
    const summary = summarise([NaN, 3, Infinity, -Infinity, -1, NaN]);
    assert.deepEqual(summary, { min: -1, max: 3, mean: 1, finite: 2, nan: 2, infinite: 2 });
    const markdown = hoverMarkdown({ shape: [1, 6], values: [NaN, 3, Infinity, -Infinity, -1, NaN] }, options);
    assert.ok(markdown.startsWith('1×6 · min −1 · max 3 · mean 1 · 2 NaN · 2 infinite\n'));
    assert.ok(
      hoverMarkdown({ shape: [2], values: [NaN, NaN] }, options).startsWith('1×2 · no finite number · 2 NaN\n'),
    );
  });

  it('give the numbers in a table up to 8×8', () => {
    assert.ok(
      hoverMarkdown(x, options).endsWith(
        [
          '',
          '',
          '|  | 0 | 1 | 2 |',
          '|---:|---:|---:|---:|',
          '| **0** | 1.5 | −2 | 0 |',
          '| **1** | 4 | 0.25 | −0.75 |',
        ]
          .join('\n')
          .replaceAll(/ \| (?=[\d−])/g, ' | &ensp;'),
      ),
    );
    const lines = (rows: number, columns: number): number =>
      count(hoverMarkdown({ shape: [rows, columns], values: wave(rows, columns).values }, options), '\n| **');
    assert.equal(lines(8, 8), 8);
    assert.equal(lines(9, 8), 0);
    assert.equal(lines(8, 9), 0);
  });

  it('put the matrices of more dimensions below each other', () => {
    const markdown = hoverMarkdown({ shape: [2, 2, 2], values: [1, 2, 3, 4, 5, 6, 7, 8] }, options);
    assert.ok(markdown.startsWith('2×2×2 · min 1 · max 8 · mean 4.5\n'));
    assert.match(markdown, /\|width=48,height=96\)$/);
  });

  it('say that cells were pooled', () => {
    const markdown = hoverMarkdown({ shape: [100, 100], values: wave(100, 100).values }, options);
    assert.ok(markdown.endsWith('\n\nEach cell is the mean of up to 3×2 numbers.'));
    assert.ok(markdown.length < 100_000);
  });

  it('let no name become Markdown', () => {
    const name = '](command:evil) <img> `x` **b** | a';
    const markdown = hoverMarkdown({ name, shape: [1, 2], values: [1, 2] }, options);
    assert.equal(count(markdown, '](command:evil)'), 0);
    assert.equal(count(markdown, '<img>'), 0);
  });

  it('write numbers with the digits that were asked for', () => {
    const cases: readonly [number, number, string][] = [
      [0.1, 4, '0.1'],
      [0.3, 17, '0.3'],
      [1 / 3, 4, '0.3333'],
      [1 / 3, 17, '0.3333333333333333'],
      [-2.5, 0, '−3'],
      [0, 4, '0'],
      [-0, 4, '0'],
      [1e-7, 4, '1e−7'],
      [-1.23456e-9, 2, '−1.23e−9'],
      [123456789, 4, '123456789'],
      [1.5e12, 4, '1.5e12'],
      [100, 2, '100'],
      [NaN, 4, 'NaN'],
      [-Infinity, 4, '−∞'],
    ];
    for (const [value, digits, text] of cases) assert.equal(formatNumber(value, digits), text);
  });
});
