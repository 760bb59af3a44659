/** Formulas, and parts of them, that say what an attention of the document computes. */
import type { Plan } from '../../plan';
import type { Formula } from '../formulas';
import { indexedKey } from '../meaning';
import { partsOf, statements, type Expression } from '../tree';
import type { OpenDocument } from '../whole';
import { writtenPlainly } from '../written';
import { isAlike } from './match';
import type { ModelledAttention, PlacePart } from './types';

/** Steps that a formula names: what is said of one attention's holds of another's of the document, where both do the same up to there. */
const named = ['x', 'wq', 'wk', 'wv', 'q', 'k', 'v', 'scores', 'scaled', 'masked', 'weights', 'output'];
const afterScores = ['scaled', 'masked', 'weights', 'output'];

/** Parts that stand for steps of the attentions, by what formulas of attention say and by the names of the document. */
export function formulaParts(
  document: OpenDocument,
  attentions: readonly (ModelledAttention | undefined)[],
  chosen: number,
): readonly PlacePart[] {
  const shown = attentions[chosen];
  if (!shown) return [];
  const general = attentions.flatMap((one) => (one?.from === 'formula' && one !== shown ? sameSteps(one, shown, chosen) : [])); // prettier-ignore
  return [...general, ...byNames(document, attentions, shown, chosen)];
}

/** Steps of a formula that are those of the attention that is shown: by their numbers, or where it has none of its own by what it says. */
function sameSteps(formula: ModelledAttention, shown: ModelledAttention, attention: number): readonly PlacePart[] {
  const ids = new Set(shown.plan.steps.map(({ id }) => id));
  const isOther = ['scaled', 'masked'].some((id) => has(formula.plan, id) && !ids.has(id));
  return formula.plan.steps.flatMap(({ id, range }): PlacePart[] => {
    const isNamed = named.includes(id) && ids.has(id) && !(isOther && afterScores.includes(id));
    const own = formula.known.find(({ step }) => step.id === id);
    const isIt = own ? shown.known.some((step) => isAlike(step, own)) : isNamed;
    return range && isIt ? [{ range, kind: 'formula', attention, step: id }] : [];
  });
}

const has = ({ steps }: Plan, id: string): boolean => steps.some((step) => step.id === id);

/** Parts of other formulas that are written as a step is, or have its name. A name that the document defines twice says nothing. */
function byNames(
  { found, attentions: ofFormulas, text }: OpenDocument,
  attentions: readonly (ModelledAttention | undefined)[],
  shown: ModelledAttention,
  attention: number,
): readonly PlacePart[] {
  const steps = new Map<string, string>();
  for (const one of attentions) {
    if (one !== shown && one?.from !== 'formula') continue;
    const parts = one === shown ? ownNames(shown) : sameSteps(one, shown, attention).map(({ range, step }) => [writtenAt(found.formulas, range.start, range.end), step] as const); // prettier-ignore
    for (const [name, step] of parts) if (name !== undefined && !steps.has(name)) steps.set(name, step);
  }
  if (shown.from === 'formula')
    for (const { id, range } of shown.plan.steps) {
      const name = range && writtenAt(found.formulas, range.start, range.end);
      if (name !== undefined && !steps.has(name)) steps.set(name, id);
    }
  const own = new Set(ofFormulas.map(({ at }) => at));
  return found.formulas.flatMap((formula, at) =>
    own.has(at) || formula.status !== 'understood' || formula.isSize || !formula.expression
      ? []
      : partsNamed(formula, formula.expression, steps, found.read.document.defined).map(
          ({ range, step }): PlacePart => ({ range, kind: 'formula', attention, step }),
        ),
  ).filter(({ range }) => text.slice(range.start, range.end).trim() !== ''); // prettier-ignore
}

/** What the attention calls its steps; X·W_q is also written as that. */
function ownNames({ plan }: ModelledAttention): readonly (readonly [string, string])[] {
  const nameOf = (id: string): string | undefined => plan.steps.find((step) => step.id === id)?.words.name;
  const x = nameOf('x');
  const products = ['q', 'k', 'v'].flatMap((id) => {
    const weight = nameOf(`w${id}`);
    if (x === undefined || weight === undefined || !nameOf(id)) return [];
    return [x, x.toLowerCase()].flatMap((of) => [[`${of}${weight}`, id] as const, [`${weight}${of}`, id] as const]);
  });
  const own = plan.steps.flatMap(({ id, words }) => (named.includes(id) ? [[words.name, id] as const] : []));
  return [...own.filter(([name]) => !/[\s(]/.test(name)), ...products];
}

/** Without counting letters and numbers: x_2 is a row of x. */
const uncounted = (written: string): string => written.replace(/_(?:\d+|[ijtnm]+)(?![A-Za-z0-9])/g, '');

function writtenAt(formulas: readonly Formula[], start: number, end: number): string | undefined {
  const formula = formulas.find(({ outer }) => outer.start <= start && end <= outer.end);
  if (!formula?.expression) return undefined;
  for (const part of partsOf(formula.expression))
    if (part.range.start === start && part.range.end === end) return writtenPlainly(part, 120);
  return undefined;
}

function partsNamed(
  formula: Formula,
  expression: Expression,
  steps: ReadonlyMap<string, string>,
  defined: ReadonlyMap<string, readonly unknown[]>,
): readonly { readonly range: PlacePart['range']; readonly step: string }[] {
  const found: { range: PlacePart['range']; step: string }[] = [];
  for (const statement of statements(expression))
    for (const part of partsOf(statement)) {
      if (part.kind === 'relation' || part.kind === 'list') continue;
      if (part.kind === 'symbol' && (defined.get(indexedKey(part))?.length ?? 0) > 1) continue;
      const written = writtenPlainly(part, 120);
      const step = written === undefined ? undefined : (steps.get(written) ?? steps.get(uncounted(written)));
      const inside = found.some(({ range }) => range.start === part.range.start && range.end === part.range.end);
      if (step !== undefined && !inside) found.push({ range: part.range, step });
    }
  return formula.parts.length === 0 ? [] : found;
}
