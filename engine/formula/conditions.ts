/** What compares counts and sets them: `S > 8 \cdot D`, `G = 1`, `G \le H`. It says nothing of a matrix. */
import type { ReadDocument } from './document';
import { keyOf, partsOf, type Expression, type Relation, type SymbolPart } from './tree';

const compares = /^[<>≤≥≪≫≈∼~≠]$/;

/** Letters that are counted with. `x = 3` may be a number of an example. */
const isCounted = ({ name, label }: SymbolPart): boolean =>
  /^(?:[A-Z]|[b-dg-pr-tu])$/.test(name) && label === undefined;

/** A condition on counts: letters without indices and numbers alone, of which the document says nothing else. */
export function isCondition({ declared, defined }: ReadDocument['document'], of: Expression): boolean {
  if (of.kind !== 'relation') return false;
  const isCount = (one: SymbolPart): boolean =>
    !one.index && isCounted(one) && !declared.has(keyOf(one)) && (defined.get(keyOf(one)) ?? []).every((each) => isOfCounts(each.of)); // prettier-ignore
  return isComparison(of) ? namesOf(of).every(isCount) : isSetting(of) && namesOf(of).every((one) => !one.index && isCounted(one) && !declared.has(keyOf(one))); // prettier-ignore
}

const namesOf = (of: Expression): readonly SymbolPart[] => [...partsOf(of)].flatMap((part) => (part.kind === 'symbol' ? [part] : [])); // prettier-ignore

/** Numbers, letters and what is counted with them: no brackets with commas, no functions, nothing that is turned. */
const isOfCounts = (of: Expression): boolean =>
  [...partsOf(of)].every(({ kind }) => /^(?:number|symbol|product|sum|quotient|power|relation|words)$/.test(kind)) &&
  (of.kind !== 'symbol' || !/^[QKVXW]$/.test(of.name));

const isComparison = (of: Relation): boolean =>
  isOfCounts(of) && of.signs.every((sign) => compares.test(sign) || sign === '=') && of.signs.some((sign) => compares.test(sign)); // prettier-ignore

/** `G = 1`: a whole number. `K = 1` where K is a matrix elsewhere is no statement on that. */
function isSetting({ sides: [left, right, more], signs }: Relation): boolean {
  return left?.kind === 'symbol' && right?.kind === 'number' && !more && signs[0] === '=' && Number.isInteger(right.value); // prettier-ignore
}
