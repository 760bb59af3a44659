// Formulas in the styles of public notes and papers (test/precision/formulas/): written here, not taken from them. Shapes are worked out by hand from the text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formulasOf } from '../../engine/formula/index';
import { agreesWith, meaningsOf, saidOf } from '../precision/formulas/compare';

const attention = '$\\text{softmax}(QK^T)V$. ';
const all = (text: string, languageId = 'markdown'): readonly string[] =>
  formulasOf(text, languageId).formulas.map(saidOf);
const last = (text: string, languageId?: string): string => all(text, languageId).at(-1) ?? '';
const raw = String.raw;

describe('formulas as notes and papers write them', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['sizes of commands are passed by', raw`$$\large \text{softmax}(QK^T) \Large V$$`, 'n_q×d_v'],
    ['a brace below has a note', raw`$X \in \mathbb{R}^{n \times d}$ $$\underbrace{\text{softmax}(XX^T)}_{\text{weights}}X$$`, 'n×d'],
    ['an arrow may say what is done', raw`$X \in \mathbb{R}^{n \times d}$ $$XX^T \xrightarrow{\text{softmax}} \text{softmax}(XX^T)$$`, 'n×n'],
    ['one declaration of several names', raw`${attention}$W_A, W_B, W_C \in \mathbb{R}^{r \times c}$ and $W_A$`, 'r×c'],
    ['a set behind an equation', raw`${attention}$$Q = H W_Q \in \mathbb{R}^{t \times c}$$ $Q$`, 't×c'],
    ['two labels are two matrices', raw`${attention}$W^U_Q \in \mathbb{R}^{r \times d}$, $W^D_Q \in \mathbb{R}^{d \times r}$, $W^U_Q$`, 'r×d'],
    ['a label and a head', raw`${attention}$Q = H W_Q$, $W_{Q} \in \mathbb{R}^{r \times d}$, $W_{Q,i}$`, 'r×d'],
    ['letters below that spell a word', raw`${attention}$K_{cache} \in \mathbb{R}^{s \times d}$ $$QK_{cache}^T$$`, 'n_q×s'],
    ['queries of head p', raw`${attention}$$\text{softmax}(Q^p (K^p)^T)$$`, 'n_q×n_k'],
    ['rows 1 to T', raw`${attention}$h_i \in \mathbb{R}^{e}$ $$h_{1:T}$$`, 'T×e'],
    ['A of three products is attention', raw`$$\mathrm{head}_i = \mathrm{A}(QW_i^Q, KW_i^K, VW_i^V)$$ $W_i^V \in \mathbb{R}^{d \times v}$ $\text{softmax}(QK^T)$ $\mathrm{head}_i$`, 'n_q×v'],
    ['attention with a mask', raw`$Q \in \mathbb{R}^{a \times b}$ $K \in \mathbb{R}^{c \times b}$ $V \in \mathbb{R}^{c \times e}$ $$\text{Attention}(Q, K, V, M)$$`, 'a×e'],
    ['axes of a batch', raw`$Q \in \mathbb{R}^{B \times t \times c}$ $\text{softmax}(QK^T)$ $$Q = X W^Q$$`, 'B×t×c'],
    ['a component of softmax', raw`${attention}$$\text{softmax}(x_i) = \frac{e^{x_i}}{\sum_j e^{x_j}}$$`, '1'],
    ['a vector with an arrow', raw`${attention}$W_Q \in \mathbb{R}^{c \times e}$ $q = W_Q x$ $$W_Q \cdot \vec{E_i}$$`, 'c'],
    ['heads in one command', raw`${attention}$$\mathrm{Concat}(\mathrm{head_1}, \ldots, \mathrm{head_h})W^O$$ $W^O \in \mathbb{R}^{a \times c}$`, 'a×c'],
    ['what it costs is no shape', raw`$Q, K, V \in \mathbb{R}^{n \times d}$ $$\text{softmax}(QK^T)V, \quad \text{Complexity: } O(n^2)$$`, 'n×d'],
    ['a shape in words behind it', raw`${attention}$$\text{scores} = QK^T \quad \text{shape } (b, p, t, s)$$`, 'b×p×t×s'],
    ['separators of other languages', raw`${attention}$W_q \in \mathbb{R}^{a \times c}$ $Q = HW_q$ $W_q、W_q$`, 'a×c ; a×c'],
    ['queries of a sequence', raw`$Q, K, V \in \mathbb{R}^{n \times d}$ $$\text{Attention}(Q(h), K(h), V(h))$$`, 'n×d'],
    ['below one another', raw`$Q, K, V \in \mathbb{R}^{n \times d}$ $$\text{softmax}(Q[K_a; K_b]^T)[V_a; V_b]$$`, 'n×?'],
    ['a matrix of dimension d has rows of d', raw`The matrix $Q$ with dimension $d_q = 64$. $$\text{softmax}(QK^T)$$ $Q$`, '?×d_q'],
    ['sizes in plain text', raw`The input is (n × d_model). $$\text{softmax}(QK^T)$$`, '?×?'],
    ['doubled backslashes', raw`\\[ Q \in \mathbb{R}^{a \times c} \\] and \\( K \in \mathbb{R}^{e \times c} \\) \\[ \text{softmax}(QK^T) \\]`, 'a×e'],
    ['back quotes in the signs', raw`$Q, K \in \mathbb{R}^{n \times d}$, $${'`'}\text{softmax}(QK^T)${'`'}$`, 'n×n'],
    ['a curly R with sizes', raw`$Q \in \mathcal{R}^{t \times c}, K \in \mathcal{R}^{s \times c}$ $\text{softmax}(QK^T)$`, 't×s'],
    ['an R of a preamble', raw`$Q \in \R^{t \times c}$, $K \in \R^{s \times c}$, $\softmax\!\left(QK^T\right)$`, 't×s'],
    ['braces around QK are not seen', raw`$Q \in \mathbb{R}^{t \times c}$, $K \in \mathbb{R}^{s \times c}$, $\text{softmax}(\mathbf{Q K}^\top)$`, 't×s'],
    ['names spelled in capitals', raw`${attention}$h_t \in \mathbb{R}^{d}$, $W^{DKV} \in \mathbb{R}^{c \times d}$, $W^{UK} \in \mathbb{R}^{e \times c}$, $$k_t = W^{UK} W^{DKV} h_t$$`, 'e'],
    ['heads in square brackets', raw`${attention}$H_i \in \mathbb{R}^{n \times c}$ $$\text{MultiHead}(Q, K, V) = [H_1, \ldots, H_p]$$`, 'n×c*p'],
    ['vectors one behind another', raw`${attention}$o_{t,i} \in \mathbb{R}^{c}$ $$\text{Concat}(o_t) = [o_{t,1}; \ldots; o_{t,p}]$$`, 'c*p'],
    ['heads between bars', raw`${attention}$head_i \in \mathbb{R}^{n \times c}$, $W^O \in \mathbb{R}^{e \times m}$ $$\text{MultiHead}(X) = [head_1 \| \cdots \| head_p] W^O$$`, '?×m'],
    ['a shape behind a colon', raw`$Q : (s, d_k)$, $K : (t, d_k)$ $$\text{softmax}(QK^T)$$`, 's×t'],
    ['what is said further on of another shape', raw`$X \in \mathbb{R}^{n \times d}$ $$Q = XW^Q, K = XW^K$$ $$\text{softmax}(QK^T)$$ ${'\n\n'}Later: $Q, K \in \mathbb{R}^{B \times h \times n \times d}$. $X$`, 'n×d'],
    ['positions are added to vectors', raw`${attention}$q_i = (x_i + p_i) W_Q$, $x_i \in \mathbb{R}^{d}$, $p_i W_Q$`, '?'],
    ['rows turned behind turned weights', raw`${attention}$x_i \in \mathbb{R}^{d}$, $W_Q, W_K \in \mathbb{R}^{d \times c}$, $q_i = x_i W_Q$ $$x_i W_Q W_K^T x_j^T$$`, '1'],
    ['weights of vectors', raw`$x_i \in \mathbb{R}^{d}$ $$\alpha_i = \text{softmax}(q \cdot x_i)$$ $$y = \sum_{i} \alpha_i x_i$$`, 'd'],
    ['weights and inputs of a neuron', raw`$$w_i = \text{softmax}(q \cdot k_i)$$ $$a = \sum_{i} w_i x_i$$`, '1'],
    ['weights of a head, counted above', raw`$X \in \mathbb{R}^{n \times d}$, $W_q^0 \in \mathbb{R}^{d \times c}$ $$Q^0 = X \cdot W_q^0$$ $$\text{softmax}(Q^0 K^T)$$ $Q^0 = X W_q^0$`, 'n×c'],
    ['which heads there are', raw`$X \in \mathbb{R}^{n \times d}$ $$Q_i = X W_Q^{(i)}, \quad i = 1, \dots, H$$ $W_Q^{(i)} \in \mathbb{R}^{d \times c}$ $\text{softmax}(Q_i K_i^T)$ $Q_i$`, 'n×c'],
    ['which heads there are, behind a formula', raw`$$head_i = \text{softmax}(Q_i K_i^T)V_i, \quad i = 1, \dots, H$$`, 'n_q×d_v'],
    ['two shapes of a name, each below it', raw`${attention}$$Q_{d \times n} = Q_{n \times d}^T$$`, 'd×n'],
    ['sizes below a name', raw`$$A_{n \times n} = K_{d \times n}^T Q_{d \times n}$$ $\text{softmax}(A)$ $$V_{e \times n} A_{n \times n}$$`, 'e×n'],
    ['vectors counted above', raw`$I \in \mathbb{R}^{d \times n}$ $\text{softmax}(K^TQ)$ $Q = W_q I$ $$I = (x^1, x^2, \ldots, x^n)$$`, 'd×n'],
    ['given by name', raw`$X \in \mathbb{R}^{n \times d}$ $$\text{Attention}(Q = X, K = X, V = X)$$`, 'n×d'],
    ['entries counted the other way round', raw`${attention}$$\begin{bmatrix} \alpha_{1,1} & \cdots & \alpha_{n,1} \\ \vdots & & \vdots \\ \alpha_{1,m} & \cdots & \alpha_{n,m} \end{bmatrix}$$`, 'm×n'],
    ['no power of queries', raw`${attention}$$QK^1$$`, 'R'],
    ['a score by its name', raw`${attention}$$\text{score}(q, k_i) = q \cdot k_i$$`, '1'],
  ]; // prettier-ignore
  for (const [name, text, shape] of cases)
    it(name, () => {
      const found = last(text);
      assert.equal(found, shape);
    });

  it('take what is said further on of another number of axes for another section', () => {
    const text = raw`$X \in \mathbb{R}^{n \times d}$ $$Q = XW^Q, \quad K = XW^K$$ $$\text{softmax}(QK^T)$$ Later: $Q, K \in \mathbb{R}^{B \times h \times n \times e}$.`;
    assert.deepEqual(all(text).slice(1, 3), ['n×? ; n×?', 'n×n']);
  });

  it('do not take a usual shape for a name where the formula has one that nobody explains', () => {
    assert.equal(last(`${attention}$$Q_i = E_{word} \\cdot W^Q$$`), 'R');
    const [problem] =
      formulasOf(`${attention}$$Q_i = E_{word} \\cdot W^Q$$`, 'markdown').formulas.at(-1)?.problems ?? [];
    assert.equal(problem?.message, 'the shape of E is not known');
    assert.equal(last(`${attention}$$V = F W_o + b_o$$`), 'R');
    assert.equal(last(`${attention}$$p_i = \\text{softmax}(q, k_i)$$`), 'R');
  });

  it('are found in indented lines, in lists and behind blocks that are indented', () => {
    assert.deepEqual(all('softmax(QKᵀ)V\n\n    Input X → Q = XW_q\n'), ['n×d_v', 'n×d_out']);
    assert.deepEqual(all(`1. Code:\n   \`\`\`python\n   x = 1\n   \`\`\`\n\n${attention}`), ['n_q×d_v']);
  });

  it('leave definitions of macros alone', () => {
    assert.deepEqual(all(raw`$$\newcommand{\R}{\mathbb{R}} \newcommand{\x}[1]{x_{#1}}$$ $Q \in \R^{a \times c}$ $QK^T$`), ['-', 'a×c', 'a×?']); // prettier-ignore
  });

  it('are judged by a table that can be read, against documents that are recorded', () => {
    const folder = join(__dirname, '../precision/formulas');
    const meanings = meaningsOf(readFileSync(join(folder, 'wild.txt'), 'utf8'));
    const names = readFileSync(join(folder, 'wild.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split('.')[0]); // prettier-ignore
    assert.deepEqual([...meanings.keys()].filter((name) => !names.includes(name)), []); // prettier-ignore
    assert.ok([...meanings.values()].flat().length > 200);
    for (const { at, meant } of [...meanings.values()].flat()) {
      assert.match(at, /^\d+:\d+$/);
      assert.ok(meant !== '');
    }
    assert.ok(agreesWith('n×d', 'n×*') && agreesWith('1 ; 1', '1') && agreesWith('R', 'R | -'));
    assert.ok(!agreesWith('n×d', 'd×*') && !agreesWith('n', '*×*') && !agreesWith('-', '1'));
  });
});
