import assert from 'node:assert/strict';
import fc from 'fast-check';
import { attentionFormulas, describeAt, explainFormula, formulasOf } from '../../engine/formula/index';
import { readingNumbers } from '../../engine/formula/explain';
import { brokenMatrices } from '../../engine/formula/numbers';
import { finish } from '../../engine/index';
import { copiedCells } from '../../engine/parse/index';
import { edited, edits } from './mutations';

const size = 100_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));

const document = String.raw`
Queries are the rows of $Q \in \mathbb{R}^{m \times d_k}$, $K \in \mathbb{R}^{n \times d_k}$ and $V \in \mathbb{R}^{n \times d_v}$.
$$\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V = \begin{pmatrix} w_{11} & \ldots & w_{1n} \\ \vdots & & \vdots \\ w_{m1} & \ldots & w_{mn} \end{pmatrix} V$$
\begin{align} q_i &= W_q x_i \\ y_i &= \sum_{j=1}^{t} w_{ij} v_j, \quad w'_{ij} = x'_i x_j \end{align}
\newcommand{\attn}[2]{\text{softmax}(#1 #2^T)} \[ \attn{Q}{K} V, \text{Concat}(\text{head}_1, \dots, \text{head}_h)W^O \]
The weights are softmax(QKᵀ/√d_k)V, and \(M_{ij} = \begin{cases} 0 & i \ge j \\ -\infty & \text{else} \end{cases}\).
`;

const pieces = ['$', '$$', '\\', '{', '}', '_', '^', '&', '\\\\', '\\frac', '\\sqrt', '\\begin{pmatrix}', '\\end{pmatrix}', '(', ')', '`', '```', "'", '^T', '\\sum_', '…', ',', '=', '\\text{', '\\in', '1', 'Q', 'softmax(', '\n\n', '\\newcommand{\\x}{\\x\\x}', '|', '\\text{Concat}(', 'the matrix ', 'vectors ', '\n# ', ' is a 6 by 64 matrix', ' has shape $(B, n, d)$', '\\quad (\\text{Shape: } ', '\\cdot', 'Scores', '× ', '\\underset{n \\times d}{Q}', '\\underbrace{K^T}_{d \\times n}', '\\quad (n \\times d)', '$\\mathbf{q}$', 'e^t = ', '$ of shapes $n \\times d$ and $m \\times d$', '$ has $n$ rows and $d$ columns', '`X` of shape `(n, d)`', '$ is an $n \\times n$ matrix']; // prettier-ignore

