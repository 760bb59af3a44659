/** What commands and signs of LaTeX's mathematics are. */
import type { TokenKind } from './tokens';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** They change how something looks. */
export const styles = words('mathbf bold boldsymbol bm pmb mathbold symbf mathit mathnormal boldmath displaystyle textstyle limits nolimits left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr nonumber notag mathop mathbin mathrel smash ensuremath bf rm it cal hfill noindent medspace thinspace thickspace negthinspace enspace scriptstyle mathstrut strut displaylimits textbf underline displaylines boxed cancel bcancel xcancel mathclose mathopen tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge em sf tt bfseries'); // prettier-ignore
/** Of one letter: it is a vector or a matrix. */
export const bolds = words('mathbf bold boldsymbol bm pmb mathbold symbf');
export const boldWord = /^\{(?:head|out|output|scores?|weights|context)\}/;
/** What their braces hold is a word. */
export const wordCommands = words('text mathrm operatorname mathsf textrm textsf texttt textit mathtt operatorname* textnormal mbox mathcal mathscr mathfrak'); // prettier-ignore
export const skipped = words('label tag hspace vspace color phantom hphantom vphantom mathchoice ref eqref cite footnote'); // prettier-ignore
export const accents = words('hat tilde bar overline widehat widetilde dot ddot check vec overrightarrow');
export const definitions = words('newcommand newcommand* renewcommand renewcommand* providecommand DeclareMathOperator DeclareMathOperator* def gdef'); // prettier-ignore
/** A brace below or above, whose script is a note. */
export const braces = words('underbrace overbrace underset overset stackrel');
/** Macros of a preamble that is another file, named as what they stand for. */
export const usualMacros = words('softmax Softmax Attention attention Attn attn MultiHead MHA Concat concat LayerNorm layernorm RMSNorm diag relu ReLU gelu GELU sigmoid head'); // prettier-ignore

/** By kind: what is written, and which commands write it. */
const written: Readonly<Partial<Record<TokenKind, Readonly<Record<string, string>>>>> = {
  sign: {
    '·': 'cdot cdotp bullet', '×': 'times', '∘': 'odot circ', '*': 'ast', '⊗': 'otimes', '∈': 'in', '≤': 'leq le', '≥': 'geq ge', '≠': 'neq ne', '≈': 'approx', '∼': 'sim', '∝': 'propto',
    '=': 'equiv coloneqq eqqcolon equalscolon colonequals coloneq triangleq doteq', '→': 'to rightarrow mapsto longrightarrow', '⇒': 'Rightarrow implies', '⇔': 'iff', '<': 'll lt', '>': 'gg gt', '±': 'pm', '/': 'div',
    '∀': 'forall', '|': 'mid', ':': 'colon', '⊂': 'subset subseteq', '⊕': 'oplus', '←': 'leftarrow gets', '‖': 'Vert |',
  },
  dots: { '…': 'dots ldots cdots vdots ddots dotsc dotsb hdots' },
  transpose: { T: 'top intercal mathsfT' },
  frac: { frac: 'frac dfrac tfrac cfrac' },
  big: { sum: 'sum', prod: 'prod', max: 'max', min: 'min' },
  word: { exp: 'exp', log: 'log', sin: 'sin', cos: 'cos', tanh: 'tanh', ln: 'ln', arg: 'arg' },
  root: { '√': 'sqrt' },
  infinity: { '∞': 'infty' },
  prime: { "'": 'prime' },
  rule: { '|': 'vert' },
  open: { '|': 'lvert', '‖': 'lVert', '{': '{ lbrace', '[': 'lbrack', '⟨': 'langle', '⌊': 'lfloor' },
  close: { '|': 'rvert', '‖': 'rVert', '}': '} rbrace', ']': 'rbrack', '⟩': 'rangle', '⌋': 'rfloor' },
}; // prettier-ignore

export const signs: ReadonlyMap<string, readonly [TokenKind, string]> = new Map(
  Object.entries(written).flatMap(([kind, texts]) =>
    Object.entries(texts).flatMap(([text, names]) =>
      names.split(' ').map((name) => [name, [kind as TokenKind, text]] as const),
    ),
  ),
);

export const single: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['{', 'begin-group'], ['}', 'end-group'], ['_', 'sub'], ['^', 'sup'], ['&', 'cell'],
  ...'([⟨'.split('').map((c) => [c, 'open'] as const),
  ...')]⟩'.split('').map((c) => [c, 'close'] as const),
  ...'+-−=·×*/@<>≤≥≈∈,;，、；|⊙∘:∼∝→√Σ∑.?!'.split('').map((c) => [c, 'sign'] as const),
  ["'", 'prime'], ['′', 'prime'], ['’', 'prime'], ['∞', 'infinity'], ['…', 'dots'], ['⊤', 'transpose'], ['ᵀ', 'transpose'],
]); // prettier-ignore
