/** LaTeX's mathematics as tokens: styles and spaces are passed by, macros of the document are expanded. */
import type { TextRange } from '../../text';
import { groupAt } from './braces';
import type { Macros } from './macros';
import { functions, greekLetters, isLabel, type Token, type TokenKind } from './tokens';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** They change how something looks. */
const styles = words('mathbf bold boldsymbol bm pmb mathit mathbf mathnormal boldmath displaystyle textstyle limits nolimits left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr nonumber notag mathop mathbin mathrel smash ensuremath bf rm it cal hfill noindent medspace thinspace thickspace negthinspace enspace scriptstyle mathstrut strut displaylimits textbf underline boxed mathclose mathopen tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge boldmath em sf tt bfseries'); // prettier-ignore
/** Of one letter: it is a vector or a matrix. */
const bolds = words('mathbf bold boldsymbol bm pmb');
const boldWord = /^\{(?:head|out|output|scores?|weights|context)\}/;
/** What their braces hold is a word. */
const wordCommands = words('text mathrm operatorname mathsf textrm textsf texttt textit mathtt operatorname* textnormal mbox mathcal mathscr mathfrak'); // prettier-ignore
const skipped = words('label tag hspace vspace color phantom hphantom vphantom mathchoice ref eqref cite footnote');
const accents = words('hat tilde bar overline widehat widetilde dot ddot check vec overrightarrow');
const definitions = words(
  'newcommand newcommand* renewcommand renewcommand* providecommand DeclareMathOperator DeclareMathOperator* def gdef',
);
/** A brace below or above, whose script is a note. */
const braces = words('underbrace overbrace underset overset stackrel');

const signs: ReadonlyMap<string, readonly [TokenKind, string]> = new Map<string, readonly [TokenKind, string]>([
  ...Object.entries({
    cdot: '·', cdotp: '·', bullet: '·', times: '×', odot: '∘', circ: '∘', ast: '*', otimes: '⊗', in: '∈', leq: '≤', le: '≤', geq: '≥', ge: '≥', neq: '≠', ne: '≠',
    approx: '≈', sim: '∼', propto: '∝', equiv: '=', coloneqq: '=', eqqcolon: '=', equalscolon: '=', colonequals: '=', coloneq: '=', triangleq: '=', doteq: '=', to: '→', rightarrow: '→', mapsto: '→', longrightarrow: '→', Rightarrow: '⇒', implies: '⇒', iff: '⇔', ll: '<', gg: '>', lt: '<', gt: '>', pm: '±', div: '/', forall: '∀', mid: '|', colon: ':', subset: '⊂', subseteq: '⊂', oplus: '⊕', leftarrow: '←', gets: '←',
  }).map(([name, text]) => [name, ['sign', text]] as const), // prettier-ignore
  ...['dots', 'ldots', 'cdots', 'vdots', 'ddots', 'dotsc', 'dotsb', 'hdots'].map(
    (name) => [name, ['dots', '…']] as const,
  ),
  ...['top', 'intercal', 'mathsfT'].map((name) => [name, ['transpose', 'T']] as const),
  ...(['frac', 'dfrac', 'tfrac', 'cfrac'] as const).map((name) => [name, ['frac', 'frac']] as const),
  ...(['sum', 'prod', 'max', 'min'] as const).map((name) => [name, ['big', name]] as const),
  ...(['exp', 'log', 'sin', 'cos', 'tanh', 'ln', 'arg'] as const).map((name) => [name, ['word', name]] as const),
  ['sqrt', ['root', '√']],
  ['infty', ['infinity', '∞']],
  ['prime', ['prime', "'"]],
  ['vert', ['rule', '|']],
  ['lvert', ['open', '|']],
  ['rvert', ['close', '|']],
  ['lVert', ['open', '‖']],
  ['rVert', ['close', '‖']],
  ['Vert', ['sign', '‖']],
  ['|', ['sign', '‖']],
  ['{', ['open', '{']],
  ['}', ['close', '}']],
  ['lbrace', ['open', '{']],
  ['rbrace', ['close', '}']],
  ['lbrack', ['open', '[']],
  ['rbrack', ['close', ']']],
  ['langle', ['open', '⟨']],
  ['rangle', ['close', '⟩']],
  ['lfloor', ['open', '⌊']],
  ['rfloor', ['close', '⌋']],
]);

