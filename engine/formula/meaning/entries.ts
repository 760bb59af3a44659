/** Sums over an index, powers and exponents: what is one component of a vector there. */
import { formatShape, same, type Shape } from '../../program';
import { t } from '../../text';
import { bare, keyOf, type Expression, type Product, type Sigma, type SymbolPart } from '../tree';
import { add, asOf, type Reading, shapeOf } from './context';
import { sectionOf } from './evidence';
import { indexedKey } from './names';
import { isCount, isOpen, numberOf, resolved, sizeOf, soleName } from './sizes';

export function ofSigma(r: Reading, { of, index, to }: Sigma): Shape | undefined {
  const body = bare(of);
  if (index !== undefined && to) checkRange(r, body, index, to);
  // q_i k_i under a sum over i: components of two vectors.
  if (index !== undefined && body.kind === 'product' && body.factors.length > 1 && !weighsVectors(r, body) && body.factors.every((f) => isComponent(f, index))) return components(r, body); // prettier-ignore
  return shapeOf(r, of);
}

/** Σ_{j=1}^{m} … v_j, where the text says that V has n rows. */
function checkRange(r: Reading, body: Expression, index: string, to: Expression): void {
  const { sizes, declared } = r.document;
  const end = sizeOf(sizes, to);
  const factors = body.kind === 'product' ? body.factors : [body];
  for (const one of factors) {
    const at = bare(one);
    const by = at.kind === 'symbol' && at.index?.length === 1 ? at.index[0] : undefined;
    if (end === undefined || at.kind !== 'symbol' || by?.kind !== 'symbol' || by.name !== index) continue;
    const said = asOf(declared.get(keyOf({ ...at, name: at.name.toUpperCase() })), r.at);
    if (!said || said.inferred || sectionOf(r.document, said.at) !== sectionOf(r.document, r.at)) continue;
    const { shape } = said;
    const counts = shape.map((dim) => resolved(sizes, dim)).filter((dim) => isCount(soleName(dim) ?? 'd'));
    const [count] = counts;
    const both = [count, end].map((dim) => dim && numberOf(sizes, dim));
    const isOther = both.every((n) => n !== undefined) ? both[0] !== both[1] : typeof end !== 'number' && isCount(soleName(end) ?? 'd'); // prettier-ignore
    if (shape.length !== 2 || counts.length !== 1 || count === undefined || isOpen(count) || !isOther || same(count, end) === true) continue; // prettier-ignore
    r.problems.push({ code: 'formula-range', message: t('the sum runs to {0}, and {1} has {2} of {3}', formatShape([end]), at.name.toUpperCase(), formatShape([count]), at.name), range: to.range }); // prettier-ignore
  }
}

/** Σ α_i v_i: weights of vectors, where Σ w_i x_i may be components of two. */
function weighsVectors(r: Reading, { factors }: Product): boolean {
  const [weight, vector] = factors.map((one) => (one.kind === 'symbol' ? one : undefined));
  if (!weight || !vector || factors.length !== 2 || !/^[α-ωabpsw]$/.test(weight.name)) return false;
  const isSaid = r.document.declared.get(indexedKey(vector))?.some(({ shape }) => shape.length === 1) === true;
  return isSaid || vector.name === 'v' || (/^[αβa]$/.test(weight.name) && /^[xhyzk]$/.test(vector.name));
}

const isComponent = (of: Expression, index: string): boolean =>
  of.kind === 'symbol' && of.index?.length === 1 && of.index[0]?.kind === 'symbol' && of.index[0].name === index && /^[a-zα-ω]$/.test(of.name); // prettier-ignore

function components(r: Reading, { factors }: Product): Shape {
  for (const factor of factors) component(r, factor);
  return [];
}

export function component(r: Reading, of: Expression): Shape {
  r.shapes.set(of, []);
  if (of.kind === 'symbol') add(r.document.components, indexedKey(of), of.range.start);
  return [];
}

/** Whether what was last said of a name before this place made it a component. */
export function isEntry({ document: { components, declared }, at }: Reading, of: SymbolPart): boolean {
  const last = components.get(indexedKey(of))?.findLast((place) => place < at) ?? -1;
  return last > (declared.get(indexedKey(of))?.findLast((one) => one.at < at)?.at ?? -1);
}

export function ofPower(r: Reading, base: Expression, exponent: Expression): Shape | undefined {
  // Queries are not multiplied by themselves: the number counts something that the text does not name.
  if (base.kind === 'symbol' && /^[QKV]$/.test(base.name) && exponent.kind === 'number') return undefined;
  const isExp = base.kind === 'symbol' && base.name === 'e';
  if (!isExp) return shapeOf(r, base);
  if (base.index) return [];
  return ofExponent(r, exponent);
}

/** `e^{x_i}`: a component; other exponents have the shape that they have. */
export function ofExponent(r: Reading, exponent: Expression): Shape | undefined {
  const of = bare(exponent);
  const isEntry = (at: Expression): boolean =>
    at.kind === 'symbol' && at.index?.length === 1 && /^[a-zα-ω]$/.test(at.name);
  // `x_i/T`: of a temperature.
  const whole = of.kind === 'quotient' && /^(?:symbol|number)$/.test(bare(of.under).kind) ? bare(of.over) : of;
  const parts = whole.kind === 'sum' ? whole.terms : [whole];
  const entry = parts.find(isEntry);
  if (!entry) return shapeOf(r, exponent);
  return component(r, entry);
}
