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
    ['a label and a head', raw`${attention}$Q = H W_Q$, $W_{Q} \in \mathbb{R}^{r \times d}$, $W_{Q,i}$`, '?×?'],
    ['letters below that spell a word', raw`${attention}$K_{cache} \in \mathbb{R}^{s \times d}$ $$QK_{cache}^T$$`, 'n_q×s'],
    ['queries of head p', raw`${attention}$$\text{softmax}(Q^p (K^p)^T)$$`, 'n_q×n_k'],
    ['rows 1 to T', raw`${attention}$h_i \in \mathbb{R}^{e}$ $$h_{1:T}$$`, 'T×e'],
    ['A of three products is attention', raw`$$\mathrm{head}_i = \mathrm{A}(QW_i^Q, KW_i^K, VW_i^V)$$ $W_i^V \in \mathbb{R}^{d \times v}$ $\text{softmax}(QK^T)$ $\mathrm{head}_i$`, 'n_q?×v'],
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
    ['statements with wide spaces between them', raw`$X \in \mathbb{R}^{n \times d}$, $W_Q, W_K \in \mathbb{R}^{d \times c}$, $\text{softmax}(QK^T)$ $$Q = X W_Q \qquad K = X W_K$$`, 'n×c ; n×c'],
    ['wide spaces in cases are none', raw`$Q, K \in \mathbb{R}^{n \times d}$ $\text{softmax}(QK^T + M)$ $$M_{ij} = \begin{cases} 0 \quad i = j \\ 1 \qquad i < j \end{cases}$$`, '1'],
    ['a wide space before a condition in words', raw`$Q, K, V \in \mathbb{R}^{n \times d}$ $$Z = \text{softmax}(QK^T)V \qquad \text{for all heads}$$`, 'n×d'],
    ['all tokens in a small letter', raw`$$\text{Attention}(Q, K, V) = \text{softmax}(\frac{QK^T}{\sqrt{d_k}})V$$ $$Q = x W^Q, ~K = x W^K, ~V = x W^V$$`, 'n?×d_out? ; n?×d_out? ; n?×d_out?'],
    ['queries, keys and values of one small letter', raw`$$\text{softmax}(\frac{QK^T}{\sqrt{d}})V$$ $|\mathcal{V}| = V$, $$Q = K = V = x$$`, 'n?×?'],
    ['heads of products of a small letter', raw`$$\text{head}_i = \text{Attention}(xW_i^Q, xW_i^K, xW_i^V) = \text{softmax}(\frac{(xW_i^Q)(xW_i^K)^T}{\sqrt{d_k}})(xW_i^V)$$`, 'n×d_out'],
    ['a row of V that only an equation defines', raw`$X \in \mathbb{R}^{n \times d}$, $W_V \in \mathbb{R}^{d \times e}$ $$V = X W_V$$ $$z_i = \sum_j \alpha_{ij} v_j$$ $z_i = \sum_j \text{softmax}(q_i \cdot k_j) v_j$`, 'e'],
    ['rows of V, where weights stand left of vectors', raw`$V \in \mathbb{R}^{m \times e}$, $q = W_q x$, $k = W_k x$ $$\text{Attention}(q, K, V) = \sum_i \alpha_i v_i$$`, 'e'],
    ['columns of V, by the names of its sizes', raw`$V \in \mathbb{R}^{d_v \times n}$, $q_i = x_i W_q$ $\text{softmax}(q_i \cdot k_j)$ $$y_i = \sum_j \alpha_{ij} v_j$$`, 'd_v'],
    ['heads by what counts them', raw`$Q, K, V \in \mathbb{R}^{n \times d}$ $$\text{Concat}\left(\text{softmax}\left(\frac{QW_i^Q(KW_i^K)^T}{\sqrt{d_k}}\right)VW_i^V\right)_{i=1}^{h} W^O$$`, 'n×?'],
    ['arguments in another order, by their names', raw`$Q \in \mathbb{R}^{n \times d}$, $K, V \in \mathbb{R}^{m \times d}$, $W_i^V \in \mathbb{R}^{d \times e}$ $$\mathrm{head}_i(K, V, Q) = \mathrm{Attention}(KW_i^K, VW_i^V, QW_i^Q)$$`, 'n×e'],
    ['vectors of an example are no shapes', raw`${attention}$x_i \in \mathbb{R}^{d}$ $$s_{ij} = x_i^T x_j$$ For instance $x_1 = (1, 0)$. $x_i$`, 'd'],
    ['an example says nothing of all', raw`${attention}$x_1 = [1, 0], x_2 = [0, 1]$ $$c_i = \sum_j \text{softmax}_j(x_i^T x_j) x_j$$`, 'd?'],
 ['a number of an example says nothing of vectors', raw`$W_Q, W_K \in \mathbb{R}^{d \times d}$, $q = W_Q x$, $k_i = W_K x_i$ $$a_i = \frac{\exp(q^\top k_i)}{\sum_j \exp(q^\top k_j)}$$ Later $x = 1.75$. $q^\top k_i$`, '1'],
    ['the number itself', raw`${attention}$q = W_Q x$ and $x = 1.75$`, '1'],
    ['all tokens in a small letter, with a bias', raw`$$\text{softmax}(\frac{QK^T}{\sqrt{d_k}})V$$ $$Q = x W_Q^{(h)} + b_Q^{(h)}$$`, 'n?×d_out?'],
    ['numbers that are written say more than names', raw`$Q \in \mathbb{R}^{n \times d_k}$, $\text{softmax}(QK^T)$ $$Q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \end{pmatrix}$$`, '3×2'],
    ['a table of names and shapes', raw`| $X$ | the input | $T \times c$ |${'\n'}| $W_Q, W_K$ | weights | $c \times e$ |${'\n\n'}$Q = XW_Q$, $K = XW_K$ $$\text{softmax}(QK^T)$$ $Q$`, 'T×e'],
    ['a table with two shapes in a row says none', raw`| $Q, V$ | both | $T \times c$, $T \times e$ |${'\n\n'}${attention}$Q$`, 'n_q×d_k'],
    ['a set of the next section', raw`$X \in \mathbb{R}^{n \times d}$, $W_V \in \mathbb{R}^{d \times e}$, $V = XW_V$, $z_i = \sum_j \text{softmax}(q_i \cdot k_j) v_j$${' Text.'.repeat(600)} $z_i \in \mathbb{R}^{d}$ $z_i$`, 'd'],
    ['additive scores', raw`$$\alpha_i = \text{softmax}(e_i)$$ $$e_{t,i} = v_a^\top \tanh(W_a s_{t-1} + U_a h_i)$$`, '1'],
    ['a state that is turned is a vector', raw`$$\alpha_{t,i} = \frac{\exp(e_{t,i})}{\sum_k \exp(e_{t,k})}$$ $$c_t = \sum_i \alpha_{t,i} h_i$$ $$e_{t,i} = s_t^\top W_a h_i$$`, '1'],
    ['what is masked keeps its shape', raw`$Q, K \in \mathbb{R}^{n \times d}$ $$softmax(Masked(QK^T))$$`, 'n×n'],
    ['heads with a capital', raw`$H_i \in \mathbb{R}^{n \times c}$, $$Head_i = \text{softmax}(Q_iK_i^T)V_i$$ $V_i \in \mathbb{R}^{n \times c}$, $Q_i, K_i \in \mathbb{R}^{n \times e}$ $$\text{Concat}(Head_1, \dots, Head_h)$$`, 'n×c*h'],
    ['back quotes within a line are no fence', `\`\`\`some words\`\`\` of prose.\n\n$Q, K \\in \\mathbb{R}^{n \\times d}$ and $\\text{softmax}(QK^T)$`, 'n×n'],
    ['a token that is a sign', raw`$W_Q, W_K \in \mathbb{R}^{d \times d}$, $q = W_Q x$ $$\alpha_j = \text{softmax}(x_=^\top W_Q^\top W_K x_j)$$`, '1'],
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
    assert.deepEqual(all('softmax(QKᵀ)V\n\n    Input X → Q = XW_q\n'), ['n×d_v', 'n?×d_out?']);
    assert.deepEqual(all(`1. Code:\n   \`\`\`python\n   x = 1\n   \`\`\`\n\n${attention}`), ['n_q×d_v']);
  });

  it('are found behind numbers, signs of a list and labels in bold, and in no drawing', () => {
    assert.deepEqual(all('```\n1. Scores of all: S = QK^T\n2. P = softmax(S)\n```'), ['n_q×n_k', 'n_q×n_k']);
    assert.deepEqual(all('- **All at once**: the whole matrix of scores S = QK^T\n'), ['n_q×n_k']);
    assert.deepEqual(all('softmax(QKᵀ)V\n\n* Q1 = X @ W\\_Q1 → same as X\n'), ['n_q×d_v', 'n?×d_out?']);
    assert.deepEqual(all('**Formula:** Weights = softmax(QKᵀ)\n'), ['n_q×n_k']);
    assert.deepEqual(all('* Weights = what the model has learned so far\n'), []);
    const drawn = formulasOf('\\begin{document}softmax \\draw ($(softmax.south)+(0,-1)$);\\end{document}', 'latex');
    assert.deepEqual(drawn.formulas, []);
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