const single: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['{', 'begin-group'], ['}', 'end-group'], ['_', 'sub'], ['^', 'sup'], ['&', 'cell'],
  ...'([⟨'.split('').map((c) => [c, 'open'] as const),
  ...')]⟩'.split('').map((c) => [c, 'close'] as const),
  ...'+-−=·×*/@<>≤≥≈∈,;，、；|⊙∘:∼∝→√Σ∑.?!'.split('').map((c) => [c, 'sign'] as const),
  ["'", 'prime'], ['′', 'prime'], ['’', 'prime'], ['∞', 'infinity'], ['…', 'dots'], ['⊤', 'transpose'], ['ᵀ', 'transpose'],
]); // prettier-ignore

/** Tokens of one formula; more than this are not read. */
export const mostTokens = 20_000;

interface Cutting {
  readonly text: string;
  readonly macros: Macros;
  readonly tokens: Token[];
  /** Commands and letters that were looked at. */
  steps: number;
  spaced: boolean;
  /** Where a bold letter stands. */
  bold?: number;
  /** Brackets, braces and matrices that are open. */
  readonly open: { count: number; hasRelation: boolean };
}

/** The tokens of `text[start, end)`; undefined where there are more than are read. */
export function latexTokens(text: string, { start, end }: TextRange, macros: Macros): readonly Token[] | undefined {
  const cut: Cutting = { text, macros, tokens: [], steps: 0, spaced: false, open: { count: 0, hasRelation: false } };
  return cutInto(cut, start, end, undefined, 0) ? cut.tokens : undefined;
}

const deepest = 12;

/** With `call`, what is cut is a macro's body, and its tokens stand where it is called. */
function cutInto(cut: Cutting, start: number, end: number, call: TextRange | undefined, depth: number): boolean {
  let at = start;
  while (at < end) {
    if (++cut.steps > 4 * mostTokens || cut.tokens.length > mostTokens) return false;
    const next = oneToken(cut, at, end, call, depth);
    if (next === undefined) return false;
    at = next;
  }
  return true;
}

function put({ tokens, ...cut }: Cutting, kind: TokenKind, text: string, range: TextRange, at?: number): void {
  const bold = kind === 'name' && cut.bold !== undefined && at === cut.bold;
  tokens.push({
    kind,
    text,
    start: range.start,
    end: range.end,
    ...(cut.spaced && { spaced: true }),
    ...(bold && { bold }),
  });
  if (kind === 'sign' && /^[=∈]$/.test(text)) cut.open.hasRelation = true;
  const isTable = kind !== 'begin' && kind !== 'end' ? true : /matrix|array|cases/.test(text);
  if (isTable) cut.open.count += opens.has(kind) ? 1 : closes.has(kind) ? -1 : 0;
}

const opens = new Set<TokenKind>(['open', 'begin-group', 'begin']);
const closes = new Set<TokenKind>(['close', 'end-group', 'end']);

/** `Q = XW_Q \\qquad K = XW_K`: a wide space between statements, where nothing is open and a further statement stands behind it. */
function divides({ tokens, open, text }: Cutting, at: number, end: number): boolean {
  const last = tokens.at(-1);
  if (open.count !== 0 || !last || last.kind === 'sign' || last.kind === 'row' || last.kind === 'cell') return false;
  const next = /^(?:[^\\=∈]|\\(?!q?quad\b|\\)(?:[A-Za-z]+|[^A-Za-z])){0,200}?(?:=|∈|\\(?:in|coloneqq|triangleq)\b)/.exec(text.slice(at, Math.min(end, at + 400)))?.[0]; // prettier-ignore
  return next !== undefined && open.hasRelation && !/^\s*[=∈]/.test(next);
}

const space = /[\s~\u200b]+/y;
const number = /\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e[-+]?\d+)?/y;
const command = /\\(?:[A-Za-z]+\*?|[\s\S])/y;

function matched(pattern: RegExp, text: string, at: number, end: number): string | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  return found !== undefined && at + found.length <= end ? found : undefined;
}

