// A shape is claimed where the text says it or the formula forces it. What is only usual is a guess, and what contradicts itself is refused with what contradicts what.
import assert from 'node:assert/strict';
import { attentionFormulas, describeAt, formulasOf } from '../../engine/formula/index';
import { readingNumbers } from '../../engine/formula/explain';
import { finish } from '../../engine/index';
import { formatShape } from '../../engine/program/tensor/dims';

const raw = String.raw;
const attention = raw`$$\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$`;
const scores = raw`Attention begins with $QK^T$. `;

/** How the last formula of a text that stands by itself is read. */
function reading(text: string): string {
  const one = formulasOf(text, 'markdown').formulas.findLast(({ display }) => display);
  assert.ok(one, text);
  const shapes = one.shapes.map((shape) => (shape ? formatShape(shape) : '?')).join('; ');
  if (one.status === 'refused') return `refused: ${one.problems[0]?.message}`;
  return one.status === 'alone' ? 'alone' : one.assumed ? `usual: ${shapes}` : shapes;
}

const cases: readonly (readonly [string, string, string])[] = [
  // What the text says, and its twin that says otherwise.
  ['rows', raw`$Q \in \mathbb{R}^{n \times d_k}$, $K \in \mathbb{R}^{m \times d_k}$, $V \in \mathbb{R}^{m \times d_v}$. ${attention}`, 'n×d_v'],
  ['columns', raw`$Q \in \mathbb{R}^{d_k \times n}$, $K \in \mathbb{R}^{d_k \times m}$, $V \in \mathbb{R}^{d_v \times m}$. ${attention}`, 'refused: Q d_k×n and Kᵀ m×d_k do not fit: n is not m'],
  ['columns, and the product that they need', raw`$Q \in \mathbb{R}^{d_k \times n}$, $K \in \mathbb{R}^{d_k \times m}$, $V \in \mathbb{R}^{d_v \times m}$. $$V\,\text{softmax}(K^TQ)$$`, 'd_v×n'],
  ['columns, by the name of the function', raw`$Q \in \mathbb{R}^{d_k \times n}$, $K \in \mathbb{R}^{d_k \times m}$, $V \in \mathbb{R}^{d_v \times m}$. $$\text{Attention}(Q, K, V)$$`, 'd_v×n'],
  ['columns in words', raw`Each column of $Q$ is a query. ${attention}`, 'refused: Q and K have a column for each token here: QKᵀ has no row for each query'],
  ['features first', raw`Let $X \in \mathbb{R}^{d \times n}$ and $W_Q \in \mathbb{R}^{d \times d_k}$. $$Q = XW_Q$$`, 'refused: X d×n and W_Q d×d_k do not fit: n is not d'],
  ['batch first', raw`$Q$ has shape $(B, n, d_k)$, $K$ has shape $(B, m, d_k)$, $V$ has shape $(B, m, d_v)$. ${attention}`, 'B×n×d_v'],
  ['batch first, and V without', raw`$Q$ has shape $(B, n, d_k)$, $K$ has shape $(B, m, d_k)$, $V$ has shape $(d_v, m)$. ${attention}`, 'refused: softmax(…) B×n×m and V d_v×m do not fit: m is not d_v'],
  ['heads in front', raw`$Q, K \in \mathbb{R}^{h \times n \times d_k}$ and $V \in \mathbb{R}^{h \times n \times d_v}$. ${attention}`, 'h×n×d_v'],
  ['heads in front, features before tokens', raw`$Q, K \in \mathbb{R}^{h \times d_k \times n}$ and $V \in \mathbb{R}^{h \times n \times d_v}$. ${attention}`, 'refused: softmax(…) h×d_k×d_k and V h×n×d_v do not fit: d_k is not n'],
  ['V·A', raw`${scores}$V \in \mathbb{R}^{n \times d_v}$ and $A \in \mathbb{R}^{n \times n}$. $$O = VA$$`, 'refused: V n×d_v and A n×n do not fit: d_v is not n'],
  ['V·A of which nothing is said', raw`$A = \text{softmax}(QK^T)$. $$O = VA$$`, 'refused: usually the columns of V are a width, and the rows of A count tokens; neither is said here'],
  ['V left of softmax', raw`$$V\,\text{softmax}(QK^T)$$`, 'refused: V stands left of softmax(QKᵀ)'],
  ['KᵀQ of rows', raw`$Q, K \in \mathbb{R}^{n \times d_k}$, $V \in \mathbb{R}^{n \times d_v}$. $$\text{softmax}(K^TQ)V$$`, 'refused: softmax(…) d_k×d_k and V n×d_v do not fit: d_k is not n'],
  ['QK without a transpose', raw`$Q, K \in \mathbb{R}^{n \times d_k}$. $$QK$$`, 'refused: Q n×d_k and K n×d_k do not fit: d_k is not n'],
  ['Xᵀ', raw`$X \in \mathbb{R}^{n \times d}$ and $W_Q \in \mathbb{R}^{d \times d_k}$. $$Q = X^TW_Q$$`, 'refused: Xᵀ d×n and W_Q d×d_k do not fit: n is not d'],
  ['weights turned', raw`${scores}$X \in \mathbb{R}^{n \times d}$ and $W_Q \in \mathbb{R}^{d \times d_k}$. $$Q = XW_Q^T$$`, 'refused: X n×d and W_Qᵀ d_k×d do not fit: d is not d_k'],
  ['weights in front of rows', raw`$X \in \mathbb{R}^{n \times d}$ and $W_Q \in \mathbb{R}^{d \times d_k}$. $$Q = W_QX$$`, 'refused: W_Q d×d_k and X n×d do not fit: d_k is not n'],
  ['sizes in words', raw`$Q$ is a 6 by 64 matrix and $K$ is a 5 by 64 matrix. $$QK^T$$`, '6×5'],
  ['sizes in words that differ', raw`$Q$ is a 6 by 64 matrix and $K$ is a 5 by 32 matrix. $$QK^T$$`, 'refused: Q 6×64 and Kᵀ 32×5 do not fit: 64 is not 32'],
  ['a number for a name', raw`$d_k = 64$. $Q \in \mathbb{R}^{6 \times 32}$, $K \in \mathbb{R}^{5 \times d_k}$. $$QK^T$$`, 'refused: Q 6×32 and Kᵀ d_k×5 do not fit: 32 is not d_k'],
  ['two numbers for a name: neither holds', raw`$d_k = 64$, and below $d_k = 32$. $Q \in \mathbb{R}^{6 \times 32}$, $K \in \mathbb{R}^{5 \times d_k}$. $$QK^T$$`, 'usual: 6×5'],
  ['two shapes of one name', raw`$Q \in \mathbb{R}^{n \times d}$. $K \in \mathbb{R}^{n \times d}$. Also $Q \in \mathbb{R}^{d \times n}$. $$QK^T$$`, 'refused: the text says two shapes of Q: n×d and d×n'],
  ['one name in two sections, and a third that says nothing', `# One head\n$Q, K \\in \\mathbb{R}^{n \\times d_k}$.\n# All\n$Q, K \\in \\mathbb{R}^{h \\times n \\times d_k}$.\n# Use\n$$QK^T$$`, 'usual: h×n×n'],
  ['one name in two sections, in the second', `# One head\n$Q, K \\in \\mathbb{R}^{n \\times d_k}$.\n# All\n$Q, K \\in \\mathbb{R}^{h \\times n \\times d_k}$.\n$$QK^T$$`, 'h×n×n'],
  ['numbers of an example in a later section', `# One\n$Q, K \\in \\mathbb{R}^{n \\times d}$.\n# Use\n$$QK^T$$\n# Example\n${'Words. '.repeat(300)}\n$Q, K \\in \\mathbb{R}^{3 \\times 4}$.`, 'n×n'],
  ['numbers of two examples', `# One\n$Q, K \\in \\mathbb{R}^{2 \\times 2}$.\n# Use\n$$QK^T$$\n# Example\n${'Words. '.repeat(300)}\n$Q, K \\in \\mathbb{R}^{3 \\times 4}$.`, '?×?'],
  ['rows of a matrix beside vectors as columns', raw`$q = W_q x$, $k = W_k y$, $v = W_v z$. $$Q = CW^{UQ}, K = CW^{UK}$$ ${attention}`, '?×d_v?'],
  ['said in a later section alone', `$$QK^T$$\n# Batches\n${'Words. '.repeat(300)}\n$Q, K \\in \\mathbb{R}^{B \\times n \\times d_k}$.`, 'usual: B×n×n'],
  ['a name that is defined otherwise than it is said', raw`$Q \in \mathbb{R}^{n \times d_k}$, $X \in \mathbb{R}^{m \times d}$, $W_Q \in \mathbb{R}^{d \times d_k}$. $$Q = XW_Q$$`, 'refused: the two sides do not have one shape: n×d_k and m×d_k'],
  ['an index within its range', raw`$A \in \mathbb{R}^{m \times n}$, $V \in \mathbb{R}^{n \times d_v}$. $$y_i = \sum_{j=1}^{n} A_{ij} v_j$$`, 'd_v'],
  ['an index beyond its range', raw`$A \in \mathbb{R}^{m \times n}$, $V \in \mathbb{R}^{n \times d_v}$. $$y_i = \sum_{j=1}^{m} A_{ij} v_j$$`, 'refused: the sum runs to m, and V has n of v'],
  ['a vector that is a capital', raw`The vector $Q$ holds the query. ${attention}`, 'refused: the text calls Q a vector; usually it is a matrix'],
  ['matrices in words, without sizes', raw`The query matrix $Q$, the key matrix $K$ and the value matrix $V$. ${attention}`, 'n_q?×d_v?'],
  ['vectors in words', raw`A query vector $q$ and key vectors $k_1, \dots, k_n$. $$q^T k_i$$`, '()'],
  ['an output with the width of the keys', raw`$Q, K \in \mathbb{R}^{n \times d_k}$, $V \in \mathbb{R}^{n \times 3}$, $O \in \mathbb{R}^{n \times 2}$. $$O = \text{softmax}(QK^T)V$$`, 'refused: the two sides do not have one shape: n×2 and n×3'],
  ['a bias of another width', raw`${scores}$X \in \mathbb{R}^{n \times 4}$, $W_Q \in \mathbb{R}^{4 \times 3}$, $b_Q \in \mathbb{R}^{4}$. $$Q = XW_Q + b_Q$$`, 'refused: X W_Q and b_Q are added: n×3 is not 4'],
  ['positions with features first', raw`${scores}$X \in \mathbb{R}^{n \times d}$, $P \in \mathbb{R}^{d \times n}$. $$Q = X + P$$`, 'refused: X and P are added: n×d is not d×n'],
  ['an output projection of one head', raw`$\text{head}_i \in \mathbb{R}^{n \times d_v}$, $W^O \in \mathbb{R}^{d_v \times d}$. $$\text{Concat}(\text{head}_1, \dots, \text{head}_h)W^O$$`, 'refused: Concat(…) n×d_v*h and W_O d_v×d do not fit: d_v*h is not d_v'],
  ['widths that differ, side by side', raw`$c \in \mathbb{R}^{m}$, $s \in \mathbb{R}^{d}$. $$\text{Concat}(c, s)$$`, 'm+d'],
  ['numbers side by side', raw`$q, k \in \mathbb{R}^{d}$. $$\text{Concat}(q \cdot k, q \cdot k)$$`, '2'],
  ['a shape in a note', raw`$$Q = XW_Q \quad (\text{Shape: } N \times d_k)$$`, 'N×d_k'],
  ['a set of numbers, where the formula makes a vector', raw`${scores}$W_q \in \mathbb{R}^{h \times d}$, $q \in \mathbb{R}^{d}$. $$W_q q \in \mathbb{R}$$`, 'refused: the two sides do not have one shape: h and ()'],
  ['a declaration of one head, where all have another', raw`${scores}$U_V \in \mathbb{R}^{e \times e}$. $$U_V^i \in \mathbb{R}^{e \times d_v}$$`, 'e×d_v'],
  ['a name that another section gives another shape', `$X \\in \\mathbb{R}^{n \\times d}$, $W_i^Q \\in \\mathbb{R}^{d \\times d_k}$. $$Q_i = XW_i^Q$$\n# Shared\n${'Words. '.repeat(300)}$Q_i \\in \\mathbb{R}^{L \\times d_k}$.`, 'n×d_k'],
  ['heads that are counted', raw`$X \in \mathbb{R}^{n \times d}$, $W_i^Q \in \mathbb{R}^{d \times d_k}$. $$Q_i = XW_i^Q \quad \text{for } i \in \{1, ..., h\}$$`, 'n×d_k'],
  ['a letter that is a size and a vector', raw`${scores}$W_q \in \mathbb{R}^{h \times q}$. $$W_q q$$`, 'usual: h×q'],
  ['a space before the last sign', raw`Query vector: $q^{(i)} = x^{(i)}W_q $ and $$q^{(i)}$$`, 'd_out?'],
  ['a set whose size is not read', raw`${scores}$X \in \mathbb{R}^{n \times d}$. $$W_Q \in \mathbb{R}^{d \times \lceil d/h \rceil}$$`, 'refused: \\lceil is not read here'],
  ['a name of which another set is not read', raw`$X \in \mathbb{R}^{n \times d}$, $Q \in \mathbb{R}^{n \times k}$, $W_Q \in \mathbb{R}^{d \times \lceil d/h \rceil}$. $$Q = XW_Q$$ $$XW_Q$$`, 'usual: n×k'],
  ['what is said of x in another section', `$W_q \\in \\mathbb{R}^{k \\times d}$. $$q_i = W_q x_i$$\n# Norms\n${'Words. '.repeat(300)}$x \\in \\mathbb{R}^{d}$.`, 'k'],
  ['a shape in square brackets', raw`$Q: [n, d]$, $K: [m, d]$. $$QK^T$$`, 'n×m'],
  ['heads of keys counted apart', raw`$X \in \mathbb{R}^{n \times d}$, $W_K \in \mathbb{R}^{d \times (H_{kv} \cdot d_h)}$, $K \in \mathbb{R}^{n \times m}$. $$K = XW_K$$`, 'refused: the two sides do not have one shape: n×m and n×H_kv*d_h'],
  ['a size that a guess would give', raw`$K$ of dimension $d$. $A \in \mathbb{R}^{m \times d}$, $C \in \mathbb{R}^{n \times c}$, $\text{Attention}(A, K, C)$. $$K A^T$$`, '?×m'],
  ['a size that an equation with a guess would give', raw`$K$ of dimension $d$. $A \in \mathbb{R}^{m \times d}$, $C \in \mathbb{R}^{n \times c}$. $Z = \text{Attention}(A, K, C)$. $$K A^T$$`, '?×m'],
  ['a mask of which nothing is said', raw`$Q \in \mathbb{R}^{n \times d}$, $K \in \mathbb{R}^{m \times d}$. $$QK^T + M$$`, 'n×m'],
  // What is only usual, and where a chain of evidence ends.
  ['nothing said, not even a scale', raw`$$\text{softmax}(QK^T)V$$`, 'usual: n_q×d_v'],
  ['nothing said but the formula as it is known', attention, 'n_q?×d_v?'],
  ['the formula as it is known, of heads in front', raw`${attention} $Q \in \mathbb{R}^{h \times n \times d}$. $$QK^T$$`, 'usual: h×n×?'],
  ['the formula as it is known, of one token', raw`The vector $K$. ${attention} $$QK^T$$`, 'refused: the text calls K a vector; usually it is a matrix'],
  ['shapes in a list without signs of mathematics', `${attention}\n\nWhere:\n- Q: Query matrix (batch_size × seq_len × d_k)\n- K: Key matrix (batch_size × seq_len × d_k)\n- **V**: values [batch_size, seq_len, d_v]`, 'batch_size×seq_len×d_v'],
  ['two lists of two sections', `- Q: Query matrix (n × d_k)\n- K: Key matrix (n × d_k)\n- V: Value matrix (n × d_v)\n\n# Batches\n- Q: Query matrix (B × n × d_k)\n- K: Key matrix (B × n × d_k)\n- V: Value matrix (B × n × d_v)\n\n${attention}`, 'B×n×d_v'],
  ['numbers of an example in a list', `- Q: query [1, 0]\n- K: key [1, 0]\n- V: value (2, 3)\n\n${attention}`, 'n_q?×d_v?'],
  ['a query and a key, counted', raw`${scores}$$Q_1 \cdot K_2$$`, '()'],
  ['a query and a key, where heads are counted', raw`${scores}$\text{softmax}(Q_1 K_1^T)V_1$ $$Q_1 \cdot K_2$$`, 'refused: usually the columns of Q_1 are a width, and the rows of K_2 count tokens; neither is said here'],
  ['a bias without a label', raw`Attention: $c_t \in \mathbb{R}^{d}$, $W \in \mathbb{R}^{m \times d}$. $$\text{softmax}(W c_t + b)$$`, 'm'],
  ['no bias: a letter in a matrix', raw`${scores}$$X = \begin{bmatrix} a & b \\ c & d \end{bmatrix}$$`, '2×2'],
  ['heads with a capital, side by side', raw`$W^O \in \mathbb{R}^{m \times d}$. ${attention} $$\text{Concat}(Head_1, ..., Head_h)W^O$$`, 'usual: ?×d'],
  ['a function of two sets', raw`${scores}$\alpha_i = \text{softmax}(e_i)$ $$c = \phi(\{a_i\}, \{\alpha_i\})$$`, 'refused: the shape of φ is not known'],
  ['one of several in capitals', raw`${attention} $$Q_i K_j^T$$`, 'usual: n_q×n_k'],
  ['a row that is called by a word', raw`${attention} $$Q_i = E_{word} W^Q$$`, 'refused: the shape of E is not known'],
  ['an input with axes for a batch', raw`$X \in \mathbb{R}^{B \times n \times d}$. ${scores}$$Q = XW_Q$$ $$W_Q$$`, 'usual: d×?'],
  ['a letter behind weights', raw`${scores}$$q_t = W_Q h_t$$`, 'd_out?'],
  ['a number behind weights', raw`${scores}The scalar $h_t$. $$q_t = W_Q h_t$$`, 'usual: d_out'],
  ['a query and a key that meet', raw`${scores}$$\alpha_{ij} = \text{softmax}(q_i \cdot k_j)$$ $$s_{ij} = \text{score}(q_i, k_j)$$`, '()'],
  ['components that meet', raw`${scores}$$s = \sum_i q_i \cdot k_i$$ $$q_i$$`, 'alone'],
  ['the projection of all heads', raw`$V \in \mathbb{R}^{n \times d}$. ${attention} $$\text{Concat}(\text{head}_1, \dots, \text{head}_h)W^O$$ $$W^O$$`, '?×?'],
  ['letters that meet', raw`${scores}$$\alpha_{ti} = \text{softmax}(s_t^T h_i)$$ $$s_t^T h_i$$`, '()'],
  ['weighted values', raw`${scores}$$c_t = \sum_i \alpha_{t,i} h_i$$`, 'd?'],
  ['weighted inputs, which may be numbers', raw`${scores}$$y_i = \sum_j w_{ij} x_j$$`, 'usual: d'],
  ['a share by its two counts', raw`${scores}$\alpha_{ij} = \text{softmax}(s_{ij})$. $$\alpha_{ij}$$`, '()'],
  ['a shape below a softmax', raw`$V \in \mathbb{R}^{m \times d}$. $$\text{softmax}(QK^T)_{n \times m}V$$`, 'n×d'],
  ['something below a softmax that is no size', raw`$V \in \mathbb{R}^{m \times d}$. $$\text{softmax}(QK^T)_{s_q \times m}V$$`, 'refused: the shape of softmax is not known'],
  ['weights of which nothing is said', raw`$X \in \mathbb{R}^{n \times d}$. $$Q = XW_Q$$`, 'n×?'],
  ['what an equation forces of them', raw`$X \in \mathbb{R}^{n \times d}$, $Q \in \mathbb{R}^{n \times d_k}$. $$Q = XW_Q$$ $$X W_Q$$`, 'n×d_k'],
  ['three arguments that are not called Q, K and V', raw`$A \in \mathbb{R}^{n \times d}$, $B \in \mathbb{R}^{m \times d}$, $C \in \mathbb{R}^{m \times e}$. $$\text{Attention}(A, B, C)$$`, 'usual: n×e'],
  ['weights of one head, where those of all are said', raw`$W^Q \in \mathbb{R}^{d \times d}$, $X \in \mathbb{R}^{n \times d}$. $$Q_i = X W^Q_i$$`, 'n×?'],
  ['two sections give a name two axes, and other sizes', `# Theory\n$Q, K \\in \\mathbb{R}^{n \\times d_k}$.\n# Example\n$Q, K \\in \\mathbb{R}^{4 \\times 2}$.\n# Use\n$$QK^T$$`, '?×?'],
  ['two sections, and words that call it a vector', `# Theory\n$Q, K \\in \\mathbb{R}^{n \\times d_k}$.\n# Example\n$Q, K \\in \\mathbb{R}^{4 \\times 2}$. The vector $K$.\n# Use\n$$QK^T$$`, 'usual: ?×4'],
  ['two axes in a later section', `$$QK^T$$\n# Shapes\n${'Words. '.repeat(300)}\n$Q, K \\in \\mathbb{R}^{n \\times d_k}$.`, '?×?'],
  ['words that call it a vector, and sizes of another section', `The query and key vectors meet: $$q^T k_i$$\n# All\n${'Words. '.repeat(300)}\n$K \\in \\mathbb{R}^{n \\times d_K}$.`, '()'],
  ['a row of a matrix that only another section gives', `$$k_i$$\n# All\n${'Words. '.repeat(300)}\n$K \\in \\mathbb{R}^{n \\times d_K}$. $\\text{softmax}(KK^T)$`, '?'],
  ['a vector with the letter of a size', raw`Query and key vectors. $$\sum_{i=1}^{k} q_i$$ $$q^T k$$`, '()'],
  ['a vector with the letter of a size, called so nowhere', raw`The query vector $q$. $$\sum_{i=1}^{k} q_i$$ $$q^T k$$`, 'usual: 1×?'],
  ['a size under a root, with the letter of a vector', raw`Query and key vectors. $q_i, k_i \in \mathbb{R}^{k}$. $$\frac{q_i^T k_j}{\sqrt{k}}$$`, '()'],
  ['a small letter that is a vector in another section', `The vectors $y_i$, and $y_i \\in \\mathbb{R}^{d}$. ${scores}\n# Loss\n$y_i \\in \\mathbb{R}^{3}$ too.\n# Use\n$$y_i$$`, 'usual: 3'],
  ['a capital that is a matrix in two other sections', `$Y \\in \\mathbb{R}^{n \\times d}$. ${scores}\n# Loss\n$Y \\in \\mathbb{R}^{m \\times 3}$ too.\n# Use\n$$Y$$`, '?×?'],
  ['a row in brackets', raw`$K \in \mathbb{R}^{n \times d}$. ${scores}$$K[j,:]$$`, 'd'],
  ['a row by a word, beside all keys', raw`$K \in \mathbb{R}^{n \times d}$. $$\text{softmax}(\mathbf{K}[\text{pos}, :]K^T)$$`, 'n'],
  ['a column in brackets', raw`$K \in \mathbb{R}^{n \times d}$. ${scores}$$K[:, 1]$$`, 'n'],
  ['some rows in brackets', raw`$K \in \mathbb{R}^{n \times d}$. $$\text{softmax}(K[1:t,:]K^T)$$`, 'refused: [ is not read here'],
  ['a shape behind a colon', raw`$K: [n, d]$. $$\text{softmax}(KK^T)$$`, 'n×n'],
  ['a size between bars', raw`$E \in \mathbb{R}^{|V| \times d}$, $T \in \mathbb{R}^{n \times |\mathcal{V}|}$, $U \in \mathcal{M}_{d,|V|}(\mathbb{R})$. $$\text{softmax}(TEU)$$`, 'n×|V|'],
  ['bars that divide', raw`${scores}$q, k \in \mathbb{R}^{d}$. $$q | k | q$$`, 'refused: | is not read here'],
  ['query and key by their names', raw`${scores}6 query and key vectors. $$\text{softmax}(\text{query}_i \cdot \text{key}_j)$$`, '()'],
  ['query and key by their names, which are not called vectors', raw`${scores}A query and a key. $$\text{softmax}(\text{query}_i \cdot \text{key}_j)$$`, 'refused: the shape of softmax is not known'],
  ['a number of an example', raw`$x = 1.75$ here. $$q = W_q x$$`, 'usual: d_out'],
  ['numbers of an example', raw`$x_1 = (1, 0)$. $$q_i = W_q x_i$$`, 'd_out?'],
  ['softmax written out is a number, whatever its scores are', raw`$$\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k} \exp(e_{ik})}$$`, '()'],
  // What the use of a name does not say.
  ['kᵀv of rows', raw`${scores}Here $q_t = x_t W_q$. $$S_t=\sum_{i=1}^t k_i^\top v_i$$`, 'usual: ()'],
  ['numbers of a vector that words name', raw`${attention} The matrix $A$ times the vector $v$: $$y_i=\sum_j a_{ij}v_j$$`, 'usual: d_v'],
  ['components of what is a vector elsewhere', raw`${attention} Scores are $q_i^\top k_j$. The length is $$\sqrt{q_1^2+q_2^2}$$`, 'usual: d_k'],
  ['the tokens of a layer', raw`${attention} $$q_l = h_{l-1}W_Q$$`, 'usual: d_out'],
  ['weights of a head', raw`${attention} $$\alpha_{t,h}=\text{softmax}(e_{t,h})$$`, 'usual: ()'],
  ['tokens of Q, by a small letter', raw`${attention} $Q = h_t W_Q$. $$h_t$$`, 'usual: d'],
  ['entries of vector attention', raw`${attention} $\alpha_{ij} \odot v_j$. $$y_i=\sum_j \alpha_{ij} \odot v_j$$`, 'usual: d_v'],
  ['tensors', raw`The tensors $Q$, $K$ and $V$ have four axes. ${attention}`, 'usual: n_q×d_v'],
]; // prettier-ignore

