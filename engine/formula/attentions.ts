/** Formulas that compute attention by themselves: where each stands, and what shape it has. */
import { formatShape, findAttention } from '../program';
import { t, type Paced, type TextRange } from '../text';
import type { Formula, Formulas } from './formulas';
import { build, hasSoftmax, newBuilder, NoGraph, type Literals } from './graph';
import { statements, bare, partsOf, type Expression } from './tree';
import { writtenPlainly } from './written';

export interface AttentionFormula {
  /** Which one it is in `Formulas.formulas`. */
  readonly at: number;
  /** With its signs. */
  readonly range: TextRange;
  /** In one line of plain signs: `softmax(QKᵀ/√d_k)V`. */
  readonly title: string;
  /** Of what the title says: `m×d_v`. Empty where it is not known. */
  readonly shape: string;
}

const isCall = /soft ?max|attention|^attn|multi ?head/i;

/** Whether it has what computes attention, not only a name that stands for it. */
export function computesAttention({ expression }: Pick<Formula, 'expression'>): boolean {
  if (!expression || expression.kind === 'symbol') return false;
  for (const part of partsOf(expression)) {
    if (part.kind === 'call' && isCall.test(part.name)) return true;
    if (part.kind === 'sigma' && part.of.kind === 'product') return true;
    if (part.kind === 'quotient' && bare(part.under).kind === 'sigma') return true;
  }
  return false;
}

/** All of a document, in reading order, with places to stop. */
export function* attentionFormulas(found: Formulas, literals: Literals): Paced<readonly AttentionFormula[]> {
  const all: AttentionFormula[] = [];
  for (const [at, formula] of found.formulas.entries()) {
    const made = formula.status === 'understood' && computesAttention(formula) ? attentionOf(found, formula, literals) : undefined; // prettier-ignore
    if (made) all.push({ at, range: formula.outer, ...made });
    if (all.length === most) break;
    yield;
  }
  return all;
}

/** More would be a list of formulas, not a text. */
const most = 100;

function attentionOf(
  { read: { document } }: Formulas,
  formula: Formula,
  literals: Literals,
): Pick<AttentionFormula, 'title' | 'shape'> | undefined {
  const all = formula.expression ? statements(formula.expression) : [];
  for (const statement of [...all].reverse()) {
    const b = newBuilder(document, literals);
    try {
      build(b, statement);
    } catch (error) {
      if (error instanceof NoGraph) continue;
      throw error;
    }
    if (findAttention(b.maker.graph, true).length > 0) return titled(formula, statement);
  }
  return undefined;
}

/** Of a definition the side that computes, or as much of it as one line can show, and the shape of that. */
function titled(formula: Formula, of: Expression): Pick<AttentionFormula, 'title' | 'shape'> {
  const sides = of.kind === 'relation' ? of.sides : [of];
  const side = sides.find(hasSoftmax) ?? sides.findLast((one) => one.kind !== 'symbol') ?? of;
  for (const part of partsOf(side)) {
    const isPart = part !== side && !hasSoftmax(part);
    const title = isPart ? undefined : writtenPlainly(part, 48);
    if (title !== undefined) return { title, shape: shapeIn(formula, part) };
  }
  return { title: '', shape: '' };
}

/** A guess says that it is one. */
function shapeIn({ parts }: Formula, of: Expression): string {
  const found = parts.find(({ expression }) => expression === of);
  const written = found?.shape.length === 2 && found.shape.some((dim) => dim !== 1) ? formatShape(found.shape) : '?';
  if (/(?:^|×)\?/.test(written)) return '';
  return found?.isUsual ? t('usual: {0}', written) : written;
}
