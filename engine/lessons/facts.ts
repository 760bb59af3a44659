import { formatShape } from '../math';
import type { AttentionTrace } from '../run';
import { arithmeticOf } from './arithmetic';
import type { Claim, Traces } from './claim';
import { showNumber } from './fill';
import { cellsOf, stepNamed, valueOf, type Part, type Quantity } from './quantity';

/** Most values of a part, and most claims, that are written out. */
const mostValues = 16;
const mostClaims = 8;

/** A row or a column with its numbers: `weights[3] = 0  0.78  0.22`. Empty if there is no such part. */
export function numbersOf(trace: AttentionTrace, part: Part, digits = 4): readonly string[] {
  const cells = cellsOf(trace, part);
  if (!cells.ok) return [];
  const shown = cells.value.slice(0, mostValues).map(({ value }) => showNumber(value, digits));
  const more = cells.value.length > mostValues ? ['…'] : [];
  return [`${nameOf(part)} = ${[...shown, ...more].join('  ')}`];
}

/** The name of a part: `weights[3]` for a row, `weights[·,1]` for a column, with the head first if there is one. */
function nameOf({ step, head, row, column }: Part): string {
  const last = column === undefined ? [row] : [row ?? '·', column];
  const places = [head, ...last].filter((i) => i !== undefined);
  return places.length ? `${step}[${places.join(',')}]` : step;
}

/** The numbers and shapes that decide the statements: one line for each, preceded by the numbers of those that it decides. */
export function factsOf(claims: readonly Claim[], traces: Traces): readonly string[] {
  const facts = claims.slice(0, mostClaims).map((claim) => factsOfClaim(claim, traces).join('; '));
  const decided = (by: string): string => facts.flatMap((fact, i) => (fact === by ? [i + 1] : [])).join(', ');
  return [...new Set(facts)].filter((fact) => fact !== '').map((fact) => `${decided(fact)}: ${fact}`);
}

function factsOfClaim(claim: Claim, traces: Traces): readonly string[] {
  switch (claim.is) {
    case 'equal':
    case 'less':
    case 'more':
      return [claim.value, claim.to].flatMap((of) => (typeof of === 'number' ? [] : quantityOf(of, claim, traces)));
    case 'shape':
      return shapesOf([claim.step], claim, traces);
    case 'product':
      return shapesOf(claim.of, claim, traces);
    case 'shows': {
      const trace = traces(claim.about);
      return trace.ok ? numbersOf(trace.value, claim) : [];
    }
    default:
      return [];
  }
}

function shapesOf(steps: readonly string[], { about }: { readonly about?: string }, traces: Traces): readonly string[] {
  const trace = traces(about);
  if (!trace.ok) return [];
  return steps.flatMap((id) => {
    const step = stepNamed(trace.value, id);
    return step.ok ? [`${id} ${formatShape(step.value.shape)}`] : [];
  });
}

function quantityOf(of: Quantity, { about }: { readonly about?: string }, traces: Traces): readonly string[] {
  const trace = traces(of.about ?? about);
  if (!trace.ok) return [];
  const { take = 'value', cell, step } = of;
  if (take === 'value' && cell) return arithmeticOf(trace.value, step, cell, 4);
  const value = valueOf(trace.value, of);
  const place = cell ? `${step}[${cell.join(',')}]` : nameOf(of);
  return value.ok ? [`${take} ${place} = ${showNumber(value.value, 4)}`] : [];
}