describe('a shape is claimed only by evidence', () => {
  for (const [name, text, expected] of cases) it(name, () => assert.equal(reading(text), expected));

  it('each part says whether it is a guess', () => {
    const text = raw`$X \in \mathbb{R}^{n \times d}$. $$Q = XW_Q$$`;
    const parts = formulasOf(text, 'markdown').formulas.at(-1)?.parts ?? [];
    const named = parts.flatMap(({ expression, isUsual }) => (expression.kind === 'symbol' ? [`${expression.name} ${isUsual ? 'usual' : 'said'}`] : [])); // prettier-ignore
    assert.deepEqual(named.sort(), ['Q said', 'W said', 'X said']);
  });
});

describe('a guess is shown as one', () => {
  const usual = raw`$$\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$`;
  const said = raw`$Q \in \mathbb{R}^{n \times d_k}$, $K \in \mathbb{R}^{m \times d_k}$, $V \in \mathbb{R}^{m \times d_v}$. ${usual}`;
  const titles = (text: string): readonly string[] => {
    const found = formulasOf(text, 'markdown');
    return finish(attentionFormulas(found, finish(readingNumbers(text)).whole)).map(({ shape }) => shape);
  };
  const hover = (text: string): ReturnType<typeof describeAt> => describeAt(text, formulasOf(text, 'markdown'), text.indexOf('QK^T')); // prettier-ignore

  it('by the lens', () => {
    assert.deepEqual(titles(usual), ['n_q?×d_v?']);
    assert.deepEqual(titles(raw`$\text{softmax}(QK^T)V$`), ['usual: n_q×d_v']);
    assert.deepEqual(titles(said), ['n×d_v']);
  });

  it('by the hover', () => {
    assert.equal(hover(usual)?.shape, 'usual: n_q×d_k, not said here');
    assert.equal(hover(usual)?.product, 'usual: Q n_q×d_k, Kᵀ d_k×? → n_q×n_k, not said here');
    assert.equal(hover(said)?.shape, 'n×d_k');
    assert.equal(hover(said)?.product, 'Q n×d_k, Kᵀ d_k×m → n×m');
  });

  it('a shape that is written out is a shape, and no product', () => {
    const text = raw`The table is $N_{\text{vocab}} \times d_k$ and one of $(n \times d_k)$. ${said}`;
    const at = (place: string): readonly (string | undefined)[] => {
      const found = describeAt(text, formulasOf(text, 'markdown'), text.indexOf(place));
      return [found?.written, found?.shape, found?.says];
    };
    assert.deepEqual(at('N_{'), ['N_vocab×d_k', 'N_vocab×d_k', undefined]);
    assert.deepEqual(at('(n '), ['(n×d_k)', 'n×d_k', undefined]);
  });

  it('what counts cells is no matrix of the same name', () => {
    const text =
      '```\nScaled_Scores = Q × K^T\nAttention_Weights[i, j] = exp(Scaled_Scores[i, j]) / sum(exp(Scaled_Scores[i, k]) for k in range(n))\n```\n' +
      said;
    const found = describeAt(text, formulasOf(text, 'markdown'), text.indexOf('Attention_W'));
    assert.deepEqual(found?.parts.map(({ written }) => written), ['Scaled_Scores']); // prettier-ignore
  });

  it('several places below a name are told apart', () => {
    const text = raw`$$\text{PE}_{(pos, 2i)} = \sin(pos/10000^{2i/d})$$ ${said}`;
    assert.equal(describeAt(text, formulasOf(text, 'markdown'), text.indexOf('PE'))?.written.split(' ')[0], 'PE_(pos,2i)'); // prettier-ignore
  });

  it('a root of a size is called no size', () => {
    const text = raw`We divide by $\sqrt{d_k}$, of $d_k$. ${said}`;
    const says = (at: number): string | undefined => describeAt(text, formulasOf(text, 'markdown'), at)?.says;
    assert.equal(says(text.indexOf('sqrt')), 'The square root of d_k.');
    assert.equal(says(text.indexOf('$d_k') + 1), 'A size.');
  });
});

describe('a line of plain text', () => {
  const count = (text: string): number => formulasOf(text, 'markdown').formulas.length;

  it('is a formula where it weighs values', () => {
    assert.equal(count('```\n z₁ = Σ (softmax_score_i × v_i)\n```'), 1);
  });

  it('is prose where words stand in the brackets', () => {
    assert.equal(count('softmax(similarity score) V - How much each word counts.'), 0);
    assert.equal(count('```\nCross Attention (8 heads)\nAfter Softmax (probabilities):\nMasked Attention (prevents cheating)\n```'), 0); // prettier-ignore
    assert.equal(count('```\nsoftmax (scores / √d) V\n```'), 1);
  });
});

describe('a dollar sign with a space on one side alone', () => {
  const count = (text: string): number => formulasOf(text, 'markdown').formulas.length;

  it('begins or ends a formula where it is written as one', () => {
    assert.equal(count(raw`So $ A = \text{softmax}(QK^T)$ is what we want.`), 1);
    assert.equal(count(raw`So $A = \text{softmax}(QK^T) $ is what we want.`), 1);
  });

  it('is money elsewhere', () => {
    assert.equal(count('It costs $5 $ or $6.'), 0);
    assert.equal(count('It is $ 5$ or 6.'), 0);
  });
});
