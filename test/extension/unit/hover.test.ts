import assert from 'node:assert/strict';
import { dataUri, heatmapSvg } from '../../../extension/hover/svg';
import { parseMatrices, signedColourLimit } from '../../../engine/index';
import { colourOf, contrast, inkOn, palettes, type HoverTheme } from '../../../extension/hover/colours';
import { groupsOf } from '../../../extension/hover/groups';
import { commandUri } from '../../../extension/hover/markdown';
import { fromWholeLine } from '../../../extension/documents/text-window';
import { notesFromNear, nearestByRole, type NearMatrix } from '../../../extension/hover/near';
import { formatNumber } from '../../../extension/hover/numbers';
import { hoverMarkdown, type HoverMatrix, type HoverOptions } from '../../../extension/hover/text';

const options: HoverOptions = {
  theme: 'dark',
  digits: 4,
  largestTable: 8,
  explain: { title: 'Explain Attention', target: 'command:x?%5B%5D' },
  use: [{ title: 'Q', target: 'command:u?%5B%5D' }],
  copy: [{ title: 'CSV', target: 'command:c?%5B%5D' }],
  notes: [],
};
const themes = Object.keys(palettes) as HoverTheme[];
const size = { maxWidth: 480, maxHeight: 140 };
const count = (text: string, what: string): number => text.split(what).length - 1;
const wave = (rows: number, columns: number) => ({
  rows,
  columns,
  // No two neighbours alike: the worst case for runs of one colour.
  values: Float64Array.from({ length: rows * columns }, (_, i) => ((i * 7919) % 31) - 15),
});

