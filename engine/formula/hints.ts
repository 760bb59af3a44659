/** Shapes beside the names of formulas, and that of the whole behind it, for an editor that shows them in the line. */
import { formatShape, type Shape } from '../program';
import { positionAt, type TextRange } from '../text';
import type { Formula, Formulas } from './formulas';
import { reasonOf } from './reason';
import { bare, childrenOf, statements, type Expression, type SymbolPart } from './tree';

export interface FormulaHint {
  /** Behind what it says something of. */
  readonly at: number;
  /** `m×d_k` behind a name, `= m×n` behind a formula; with `~` where it follows from how such names are used, not from the text. */
  readonly label: string;
  /** Where the shape comes from. Empty for a whole. */
  readonly why: string;
}

/** More would be a wall of shapes. */
const most = 400;

/** Of the formulas that touch a range: each name once in a formula, at its first place. */
export function hintsOf(text: string, found: Formulas, within: TextRange): readonly FormulaHint[] {
  const all: FormulaHint[] = [];
  for (const formula of found.formulas) {
    if (formula.outer.end < within.start || formula.outer.start > within.end) continue;
    if (formula.status !== 'understood' || formula.isSize || !formula.expression) continue;
    all.push(...namesIn(text, found, formula, formula.expression), ...wholeOf(formula, formula.expression));
    if (all.length > most) break;
  }
  return all.slice(0, most).sort((a, b) => a.at - b.at);
}

function namesIn(text: string, { read: { document } }: Formulas, formula: Formula, of: Expression): FormulaHint[] {
  const shapes = new Map(formula.parts.map(({ expression, shape }) => [expression, shape]));
  const guesses = new Set(formula.parts.flatMap(({ expression, isUsual }) => (isUsual ? [expression] : [])));
  const seen = new Set<string>();
  const hints: FormulaHint[] = [];
  const pending = [of];
  for (let at = pending.pop(); at && hints.length < most; at = pending.pop()) {
    if (at.kind === 'symbol') {
      const hint = named(at);
      if (hint) hints.push(hint);
    } else if (!saysItself(at)) pending.push(...[...childrenOf(at)].reverse());
  }
  return hints;

  function named(at: SymbolPart): FormulaHint | undefined {
    const shape = shapes.get(at);
    const written = text.slice(at.range.start, at.range.end);
    // Names of a macro's body stand where it is called, all of them at one place.
    if (!isWorthSaying(shape) || at.sizes || seen.has(written) || at === bare(of) || !isOneName(at, written))
      return undefined;
    seen.add(written);
    const usual = guesses.has(at);
    const why = reasonOf(document, at, usual, (offset) => positionAt(text, offset).line, formatShape(shape));
    return { at: at.range.end, label: (usual ? '~' : '') + formatShape(shape), why };
  }
}

/** `Q ∈ ℝ^{n×d}` has its shape beside it. */
const saysItself = (of: Expression): boolean =>
  of.kind === 'space' || (of.kind === 'relation' && of.signs.every((sign) => sign === '∈' || sign === ':'));

const isWorthSaying = (shape: Shape | undefined): shape is Shape =>
  shape !== undefined && shape.length > 0 && !/^\w*\?$/.test(formatShape(shape));

/** The name as it is written, also by a command of its own (`\alpha`, `\mathbf{Q}`), and not what a macro with other letters stands for. */
const isOneName = ({ name }: SymbolPart, written: string): boolean => {
  const letter = name.charAt(0);
  return written.length < 60 && (written.includes(letter) || /[^A-Za-z]/.test(letter));
};

function wholeOf({ outer, shapes, assumed }: Formula, of: Expression): FormulaHint[] {
  const [shape, more] = shapes;
  if (more !== undefined || !isWorthSaying(shape) || statements(of).every(saysItself)) return [];
  return [{ at: outer.end, label: `= ${assumed ? '~' : ''}${formatShape(shape)}`, why: '' }];
}