describe('formulas, whatever the text', () => {
  it('never throws, and places lie inside the text', () => {
    fc.assert(
      fc.property(edits(40, pieces), (changes) => {
        const text = edited(document, changes);
        const all = formulasOf(text, 'markdown');
        const at = all.formulas.findLastIndex(({ status }) => status === 'understood');
        const made = explainFormula(text, all, at);
        assert.ok(made.ok || made.problems.length > 0);
        const numbers = finish(readingNumbers(text));
        for (const { range } of finish(attentionFormulas(all, numbers.whole)))
          assert.ok(0 <= range.start && range.end <= text.length);
        for (let offset = 0; offset < text.length; offset += 7) {
          const found = describeAt(text, all, offset);
          assert.ok(!found || (found.formula.start <= offset && offset <= found.formula.end), JSON.stringify(found));
        }
        for (const { range, parts, problems, status } of all.formulas) {
          for (const at of [range, ...parts.map((part) => part.range)])
            assert.ok(0 <= at.start && at.start <= at.end && at.end <= text.length, JSON.stringify(at));
          assert.equal(status === 'refused', problems.length > 0);
        }
      }),
    );
  });

  const adversarial: readonly (readonly [string, string])[] = [
    ['open signs', fill('\\[ ') + '\\]'],
    ['dollars', fill('$ ')],
    ['unclosed dollars', fill('$a b c d e f g h\n\n')],
    ['back quotes', fill('` `` ```` ')],
    ['environments', fill('\\begin{align}')],
    ['groups', `$$${fill('{')}$$`],
    ['brackets', fill(`$$${'('.repeat(2000)}$$ `)],
    ['roots', fill(`$$${'√'.repeat(3000)}$$ softmax`)],
    ['functions without brackets', fill(`$$${'\\exp '.repeat(3000)}$$ `)],
    ['scripts', fill(`$$x${'_1'.repeat(3000)}$$ `)],
    ['transposes', fill(`$$Q${'^T'.repeat(3000)}$$ `)],
    ['wide spaces', fill(`$$softmax x = ${'x \\qquad '.repeat(2000)}$$ `)],
    ['rows of a table', fill('| $x$ | $n \\times d$ | ')],
    ['shapes in a row', fill('$n \\times d$, ')],
    ['names and shapes', fill('$Q$ is $n \\times d$ and ')],
    ['products that are said', fill('$QK^T$ is $n \\times n$. ')],
    ['back quotes and commas', fill('`X`, ')],
    ['rows of columns', fill('$n$ rows and ')],
    ['sizes below', fill('$\\underset{n \\times d}{Q}$ softmax ')],
    ['notes that do not end', fill('$x = y \\quad (n \\times $ ')],
    ['letters above', fill('$\\alpha^t = e^t$ softmax ')],
    ['sums of bold letters', fill('$\\mathbf{q}$ \\mathbf{')],
    ['quotients', fill(`$$softmax(Q${'/2'.repeat(3000)})$$ `)],
    ['words in words', fill(`$$${'\\text{'.repeat(1500)}$$ `)],
    ['macros of macros', `\\newcommand{\\a}{\\a\\a}\\newcommand{\\b}{\\a\\a} ${fill('$\\b$ ')}`],
    ['definitions', fill('$Q = K V$ ')],
    ['declarations', fill('$Q \\in \\mathbb{R}^{n \\times d}$ ')],
    ['attentions', fill('$softmax(QK^T)V$ ')],
    ['names between commas', fill('a, ')],
    ['one word', fill('a')],
    ['matrices', fill('$$softmax \\begin{pmatrix} w_{11} & \\dots & w_{1n} \\\\ \\vdots \\end{pmatrix}$$ ')],
    ['matrices in a row of words', `the matrices ${fill('$Q$, ')} are matrices`],
    [
      'sections that contradict each other',
      fill('# A\n$Q \\in \\mathbb{R}^{n \\times d}$\n# B\n$Q \\in \\mathbb{R}^{d \\times n}$ $QK^T$\n'),
    ],
    ['sums of rows', fill('$V \\in \\mathbb{R}^{n \\times d}$ $\\sum_{j=1}^{m} w_{ij} v_j$ ')],
    ['sums in sums', `$softmax ${'\\sum_{j=1}^{m} '.repeat(3000)} v_j$`],
    ['broken prints', fill('V\n[[1 2]\n [3\n')],
    ['a name and blanks', `V${' '.repeat(size)}`],
    ['numbers that do not end', `V\n [[${fill('1 ')}`],
    ['names before one bracket', `${fill('V\n')}[[1 2]\n[3`],
    ['cells of notebooks without a number', fill('In [None]:\n\n# x\n\n')],
    ['cells of notebooks', fill('In [1]:\nx = 1\n\ny = 2\n')],
  ];
  for (const [what, text] of adversarial)
    it(`takes linear time: ${what}`, function () {
      this.timeout(60_000);
      const from = process.cpuUsage().user;
      const all = formulasOf(text, 'markdown');
      for (const one of all.formulas.slice(0, 3)) describeAt(text, all, one.range.start);
      brokenMatrices(text, []);
      copiedCells(text);
      const took = (process.cpuUsage().user - from) / 1000;
      // What takes the square of 100,000 takes minutes.
      assert.ok(took < 8000, `${took} ms`);
    });
});
