// Sentences are data: a language whose nouns inflect, and texts that mean nothing, are told as rightly as English.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  asColumns,
  count,
  inPlain,
  named,
  plainText,
  planOf,
  say,
  sentencesAt,
  shapeMark,
  spansOf,
  useTexts,
  type AttentionSpec,
  type Plan,
  type Sentence,
  type Span,
  type Step,
  type Texts,
} from '../../engine/index';
import { matrixDefaults } from '../../engine/spec/spec';
import { sentence, spec001, spec004 } from './specs';

const english = JSON.parse(readFileSync(join(__dirname, '../../extension/l10n/bundle.l10n.json'), 'utf8')) as Texts;

function inLanguage<T>(texts: Texts, make: () => T): T {
  useTexts(texts);
  try {
    return make();
  } finally {
    useTexts({});
  }
}

/**
 * Finnish, as far as these tests go: nouns have cases, “row” (rivi) and “column” (sarake) decline differently, what is counted stands in the
 * partitive, which is `{0} tuloa`, and the adessive asks for a form of its own; the verb and the operands change places.
 */
const finnish: Texts = {
  '[Row|Column] {0} of {Q} meets [column|row] {1} of {Kᵀ}: {2}, one sum.':
    'Yksi summa {2:adessive}: {Kᵀ}:n [sarakkeen|rivin] {1} kohtaa {Q}:n [rivi|sarake] {0}.',
  '[Row {0} of {1} times {2}|{3} times column {0} of {1}]: {4} for each of {5}.':
    '{5:allative} {4}: [{1}:n rivi {0} kertaa {2}|{3} kertaa {1}:n sarake {0}].',
  'what is added to every [row|column]?': 'mitä lisätään [jokaiseen riviin|jokaiseen sarakkeeseen]?',
  '{0} product': '{0} tulo',
  '{0} products': '{0} tuloa',
  '{0} products:adessive': '{0} tulolla',
  '{0} columns': '{0} saraketta',
  '{0} columns:allative': '{0} sarakkeelle',
  '{0} rows': '{0} riviä',
  '{0} rows:allative': '{0} riville',
  '“{0}”': '”{0}”',
};

function plan(spec: AttentionSpec): Plan {
  const planned = planOf(spec);
  assert.ok(planned.ok, JSON.stringify(planned));
  return planned.value;
}

function step(of: Plan, id: string): Step {
  const found = of.steps.find((s) => s.id === id);
  assert.ok(found, id);
  return found;
}

const x = [[1, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1]]; // prettier-ignore
const square = [[1, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1], [1, 1, 0, 2]]; // prettier-ignore
const rich: AttentionSpec = {
  ...matrixDefaults,
  start: { from: 'x', x },
  heads: 2,
  convention: 'XWT',
  mask: { kind: 'window', size: 1, causal: true },
  projections: { from: 'given', wq: square, wk: square, wv: square, bq: [1, 2, 3, 4] },
  outputProjection: { from: 'given', wo: square, bo: [1, 2, 3, 4] },
};
const specs: readonly AttentionSpec[] = [
  sentence,
  spec001,
  spec004,
  rich,
  { ...sentence, heads: 2, kvHeads: 1, positions: 'rope-half', outputProjection: { from: 'random', bias: true } },
  { ...sentence, positions: 'alibi', mask: 'causal', temperature: 2, softcap: 3 },
];

