import { t } from '../text/l10n';
import type { Plan, Step } from './plan';
import type { Formula } from './formula';
import type { StepWords } from './words';

/*
 * Tokens as columns, as papers that write W·x have them. Display only: values, indices and labels stay those of the rows. A matrix of tokens
 * keeps its letter and is drawn transposed, a product is written the other way round (S = KᵀQ, O = VA, Q = WX), and W_q, W_k, W_v, W_O are
 * drawn as they are stored.
 */

/** Whether a step's matrix is drawn transposed where tokens are columns: all but the weights that are multiplied with. */
export const turns = ({ id }: Pick<Step, 'id'>): boolean => !/^w[qkvo]$/.test(id);

/** The last two sizes exchanged where the matrix is drawn transposed. */
export function columnsShape(step: Pick<Step, 'id' | 'shape'>): readonly number[] {
  const [rows, columns] = [step.shape.at(-2), step.shape.at(-1)];
  if (!turns(step) || rows === undefined || columns === undefined) return step.shape;
  return [...step.shape.slice(0, -2), columns, rows];
}

/** A plan that reads with tokens as columns. */
export interface ColumnsPlan extends Plan {
  readonly columns: true;
}

/** The plan as it reads with tokens as columns: symbols, formulas, shapes and words. Shapes and labels as data stay as they are. */
export const asColumns = (plan: Plan): ColumnsPlan => ({ ...plan, columns: true, steps: plan.steps.map(columnsStep) });

export const hasColumns = (plan: Plan): plan is ColumnsPlan => 'columns' in plan;

/** One step of such a plan. */
export function columnsStep(step: Step): Step {
  const { formula, words } = step;
  const each = Object.entries(words).map(([key, text]) => [key, columnsWords(step, text)]);
  return {
    ...step,
    symbol: swapProduct(step.symbol),
    formula: columnsFormula(step, formula),
    shapes: columnsShapes(step),
    words: Object.fromEntries(each) as unknown as StepWords,
    // The ids' second column numbers the rows of the table, which are columns now.
    columnLabels: step.call.op === 'tokens' ? step.columnLabels.map(swapSides) : step.columnLabels,
  };
}

// --- formulas ---------------------------------------------------------------------

const sign = String.raw`(?:\\htmlClass\{[\w-]+\}\{(?:[^{}]|\{[^{}]*\})*\}|[A-Z](?:_\w)?)`;
const product = new RegExp(String.raw`(${sign})\\,(${sign})(\^\{\\top\})?`, 'g');

function columnsFormula(step: Step, { plain, roles }: Formula): Formula {
  return { plain: columnsLatex(step, plain), roles: columnsLatex(step, roles) };
}

function columnsLatex(step: Step, latex: string): string {
  const turned = latex
    .replace(product, (_, left: string, right: string, top?: string) => {
      // W is drawn as it is stored, K and V are not.
      const marked = right.includes('W_') === (top === undefined);
      return `${right}${marked ? '^{\\top}' : ''}\\,${left}`;
    })
    .replace(/_\{i(j|l'|l)\}/g, '_{$1i}')
    .replace(/_\{([^{},]+),([^{},]+)\}/g, '_{$2,$1}')
    .replace(`\\text{${t('row of')} }`, `\\text{${t('column of')} }`);
  return turns(step) ? turned.replace(/\^\{(.*?)(\d+) \\times (\d+)\}/g, '^{$1$3 \\times $2}') : turned;
}

// --- shapes -----------------------------------------------------------------------

/** `(6×8)·(8×6) → (6×6)`: the product's operands change places, and each shape is turned. */
function columnsShapes(step: Step): string {
  if (step.operands.length === 0) return turns(step) ? swapSizes(step.shapes) : step.shapes;
  return swapSides(swapSizes(step.shapes)).replace(/(\([^)]*\))·(\([^)]*\))/, '$2·$1');
}

/** `(2×6×8)` as `(2×8×6)`. */
const swapSizes = (text: string): string => text.replace(/\((.*?)(\d+)×(\d+)\)/g, '($1$3×$2)');

// --- words ------------------------------------------------------------------------

/** What rows and columns are called, singular before plural: each pair changes places. */
const sides = (): readonly (readonly [string, string])[] => [
  [t('row'), t('column')],
  [t('rows'), t('columns')],
  [t('Row'), t('Column')],
  [t('Rows'), t('Columns')],
];

/** Rows for columns and columns for rows, except in a quoted token and in “column vectors”. */
export function swapSides(text: string): string {
  const opposite = new Map(sides().flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));
  const words = new RegExp(
    `“[^”]*”|„[^“]*“|\\b(?:${t('column vectors')}|${t('column vector')})\\b|\\b(?:${[...opposite.keys()].join('|')})\\b`,
    'g',
  );
  return text.replace(words, (found) => opposite.get(found) ?? found);
}

/** `X·W_q` as `W_qᵀ·X`. */
const swapProduct = (text: string): string =>
  text.replace(/\b([A-Z])·(W_\w)(ᵀ?)/g, (_, left: string, right: string, top: string) =>
    top ? `${right}·${left}` : `${right}ᵀ·${left}`,
  );

/** A sentence about a step in rows as one in columns. */
export function columnsWords(step: Pick<Step, 'id'>, text: string): string {
  const product = text.replace(
    new RegExp(`^${t('Row {0} of {1} times {2}', '(“[^”]*”|\\S+)', '(.+?)', '(W_\\w)(ᵀ?)')}`),
    (_, row: string, of: string, weight: string, top: string) =>
      t('{0} times row {1} of {2}', `${weight}${top ? '' : 'ᵀ'}`, row, of),
  );
  const swapped = swapProduct(product);
  if (!turns(step)) return swapped;
  return swapSides(swapped)
    .replace(/^(\d+)×(\d+), (.*)$/, (whole, rows: string, columns: string, rest: string) => {
      const given = [t('as you gave it'), t('as you gave them')].find((words) => rest.startsWith(words));
      return given === undefined
        ? whole
        : t('{0}, what you gave, turned', `${columns}×${rows}`) + rest.slice(given.length);
    })
    .replace(t('stand side by side'), t('stand one below the other'))
    .replace(t('Side by side'), t('One below the other'));
}
