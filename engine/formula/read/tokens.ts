/** What both notations are cut into before they are parsed. */
import type { TextRange } from '../../text';

export type TokenKind =
  | 'name'
  | 'word'
  | 'number'
  | 'sign'
  | 'open'
  | 'close'
  /** Braces, which are not seen in a formula. */
  | 'begin-group'
  | 'end-group'
  | 'sub'
  | 'sup'
  | 'prime'
  | 'frac'
  | 'root'
  | 'big'
  | 'dots'
  | 'rule'
  | 'infinity'
  | 'transpose'
  | 'cell'
  | 'row'
  | 'begin'
  | 'end'
  | 'accent'
  | 'unread';

export interface Token extends TextRange {
  readonly kind: TokenKind;
  readonly text: string;
  /** White space before it. */
  readonly spaced?: boolean;
  /** One bold letter: of texts that tell a vector from a size so. */
  readonly bold?: boolean;
}

/** Words that are functions however they are written: also as letters side by side. */
export const functions = /(?:[Ss]oftmax|sigmoid|LayerNorm|RMSNorm|MultiHeadAttention|MultiHead|Attention|attention|[Cc]oncat|exp|sin|cos|tanh|log|max|min|sqrt|Mask(?:ed)?(?=\s*(?:\\left\s*)?\()|ReLU|GELU|RoPE|PE(?=\s*_)|scores?(?=\s*[_(])|pos|where|and(?=\s*\\q?quad)|[a-z]{8,}|(?:[A-Z][a-z]{2,}){2,}(?=\s*\()|(?:Group|align)(?=\s*[_(])|[Hh]ead(?=\s*(?:\\left\s*\.)?\s*_))(?![a-z])/y; // prettier-ignore

const labels = new Set('model head heads ff in out key keys val value values query emb embed enc dec seq max vocab dim hidden inner attn mask proj kv qk mem src tgt batch'.split(' ')); // prettier-ignore

/** Whether letters below a name are a word: of a list, or (`K_{pool}`, `Q_{The}`) such that some of them count nothing. `w_{in}` has two indices, `d_{in}` one size. */
export const isLabel = (below: string, base: string): boolean =>
  (labels.has(below) && (below.length > 2 || /^[dDnNCFLHGTSB]$/.test(base))) ||
  (/^(?!.*([a-z]).*\1.*\1)[A-Za-z]{3,}$/.test(below) && /[^ijklmnpqrstuvxy]/.test(below));

const greek = 'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi varphi chi psi omega'.split(' '); // prettier-ignore
const letters = 'αβγδεεζηθϑικλμνξπρστυφϕχψω';

export const greekLetters: ReadonlyMap<string, string> = new Map([
  ...greek.map((name, i) => [name, letters[i] ?? name] as const),
  ...([['Phi', 'Φ'], ['Psi', 'Ψ'], ['Theta', 'Θ'], ['Omega', 'Ω'], ['Sigma', 'Σ'], ['Delta', 'Δ'], ['Lambda', 'Λ'], ['Gamma', 'Γ'], ['ell', 'ℓ'], ['Pi', 'Π']] as const),
]); // prettier-ignore