describe('a sentence', () => {
  it('is spans: words, symbols with their roles, tokens with their axes, numbers', () => {
    const { what } = sentencesAt({ spec: sentence, plan: plan(sentence) }, step(plan(sentence), 'scores'), [1, 2]);
    const told = spansOf(what).map((span) => [span.kind, span.text]);
    assert.deepEqual(told, [
      ['text', 'Row'],
      ['text', ' '],
      ['token', '“cat”'],
      ['text', ' of '],
      ['symbol', 'Q'],
      ['text', ' meets '],
      ['text', 'column'],
      ['text', ' '],
      ['token', '“sat”'],
      ['text', ' of '],
      ['symbol', 'Kᵀ'],
      ['text', ': '],
      ['number', '8'],
      ['text', ' products, one sum.'],
    ]);
    const [query, key] = spansOf(what).filter((span) => span.kind === 'token');
    assert.deepEqual([query?.role, query?.axis, query?.to], ['query', 'row', { step: 'q', row: 1 }]);
    assert.deepEqual(
      [key?.role, key?.axis, key?.to],
      ['key', 'column', { step: 'k', row: 2 }],
      'column j of Kᵀ is row j of K',
    );
  });

  it('never looks into what stands in its places', () => {
    const odd = say('{0} and {1}', '{1} [row|column] {Q}', 'W_q');
    for (const columns of [false, true]) assert.equal(plainText(odd, columns), '{1} [row|column] {Q} and W_q');
    const token = { kind: 'token', token: '[a|b] {0} $& row', role: 'query', axis: 'row' } as const;
    assert.equal(plainText(say('[Row|Column] {0}', token), true), 'Column “[a|b] {0} $& row”');
  });

  it('leaves braces and brackets that mean nothing', () =>
    assert.equal(plainText(say('{2} {name} [i, j] {0}', 'a')), '{2} {name} [i, j] a'));

  it('turns counts, shapes and products with the matrices, but not those of what is drawn as it is stored', () => {
    const both = (of: Sentence): string[] => [plainText(of), plainText(of, true)];
    assert.deepEqual(both(say('{0}', count(3, 'column'))), ['3 columns', '3 rows']);
    assert.deepEqual(both(say('{0}', count(1, 'value row'))), ['1 value row', '1 value column']);
    assert.deepEqual(both(say('{0}', { ...count(3, 'column'), fixed: true })), ['3 columns', '3 columns']);
    assert.deepEqual(both(say('{0}', shapeMark([2, 6, 8]))), ['2×6×8', '2×8×6']);
    const product = (transposed: boolean): Sentence =>
      say('{0}', { kind: 'product', left: named('X'), right: named('W_q', transposed) });
    assert.deepEqual(both(product(false)), ['X·W_q', 'W_qᵀ·X']);
    assert.deepEqual(both(product(true)), ['X·W_qᵀ', 'W_q·X']);
  });
});

describe('a language whose nouns inflect', () => {
  const told = (id: string, part: 'what' | 'question', spec = sentence): [rows: string, columns: string] =>
    inLanguage(finnish, () => {
      const planned = plan(spec);
      return [step(planned, id).words[part], step(asColumns(planned), id).words[part]];
    });

  it('puts symbols, tokens and counts where it wants them, in the case that it wants', () => {
    assert.deepEqual(told('scores', 'what'), [
      'Yksi summa 8 tulolla: Kᵀ:n sarakkeen ”sat” kohtaa Q:n rivi ”cat”.',
      'Yksi summa 8 tulolla: Kᵀ:n rivin ”sat” kohtaa Q:n sarake ”cat”.',
    ]);
    assert.deepEqual(told('q', 'what'), [
      '8 sarakkeelle 16 tuloa: X:n rivi ”cat” kertaa W_q.',
      '8 riville 16 tuloa: W_qᵀ kertaa X:n sarake ”cat”.',
    ]);
  });

  it('declines what agrees with a row and with a column', () =>
    assert.deepEqual(told('bq', 'question', rich), [
      'mitä lisätään jokaiseen riviin?',
      'mitä lisätään jokaiseen sarakkeeseen?',
    ]));

  it('has the spans of English, in its own order', () => {
    const spans = (texts: Texts): Span[] =>
      inLanguage(texts, () =>
        spansOf(step(plan(sentence), 'scores').sentences.what).filter(({ kind }) => kind !== 'text'),
      );
    const named = (all: readonly Span[]): string[] =>
      all.map(({ kind, text }) => `${kind} ${text.replace(/[“”]/g, '')}`);
    assert.deepEqual(named(spans(finnish)), ['number 8', 'symbol Kᵀ', 'token sat', 'symbol Q', 'token cat']);
    assert.deepEqual(named(spans(finnish)).sort(), named(spans({})).sort());
  });
});

