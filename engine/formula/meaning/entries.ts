/** Sums over an index, powers and exponents: what is one component of a vector there. */
import { type Shape } from '../../program';
import { bare, type Expression, type Product } from '../tree';
import { add, type Reading, shapeOf } from './context';
import { indexedKey } from './names';

export function ofSigma(r: Reading, of: Expression, index: string | undefined): Shape | undefined {
  const body = bare(of);
  // q_i k_i under a sum over i: components of two vectors.
  if (index !== undefined && body.kind === 'product' && body.factors.length > 1 && !weighsVectors(r, body) && body.factors.every((f) => isComponent(f, index))) return components(r, body); // prettier-ignore
  return shapeOf(r, of);
}

/** Σ α_i v_i: weights of vectors, where Σ w_i x_i may be components of two. */
function weighsVectors(r: Reading, { factors }: Product): boolean {
  const [weight, vector] = factors.map((one) => (one.kind === 'symbol' ? one : undefined));
  if (!weight || !vector || factors.length !== 2 || !/^[αβλabpsw]$/.test(weight.name)) return false;
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
  const parts = of.kind === 'sum' ? of.terms : [of];
  const entry = parts.find(isEntry);
  if (!entry) return shapeOf(r, exponent);
  return component(r, entry);
}