describe('the heatmap of a hover', () => {
  it('keeps the colours of all other numbers beside an outlier, which has one of its own', () => {
    const values = [0.5, -1, 2, 1, 1, 1000, -2, 1];
    const limit = signedColourLimit(values);
    assert.equal(limit, 2);
    assert.equal(signedColourLimit(values.map((x) => Math.min(x, 2))), 2);
    assert.equal(signedColourLimit([0, 0, NaN, -Infinity]), 1);
    for (const theme of themes) {
      const colours = (sign: number): string[] =>
        Array.from({ length: 41 }, (_, i) => colourOf((sign * i) / 20, limit, palettes[theme]));
      for (const outlier of [1000, -1000]) {
        const own = colourOf(outlier, limit, palettes[theme]);
        assert.ok(!colours(Math.sign(outlier)).includes(own), theme);
        assert.ok(contrast(own, inkOn(own)) >= (theme.startsWith('hc') ? 7 : 4.5), `${theme}: ${own}`);
      }
    }
    const { svg } = heatmapSvg({ rows: 2, columns: 4, values: Float64Array.from(values) }, { theme: 'dark', ...size });
    assert.ok(svg.includes(colourOf(1000, 2, palettes.dark)) && svg.includes(colourOf(-2, 2, palettes.dark)));
  });

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

describe('the colours of a hover', () => {
  it('leave every digit readable: 4.5 to 1, in high contrast 7 to 1', () => {
    for (const theme of themes) {
      const values = [NaN, Infinity, -Infinity, ...Array.from({ length: 201 }, (_, i) => (i - 100) / 100)];
      for (const value of values) {
        const background = colourOf(value, 1, palettes[theme]);
        const ratio = contrast(background, inkOn(background));
        assert.ok(ratio >= (theme.startsWith('hc') ? 7 : 4.5), `${value} in ${theme}: ${ratio.toFixed(2)}`);
      }
    }
  });

  it('have the contrasts that WCAG 2.2 gives', () => {
    // #767676 on white is the well-known edge of 4.5
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.ok(contrast('#767676', '#ffffff') >= 4.5 && contrast('#777777', '#ffffff') < 4.5);
  });
});

describe('the words of a hover', () => {
  // np.array([[1.5, -2, 0], [4, 0.25, -0.75]]): min -2, max 4, mean 0.5, std 1.8874586088176875
  const x: HoverMatrix = { name: 'X_1', shape: [2, 3], values: [1.5, -2, 0, 4, 0.25, -0.75], dtype: 'float32' };
  const lines = (matrix: HoverMatrix, more: Partial<HoverOptions> = {}): string[] =>
    hoverMarkdown(matrix, { ...options, ...more }).split('\n\n');

  it('name, shape, type and statistics, then the links', () => {
    assert.deepEqual(lines(x).slice(0, 2), [
      '**X\\_1** 2×3 · float32 · min −2 · max 4 · mean 0.5 · std 1.8875',
      '[Explain Attention](command:x?%5B%5D) · use as [Q](command:u?%5B%5D) · copy [CSV](command:c?%5B%5D)',
    ]);
  });

  it('count truth values, which are no numbers', () => {
    const mask = { name: 'm', shape: [2, 2], values: [0, 1, 0, 0], dtype: 'bool' };
    assert.equal(lines(mask)[0], '**m** 2×2 · bool · 1 True · 3 False');
    const written = [...(lines(mask).at(-1) ?? '').matchAll(/&nbsp;\u2007*(True|False)&nbsp;/g)].map(
      ([, text]) => text,
    );
    assert.deepEqual(written, ['False', 'True', 'False', 'False']);
  });

  it('say what the axes are where the role says so', () => {
    assert.match(lines(x, { axes: ['tokens', 'd_model'] })[0] ?? '', / 2×3 \\\(tokens × d\\_model\\\) · float32/);
  });

  it('count NaN and infinities and leave them out of the rest', () => {
    const odd = { shape: [1, 6], values: [NaN, 3, Infinity, -Infinity, -1, NaN] };
    assert.equal(lines(odd)[0], '1×6 · min −1 · max 3 · mean 1 · std 2 · 2 NaN · 1 ∞ · 1 −∞');
    assert.equal(lines({ shape: [2], values: [NaN, NaN] })[0], '1×2 · no finite number · 2 NaN');
  });

  it('say what it looks like and fits with, and what is collected', () => {
    const causal = { shape: [2, 2], values: [0, -Infinity, 0, 0] };
    const [, , said = ''] = lines(causal, { notes: ['with K (4×8), line 12: QKᵀ is 4×4'] });
    assert.equal(
      said.replaceAll('\\', ''),
      '0 and −∞ above the diagonal: an additive causal mask  \nwith K (4×8), line 12: QKᵀ is 4×4',
    );
    const collected = { words: 'Q 2×3', links: [{ title: 'reset', target: 'command:r?%5B%5D' }] };
    assert.ok(lines(x, { collected })[1]?.endsWith('  \ninputs: Q 2×3 [reset](command:r?%5B%5D)'));
  });

  it('give the numbers on their colours in a table up to 8×8', () => {
    const table = lines(x).at(-1)?.split('\n') ?? [];
    assert.equal(table.length, 4);
    assert.equal(table[0], '||0&nbsp;|1&nbsp;|2&nbsp;|');
    assert.equal(table[1], '|---:|---:|---:|---:|');
    const cells = [
      ...(table[2] ?? '').matchAll(/<span style="color:(#\w{6});background-color:(#\w{6});">([^<]*)<\/span>/g),
    ];
    assert.deepEqual(
      cells.map(([, , , text]) => text),
      ['&nbsp;1.5&nbsp;', '&nbsp;\u2007\u2007−2&nbsp;', '&nbsp;\u2007\u2007\u2007\u20070&nbsp;'],
    );
    // VS Code keeps a span's style in this order and with hexadecimal colours only, else the whole of it is lost.
    const kept = /^color:#[0-9a-fA-F]+;background-color:#[0-9a-fA-F]+;$/;
    for (const [, style = ''] of (table[2] ?? '').matchAll(/style="([^"]*)"/g)) assert.match(style, kept);
    assert.deepEqual(
      cells.map(([, , background]) => background),
      [colourOf(1.5, 4, palettes.dark), colourOf(-2, 4, palettes.dark), colourOf(0, 4, palettes.dark)],
    );
    const isTable = (rows: number, columns: number, largestTable = 8): boolean =>
      hoverMarkdown(
        { shape: [rows, columns], values: wave(rows, columns).values },
        { ...options, largestTable },
      ).includes('<span');
    assert.deepEqual([isTable(8, 8), isTable(9, 8), isTable(8, 9), isTable(2, 2, 0)], [true, false, false, false]);
  });

  it('keep labels, which cannot become Markdown or HTML', () => {
    const table = lines({
      shape: [1, 2],
      values: [1, 2],
      rowLabels: ['<b>|cat'],
      columnLabels: ['The', 'an extraordinarily long one'],
    });
    assert.match(table.at(-1) ?? '', /^\|\|The&nbsp;\|an extraord…&nbsp;\|\n/);
    assert.match(table.at(-1) ?? '', /\n\|\\<b\\>\\\|cat&nbsp;\|/);
  });

  it('put the matrices of more dimensions below each other in a heatmap, and say so', () => {
    const [head, , said, image, more] = lines({ shape: [2, 2, 2], values: [1, 2, 3, 4, 5, 6, 7, 9] });
    assert.match(head ?? '', /^2×2×2 · min 1 · max 9 · mean 4\.625/);
    assert.match(said ?? '', /^!\[2×2×2 heatmap: orange is negative, blue positive\]\(data:.*\|width=48,height=96\)$/);
    assert.equal(image, '2 matrices of 2×2, one below the other.');
    assert.equal(more, undefined);
  });

  it('say that cells were pooled', () => {
    const markdown = hoverMarkdown({ name: 'big_1', shape: [100, 100], values: wave(100, 100).values }, options);
    assert.match(markdown, /!\[100×100 heatmap of big\\_1: orange/);
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

describe('a link of a hover', () => {
  it('gives the command its argument, whatever stands in it', () => {
    const argument = { uri: "file:///a (b)/it's*!.py", at: 3 };
    const uri = commandUri('x.y', argument);
    assert.match(uri, /^command:x\.y\?[\w%.~-]+$/);
    assert.deepEqual(JSON.parse(decodeURIComponent(uri.slice('command:x.y?'.length))), [argument]);
  });
});

describe('what stands near', () => {
  const nearIn = (text: string, offset: number): NearMatrix[] =>
    parseMatrices(text).matrices.map((matrix) => ({
      matrix,
      place: `line ${text.slice(0, matrix.range.start).split('\n').length}`,
      distance: Math.max(0, matrix.range.start - offset, offset - matrix.range.end),
    }));
  const notesAt = (text: string, place: string): readonly string[] => {
    const near = nearIn(text, text.indexOf(place));
    const own = near.find(({ distance, matrix }) => distance === 0 || matrix.nameRange?.start === text.indexOf(place));
    assert.ok(own, place);
    return notesFromNear(own.matrix, nearestByRole(near.filter((other) => other !== own))).notes;
  };

  it('is said with its line', () => {
    const text = 'Q = [[1, 2], [3, 4]]\n\nK = [[1, 2], [3, 4], [5, 6]]\nV = [[1], [2], [3]]\n';
    assert.deepEqual(notesAt(text, '[[1, 2], [3, 4]]'), ['with K (3×2), line 3: QKᵀ is 2×3']);
    assert.deepEqual(notesAt(text, '[[1], [2]'), ['with K (3×2), line 3: one row of V for each row of K']);
  });

  it('is said where it does not fit', () => {
    const text = 'Q = [[1, 2], [3, 4]]\nK = [[1, 2, 3], [3, 4, 5]]\n';
    assert.deepEqual(notesAt(text, 'Q'), ['does not fit K (2×3), line 2: K has 3 columns, Q has 2']);
  });

  it('is the nearest of each role', () => {
    const text = 'K = [[9, 9, 9], [9, 9, 9]]\n' + '\n'.repeat(60) + 'Q = [[1, 2], [3, 4]]\nK = [[1, 2]]\n';
    assert.deepEqual(notesAt(text, 'Q'), ['with K (1×2), line 63: QKᵀ is 2×1']);
  });

  it('says what the axes are, which a name alone does not', () => {
    const axes = (text: string): readonly string[] | undefined => {
      const [first, ...others] = nearIn(text, 0);
      assert.ok(first);
      return notesFromNear(first.matrix, others).axes;
    };
    assert.deepEqual(axes('values = [[1], [2]]\nK = [[1, 2], [3, 4]]\n'), ['keys', 'd_v']);
    assert.equal(axes('values = [[1], [2]]\n'), undefined);
    assert.equal(axes('values = [[1], [2]]\nK = [[1, 2]]\n'), undefined);
  });

  it('begins with a whole line where the window is cut', () => {
    assert.deepEqual(fromWholeLine('Q, 2]]\nK = [[1, 2]]', 100), { text: 'K = [[1, 2]]', start: 107 });
    assert.deepEqual(fromWholeLine('Q = [[1, 2]]', 0), { text: 'Q = [[1, 2]]', start: 0 });
  });
});

describe('groups of Q, K and V', () => {
  const groups = (text: string): string[] =>
    groupsOf(parseMatrices(text).matrices, (offset) => text.slice(0, offset).split('\n').length).map(
      ({ matrices, start, end }) => `${matrices.map(({ name }) => name).join('')} ${start}–${end}`,
    );
  const of = (name: string): string => `${name} = [[1, 2], [3, 4]]\n`;

  it('are those that stand together', () => {
    assert.deepEqual(groups(of('Q') + of('K') + of('V')), ['QKV 0–62']);
    assert.deepEqual(groups(of('Q') + of('K')), ['QK 0–41']);
    assert.deepEqual(groups(of('Q') + of('V')), []);
    assert.deepEqual(groups(of('Q') + '\n'.repeat(20) + of('K')), []);
  });

  it('end where a name comes again', () => {
    assert.deepEqual(groups(of('Q') + of('K') + of('Q') + of('K') + of('V')), ['QK 0–41', 'QKV 42–104']);
    assert.deepEqual(groups(of('X') + of('K') + of('Q')), ['KQ 21–62']);
  });
});

describe('what a hover says', () => {
  const near = (text: string) =>
    parseMatrices(text).matrices.map((matrix): NearMatrix => ({
      matrix,
      place: 'line 1',
      distance: matrix.range.start,
    }));
  const notes = (text: string): readonly string[] => {
    const [own, ...others] = near(text);
    return own ? notesFromNear(own.matrix, others).notes : [];
  };

  it('of weights, which their numbers tell, is whether they fit V', () => {
    assert.deepEqual(notes('A = [[0.5, 0.5]]\nV = [[1], [2]]'), ['with V (2×1), line 1: A·V is 1×1']);
    assert.deepEqual(notes('A = [[0.5, 0.5]]\nV = [[1]]'), [
      'does not fit V (1×1), line 1: V has 1 row, A has 2 columns',
    ]);
  });

  it('keeps names of several letters apart', () => {
    assert.deepEqual(notes('query = [[1, 2]]\nkey = [[3, 4]]'), ['with key (1×2), line 1: query·keyᵀ is 1×1']);
    assert.deepEqual(notes('Q = [[1, 2]]\nK = [[3, 4]]'), ['with K (1×2), line 1: QKᵀ is 1×1']);
  });

  it('writes no more digits than can be read', () => {
    assert.equal(formatNumber(-333333333.3333, 4), '−3.3333e8');
    assert.equal(formatNumber(250.28125, 4), '250.2813');
    assert.equal(formatNumber(1234567, 4), '1234567');
  });
});