/** Every text as letters that mean nothing, its places in the opposite order, its sides as signs. */
const scrambled = Object.fromEntries(
  Object.keys(english).map((text, i) => {
    const word = `q${i.toString(36)}z`;
    const sides = /\[[^[\]|]*\|[^[\]|]*\]/.test(text);
    const places = [...text.matchAll(/\{[^{}]+\}/g)].map(String).reverse();
    const all = [...new Set(places)];
    return [text, sides ? `[«${word}»|»${word}«] ${all.join(' ')}` : `${word} ${all.join(' ')}`];
  }),
);

describe('texts that mean nothing', () => {
  const parts = (of: Plan): [where: string, said: Sentence][] =>
    of.steps.flatMap(({ id, sentences }) =>
      (['name', 'question', 'what', 'why', 'notice', 'shapes'] as const).map((part): [string, Sentence] => [
        `${id}.${part}`,
        sentences[part],
      ]),
    );

  /** What a span is, whatever the language: its kind, symbol, token, axis, role, number and where it leads. */
  const meaning = (span: Span): string => {
    const { text, ...rest } = span;
    return JSON.stringify(span.kind === 'token' ? rest : { ...rest, text });
  };

  for (const columns of [false, true])
    it(`keep symbols, tokens, axes, colours and numbers, with tokens as ${columns ? 'columns' : 'rows'}`, () => {
      let [spans, sides] = [0, 0];
      for (const spec of specs) {
        const planned = plan(spec);
        for (const [where, said] of parts(planned)) {
          const own = (texts: Texts): Span[] => inLanguage(texts, () => spansOf(said, columns));
          const marks = (of: readonly Span[]): string[] =>
            [...new Set(of.filter(({ kind }) => kind !== 'text').map(meaning))].sort();
          const strange = own(scrambled);
          // A side of a sentence can have places that the other has not: all of them stand in the scrambled one.
          const [told, kept] = [marks(strange), marks(own({}))];
          assert.deepEqual(kept.filter((mark) => !told.includes(mark)), [], where); // prettier-ignore
          for (const span of strange)
            if (span.kind === 'text' && span.side) {
              sides++;
              assert.equal(span.side, columns ? 'columns' : 'rows', where);
              if (/q\w+z/.test(span.text)) assert.match(span.text, columns ? /^»q\w+z«/ : /^«q\w+z»/, where);
            }
          spans += strange.length;
        }
      }
      assert.ok(spans > 1000 && sides > 50, `${spans} spans, ${sides} sides`);
    });

  it('leave formulas, shapes and symbols as they are', () => {
    for (const spec of specs)
      for (const turn of [(of: Plan) => of, asColumns]) {
        const of = (texts: Texts): string[] =>
          inLanguage(texts, () =>
            turn(plan(spec))
              .steps.filter(
                ({ id, call }) => call.op !== 'lookup' && !/tokens|masked|Heads|Rotated|Shared|capped/.test(id),
              )
              .map(({ formula, shapes, symbol }) => [formula.plain, shapes, symbol].join('  ')),
          );
        const bare = (all: readonly string[]): string[] => all.map((text) => text.replace(/\\text\{[^}]*\}/g, ''));
        assert.deepEqual(bare(of(scrambled)), bare(of({})));
      }
  });

  it('are chosen when a sentence is written, not when it is made', () => {
    const made = plan(sentence);
    const { what } = inLanguage(finnish, () => inPlain(step(made, 'scores').sentences, true));
    assert.equal(what, 'Yksi summa 8 tulolla: Kᵀ:n rivin ”sat” kohtaa Q:n sarake ”cat”.');
  });
});