function oneToken(
  cut: Cutting,
  at: number,
  end: number,
  call: TextRange | undefined,
  depth: number,
): number | undefined {
  const { text } = cut;
  const blank = matched(space, text, at, end);
  if (blank !== undefined) {
    cut.spaced = true;
    return at + blank.length;
  }
  const first = text.charAt(at);
  if (text.startsWith('...', at)) {
    put(cut, 'dots', '…', call ?? { start: at, end: at + 3 });
    return at + 3;
  }
  if (first === '\\') return oneCommand(cut, at, end, call, depth);
  const word = /[A-Za-z]/.test(first) ? matched(functions, text, at, end) : undefined;
  const digits = word === undefined && /\d/.test(first) ? matched(number, text, at, end) : undefined;
  const point = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const found = word ?? digits ?? point;
  const range = call ?? { start: at, end: at + found.length };
  // `65M` parameters.
  const unit = digits !== undefined && digits.length > 1 ? /^[MB](?![A-Za-z_^'{(\\])/.exec(text.slice(at + digits.length, Math.min(end, at + digits.length + 2)))?.[0] : undefined; // prettier-ignore
  if (digits !== undefined && unit !== undefined) {
    put(cut, 'number', String(Number(digits.replaceAll(',', '')) * (unit === 'M' ? 1e6 : 1e9)), call ?? { start: at, end: at + digits.length + 1 }, at); // prettier-ignore
    cut.spaced = false;
    return at + digits.length + 1;
  }
  if (first === '%') return skipComment(text, at, end);
  const below = found === '_' ? wordBelow(text, at, end) : undefined;
  if (below !== undefined) {
    put(cut, 'sub', '_', range);
    put(cut, 'word', below, call ?? { start: at + 1, end: at + 1 + below.length });
    return at + 1 + below.length;
  }
  if (word === 'where') put(cut, 'sign', ',', range);
  else put(cut, word ? (/^(?:max|min)$/.test(word) ? 'big' : word === 'sqrt' ? 'root' : 'word') : digits ? 'number' : (single.get(found) ?? (/\p{L}/u.test(found) ? 'name' : 'unread')), found === '−' ? '-' : /^[，、；]$/.test(found) ? ',' : found, range, at); // prettier-ignore
  cut.spaced = false;
  return at + found.length;
}

/** `model` of `d_model`, which LaTeX prints as d_m odel. Letters that may be factors and their indices are left as they are. */
function wordBelow(text: string, at: number, end: number): string | undefined {
  const found = matched(/_[a-z]{2,}(?![A-Za-z_({\\])/y, text, at, end)?.slice(1);
  const before = text.charAt(at - 1);
  return found !== undefined && isLabel(found, before) ? found : undefined;
}

function skipComment(text: string, at: number, end: number): number {
  const line = text.indexOf('\n', at);
  return line < 0 || line > end ? end : line;
}

function oneCommand(
  cut: Cutting,
  at: number,
  end: number,
  call: TextRange | undefined,
  depth: number,
): number | undefined {
  const { text, macros } = cut;
  const found = matched(command, text, at, end) ?? '\\';
  const name = found.slice(1);
  const after = at + found.length;
  const range = call ?? { start: at, end: after };
  const macro = macros.get(name);
  if (macro) return expanded(cut, macro, after, end, { start: at, end: after }, call, depth);
  const isOne =
    /^(?:mathbf|boldsymbol|mathbb)$/.test(name) && /^\s*\{1\}/.test(text.slice(after, Math.min(end, after + 4)));
  if (isOne) return ones(cut, at, after, end, call);
  const letter = bolds.has(name) ? /^\s*(?:\{\s*)?(?=[A-Za-z](?:\s*\}|[^A-Za-z{}]|$))/.exec(text.slice(after, Math.min(end, after + 12)))?.[0].length : undefined; // prettier-ignore
  if (letter !== undefined) cut.bold = after + letter;
  if (name === 'mathbf' && boldWord.test(text.slice(after, Math.min(end, after + 12)))) return wordArgument(cut, at, after, end, call); // prettier-ignore
  if (/^[,;:! ]$/.test(name) || styles.has(name) || name === '') {
    cut.spaced = true;
    return skipDot(text, name, after);
  }
  if (name === 'quad' || name === 'qquad') {
    const note = call === undefined && cut.open.hasRelation ? shapeNote(text, after, end) : undefined;
    if (note !== undefined) {
      put(cut, 'sign', ':', range);
      put(cut, 'open', '(', { start: after + note - 1, end: after + note });
      return after + note;
    }
    if (call === undefined && divides(cut, after, end)) put(cut, 'sign', ',', range);
    cut.spaced = true;
    return after;
  }
  if (name === '\\') put(cut, 'row', name, range);
  else if (name === 'begin' || name === 'end') return environment(cut, name, after, end, range, call);
  else if (wordCommands.has(name)) return wordArgument(cut, at, after, end, call);
  else if (name === 'mathbb') return blackboard(cut, at, after, end, call);
  else if (name === 'colorbox' || name === 'textcolor' || name === 'fcolorbox')
    return wordArgument(cut, at, afterGroup(text, after, end), end, call);
  else if (skipped.has(name)) return afterGroup(text, after, end);
  else if (definitions.has(name)) return afterDefinition(text, after, end);
  else if (braces.has(name)) return besidesItsNote(cut, after, end, call, depth);
  else if (/^x[a-zA-Z]*arrow$/.test(name)) return noted(cut, after, end, range);
  else if (/^(?:R|RR|IR|Reals?|reals)$/.test(name)) put(cut, 'name', 'ℝ', range);
  // A macro of a preamble that is another file, named as what it stands for.
  else if (
    /^(?:softmax|Softmax|[Aa]ttention|[Aa]ttn|MultiHead|MHA|[Cc]oncat|LayerNorm|layernorm|RMSNorm|diag|relu|ReLU|gelu|GELU|sigmoid|head)$/.test(
      name,
    )
  )
    put(cut, 'word', name, range);
  else {
    const sign = signs.get(name);
    const greek = greekLetters.get(name);
    if (sign) put(cut, sign[0], sign[1], range);
    else put(cut, accents.has(name) ? 'accent' : greek ? 'name' : 'unread', greek ?? (accents.has(name) ? (name === 'overrightarrow' ? 'vec' : name) : found), range); // prettier-ignore
  }
  cut.spaced = false;
  return after;
}

/** How long `(` or `(\text{Shape: }` is, which leads to the shape of what is said before it. */
function shapeNote(text: string, at: number, end: number): number | undefined {
  // `\quad (n \times d_k)`, as the last that is said.
  const note = text.slice(at, Math.min(end, at + 90));
  const written = /^\s*\((?=[^()]*\\times)(?:\\(?:times|cdot|text|mathrm)\b|[\w\s{}])+\)\s*[.,]?\s*(?:$|\\\\|\\q?quad\b)/.test(note); // prettier-ignore
  if (written) return note.indexOf('(') + 1;
  return /^\s*\(\s*\\(?:text|textrm|mathrm)\{\s*(?:[Ss]hape|[Ss]ize|[Dd]im(?:ension)?s?)\s*(?::|is)?\s*\}\s*:?/.exec(note.slice(0, 60))?.[0].length; // prettier-ignore
}

/** `\left.` draws nothing. */
const skipDot = (text: string, name: string, at: number): number =>
  (name === 'left' || name === 'right') && text.charAt(at) === '.' ? at + 1 : at;

/** The first offset behind a group in braces, or `at` where none stands there. */
function afterGroup(text: string, at: number, end: number): number {
  const group = groupAt(text, at, end);
  return group ? group.end + 1 : at;
}

/** `\newcommand{\R}{\mathbb{R}}` inside a formula: its names and bodies are no part of it. */
function afterDefinition(text: string, at: number, end: number): number {
  let after = at;
  for (let i = 0; i < 4; i++) {
    const part = /^\s*(?:\\[A-Za-z]+|\[\d\]|(?:#\d)+)/.exec(text.slice(after, Math.min(end, after + 60)))?.[0];
    const group = part === undefined ? groupAt(text, after, end) : undefined;
    if (part === undefined && !group) break;
    after = group ? group.end + 1 : after + (part ?? '').length;
    if (group && !/^\s*\\[A-Za-z]+\s*$/.test(text.slice(group.start, group.end))) break;
  }
  return after;
}

/** `\underbrace{A}_{\text{weights}}` is A; `\stackrel{\text{def}}{=}` is what stands last. */
function besidesItsNote(
  cut: Cutting,
  at: number,
  end: number,
  call: TextRange | undefined,
  depth: number,
): number | undefined {
  const first = groupAt(cut.text, at, end);
  if (!first) return at;
  const second = groupAt(cut.text, first.end + 1, end);
  const whole = second ?? first;
  const script = second ? undefined : /^\s*[_^]\s*/.exec(cut.text.slice(whole.end + 1, Math.min(end, whole.end + 12)))?.[0]; // prettier-ignore
  const after = whole.end + 1 + (script ?? '').length;
  const below = script === undefined ? undefined : groupAt(cut.text, after, end);
  const note = second ? first : below;
  const sizes = note && isOneName(cut.text, whole) && areSizes(cut.text, note) ? note : undefined;
  if (depth >= deepest || !between(cut, whole, sizes !== undefined, call, depth)) return undefined;
  if (sizes) {
    put(cut, 'sub', '_', call ?? sizes);
    if (!between(cut, sizes, true, call, depth)) return undefined;
  }
  return script === undefined ? whole.end + 1 : below ? below.end + 1 : after + 1;
}

/** What stands in a group, in braces or without them. */
function between(
  cut: Cutting,
  { start, end }: TextRange,
  inBraces: boolean,
  call: TextRange | undefined,
  depth: number,
): boolean {
  if (inBraces) put(cut, 'begin-group', '{', call ?? { start: start - 1, end: start });
  const isRead = cutInto(cut, start, end, call, depth + 1);
  if (inBraces) put(cut, 'end-group', '}', call ?? { start: end, end: end + 1 });
  return isRead;
}

const longestNote = 80;

/** `Q`, `\mathbf{K}^T`, `W_Q`: of several factors the sizes below are those of their product, which nothing here is called. */
const isOneName = (text: string, { start, end }: TextRange): boolean =>
  end - start < longestNote &&
  /^\s*(?:\\(?:mathbf|bm|boldsymbol)\s*)?\{?\s*[A-Z]\s*\}?(?:\s*[_^]\s*(?:\{[^{}]*\}|\\top|\w))*\s*$/.test(
    text.slice(start, end),
  );

/** `n \times d_k`. */
const areSizes = (text: string, { start, end }: TextRange): boolean =>
  end - start < longestNote &&
  /^(?=.*\\times)(?:\\(?:times|cdot|text|mathrm)\b|[\w\s{}()])+$/.test(text.slice(start, end));

/** `\xrightarrow{\text{softmax}}`: an arrow. */
function noted(cut: Cutting, at: number, end: number, range: TextRange): number {
  put(cut, 'sign', '→', range);
  cut.spaced = false;
  return afterGroup(cut.text, at, end);
}

function environment(
  cut: Cutting,
  name: string,
  at: number,
  end: number,
  range: TextRange,
  call: TextRange | undefined,
): number {
  const group = groupAt(cut.text, at, end);
  const which = group ? cut.text.slice(group.start, group.end) : '';
  let after = group ? group.end + 1 : at;
  put(cut, name as 'begin' | 'end', which, call ?? { start: range.start, end: after });
  cut.spaced = false;
  if (name === 'begin' && /^(?:array|tabular|alignat\*?)$/.test(which)) after = afterGroup(cut.text, after, end);
  return after;
}

/** A word in braces; what is no word is read as it stands. */
function wordArgument(cut: Cutting, at: number, after: number, end: number, call: TextRange | undefined): number {
  const group = groupAt(cut.text, after, end);
  if (!group) return after;
  const raw = cut.text.slice(group.start, group.end).replace(/\\(?:bf|rm|it|sf|tt|cal|em|bfseries)(?![A-Za-z])/g, ' ').replace(/\\[,;:! ]|~|-/g, ' ').replace(/[\s{}]+/g, ' ').trim(); // prettier-ignore
  const range = call ?? { start: at, end: group.end + 1 };
  if (/[\\$]/.test(raw)) return after;
  if (raw === 'T' || raw === '⊤') put(cut, 'transpose', 'T', range);
  else if (/^(?:max|min)$/.test(raw)) put(cut, 'big', raw, range);
  else if (/^\p{L}$/u.test(raw)) put(cut, 'name', raw, range);
  else if (/^[-–—]+$/.test(cut.text.slice(group.start, group.end).trim())) put(cut, 'rule', '-', range);
  // `\text{for all heads}` begins no factor.
  // `\text{where head}_i`.
  else if (/^where head$/.test(raw)) {
    put(cut, 'sign', ',', range);
    put(cut, 'word', 'head', range);
  } else if (/^(?:for|where|with|when|since) \p{L}+(?: \p{L}+)*$/u.test(raw)) put(cut, 'sign', ',', range);
  // `\text{(Query)}` is a note.
  else if (raw === '' || /^[\p{L} ]+:$/u.test(raw) || /^\([\p{L} ,]+\)$/u.test(raw)) cut.spaced = true;
  else if (/^(?:and|or|where|with|for|i\.e\.|s\.t\.)$/.test(raw)) put(cut, 'sign', ',', range);
  else if (/^\d+(\.\d+)?$/.test(raw)) put(cut, 'number', raw, range);
  else if (/^\p{L}+ ?_ ?\w$/u.test(raw)) {
    // `\mathrm{head_1}`.
    const [name = '', below = ''] = raw.split(/ ?_ ?/);
    put(cut, name.length === 1 ? 'name' : 'word', name, range);
    put(cut, 'sub', '_', range);
    put(cut, /\d/.test(below) ? 'number' : 'name', below, range);
  } else put(cut, 'word', raw, range);
  cut.spaced = false;
  return group.end + 1;
}

function blackboard(cut: Cutting, at: number, after: number, end: number, call: TextRange | undefined): number {
  const group = groupAt(cut.text, after, end);
  const single = /\S/.exec(cut.text.slice(after, Math.min(end, after + 4)));
  const to = group ? group.end + 1 : after + (single ? single.index + 1 : 0);
  const letter = group ? cut.text.slice(group.start, group.end).trim() : (single?.[0] ?? '');
  const range = call ?? { start: at, end: to };
  if (letter === 'R') put(cut, 'name', 'ℝ', range);
  else put(cut, 'unread', `\\mathbb{${letter}}`, range);
  cut.spaced = false;
  return to;
}

/** A bold 1 is a vector of ones. */
function ones(cut: Cutting, at: number, after: number, end: number, call: TextRange | undefined): number {
  const to = afterGroup(cut.text, after, end);
  put(cut, 'name', '𝟙', call ?? { start: at, end: to });
  cut.spaced = false;
  return to;
}

/** A macro's body where it is called; its arguments keep their own places. */
function expanded(
  cut: Cutting,
  macro: { readonly body: string; readonly arguments: number },
  at: number,
  end: number,
  range: TextRange,
  call: TextRange | undefined,
  depth: number,
): number | undefined {
  // prettier-ignore
  if (depth >= deepest) return undefined;
  const given: TextRange[] = [];
  let after = at;
  for (let i = 0; i < macro.arguments; i++) {
    const group = groupAt(cut.text, after, end) ?? nextLetter(cut.text, after, end);
    if (!group) return undefined;
    given.push(group);
    after = cut.text.charAt(group.end) === '}' ? group.end + 1 : group.end;
  }
  const whole = { start: range.start, end: after };
  for (const piece of macro.body.split(/(#\d)/)) {
    const own = /^#\d$/.test(piece) ? given[Number(piece.charAt(1)) - 1] : undefined;
    const inner: Cutting = own ? cut : { ...cut, text: piece };
    const place = own ? call : (call ?? whole);
    if (!cutInto(inner, own ? own.start : 0, own ? own.end : piece.length, place, depth + 1)) return undefined;
    if (inner !== cut) cut.steps = inner.steps;
  }
  return after;
}

function nextLetter(text: string, at: number, end: number): TextRange | undefined {
  let start = at;
  while (start < end && /\s/.test(text.charAt(start))) start++;
  return start < end ? { start, end: start + 1 } : undefined;
}
