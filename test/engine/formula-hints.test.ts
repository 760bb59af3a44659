// Shapes shown in the line of a formula: which names have one, where, and what is left out. Shapes are worked out by hand from the texts.
import assert from 'node:assert/strict';
import { finish } from '../../engine/text/index';
import { createAnswering, type Questions } from '../../engine/formula/index';

type Hint = Questions['formulaHints']['answer'][number];

const raw = String.raw;
const sets = raw`$Q \in \mathbb{R}^{m \times d_k}$, $K \in \mathbb{R}^{n \times d_k}$, $V \in \mathbb{R}^{n \times d_v}$. `;
const attention = raw`$$\text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$`;

function hintsOf(text: string, within = { start: 0, end: text.length }): readonly Hint[] {
  return finish(createAnswering()({ kind: 'formulaHints', text, languageId: 'markdown', within })).answer as readonly Hint[]; // prettier-ignore
}

/** The text with each hint in it, in brackets. */
function shown(text: string, within?: { start: number; end: number }): string {
  return [...hintsOf(text, within)].reverse().reduce((all, { at, label }) => `${all.slice(0, at)}⟦${label}⟧${all.slice(at)}`, text); // prettier-ignore
}

describe('shapes in the line of a formula', () => {
  it('stand behind each name and behind the whole, and not where the text has them already', () => {
    assert.equal(shown(sets + attention), sets + raw`$$\text{softmax}\left(\frac{Q⟦m×d_k⟧K⟦n×d_k⟧^\top}{\sqrt{d_k}}\right)V⟦n×d_v⟧$$⟦= m×d_v⟧`); // prettier-ignore
  });

  it('say where each comes from', () => {
    const text = `${sets}\n\n${attention}`;
    assert.deepEqual(hintsOf(text).map(({ why }) => why), ['line 1 says so', 'line 1 says so', 'line 1 says so', '']); // prettier-ignore
  });

  it('mark what the document does not say', () => {
    assert.equal(shown(raw`$$\text{softmax}(QK^T)V$$`), raw`$$\text{softmax}(Q⟦~n_q×d_k⟧K⟦~n_k×d_k⟧^T)V⟦~n_k×d_v⟧$$⟦= ~n_q×d_v⟧`); // prettier-ignore
  });

  it('stand once for each name of a formula, behind what counts it', () => {
    assert.equal(shown(raw`${sets}$$\text{softmax}(QK^T + QK^T)$$`), raw`${sets}$$\text{softmax}(Q⟦m×d_k⟧K⟦n×d_k⟧^T + QK^T)$$⟦= m×n⟧`); // prettier-ignore
    const text =
      sets +
      raw`$x_i \in \mathbb{R}^{e}$ ${attention} $$W_Q x_i + W_Q x_i$$ $W_Q \in \mathbb{R}^{d_k \times e}$ $$q_i = W_Q x_i$$`;
    assert.ok(shown(text).includes(raw`$$q_i⟦d_k⟧ = W_Q⟦d_k×e⟧ x_i⟦e⟧$$⟦= d_k⟧`), shown(text));
  });

  it('are those of the range that is asked for', () => {
    const text = `${sets}\n\n${attention}\n\n${attention}`;
    const second = text.lastIndexOf('$$\\text');
    assert.equal(
      hintsOf(text, { start: second + 1, end: text.length }).every(({ at }) => at > second),
      true,
    );
    assert.equal(hintsOf(text, { start: second + 1, end: text.length }).length, 4);
  });

  it('are not there for what is refused, for sizes and for what is no attention', () => {
    for (const text of [
      raw`${sets}$$\text{softmax}(QK)V$$`,
      `${sets}$d_k$`,
      'The price is $x$ and $E = mc^2$.',
      'Nothing.',
    ])
      assert.deepEqual(hintsOf(text), [], text);
  });

  it('are not those of names that a macro stands for', () => {
    const macro = raw`\newcommand{\score}{QK^T} `;
    const text = raw`${sets}$$\text{softmax}(\score) V$$`;
    assert.equal(shown(macro + text), raw`${macro}${sets}$$\text{softmax}(\score) V⟦n×d_v⟧$$⟦= m×d_v⟧`);
  });

  it('are no more than an editor can show', () => {
    const text = sets + attention.repeat(300);
    assert.equal(hintsOf(text).length, 400);
  });
});
