/** Functions: softmax, attention, Concat, scores. */
import { add, type Dim, type Shape, multiply } from '../../program';
import { t } from '../../text';
import { bare, type Call, type Expression } from '../tree';
import { shapeOf, type Reading } from './context';
import { isCount, isOpen, resolved, soleName, undecided, unify, writtenShape } from './sizes';
import { component, isEntry, ofExponent } from './entries';
import { guess } from './evidence';
import { equal, fits, formatted, misfit, problem, transposed } from './fit';
import { countUpTo, isAttended, isDots, ofList, within } from './grids';

export function ofCall(r: Reading, of: Call): Shape | undefined {
  const [only, more] = of.args;
  // softmax(x_i), where e^{x_i}/Σ e^{x_j} has said before that x_i is one number.
  if (only?.kind === 'symbol' && !more && /soft ?max/i.test(of.name) && isEntry(r, only)) return component(r, only);
  const start = r.ground.guesses;
  const shapes = of.args.map((arg) => (isDots(arg) ? undefined : shapeOf(r, arg)));
  const whole = ofFunction(r, of, shapes);
  if (!of.index) return whole;
  // `softmax(…)_{n \times m}`: its shape, written below.
  const [below] = of.index;
  if (below?.kind === 'product' && below.signs.includes('×')) {
    const said = writtenShape(r.document.sizes, below);
    const isUsual = r.ground.guesses > start;
    r.ground.guesses = start;
    if (whole && said && !isUsual && !equal(r, whole, said)) {
      problem(r, of.range, t('the two sides do not have one shape: {0} and {1}', formatted(r, whole), formatted(r, said))); // prettier-ignore
      return undefined;
    }
    return said;
  }
  // `Concat(…)_{i=1}^{h}`: as many as the number above says, side by side.
  if (/^concat/i.test(of.name) && of.index.some(({ kind }) => kind === 'relation'))
    return whole && [...whole.slice(0, -1), undecided];
  return whole ? within(whole, of.index) : of.index.length > 1 ? [] : undefined;
}

const elementwise = /^(?:soft ?max|sparsemax|exp|sin|cos|tanh|log|ln|sigmoid|(?:leaky ?)?relu|gelu|silu|dropout|layer ?norm\w*|rms ?norm|norm|mask\w*|causal ?mask|rope|sqrt|σ|φ|ϕ|sg|stop ?gradient|rowsoftmax|.*softmax.*)$/i; // prettier-ignore

function ofFunction(r: Reading, of: Call, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const [first] = of.args;
  if (/^concat/i.test(of.name)) return concatenated(r, of, shapes);
  if (elementwise.test(of.name)) {
    if (of.args.some(isDots)) return ofList(r, of.args);
    if (first && /^exp$/i.test(of.name)) return ofExponent(r, first);
    // σ(x), where the document speaks of μ: it may be the spread of the numbers of x.
    if (of.name === 'σ' && r.document.hasMean && first?.kind === 'symbol') guess(r);
    // softmax(z_1, z_2, z_3).
    if (of.args.length > 1 && /^(?:σ|.*soft ?max|sparsemax)$/i.test(of.name) && shapes.every((shape) => shape?.length === 0)) return [of.args.length]; // prettier-ignore
    // softmax(q, k_i): what is done with both is not said; φ({a_i}, {α_i}) is a function of its own.
    if (of.args.length > 1 && /^[σφϕ]$/.test(of.name)) return undefined;
    if (shapes.slice(1).some((shape) => shape && shape.length > 0)) return undefined;
    return shapes[0];
  }
  if (isAttended(of)) return attended(r, of, shapes);
  // Q(X): the queries that X makes.
  if (/^[QKV]$/.test(of.name) && of.args.length === 1)
    return shapeOf(r, { kind: 'symbol', name: of.name, range: of.range });
  if (
    /^(?:a|α|s|score|sim|align)$/i.test(of.name) &&
    shapes.length === 2 &&
    shapes.some((shape) => shape && isVector(shape)) &&
    shapes.every((shape) => shape && (shape.length === 0 || isVector(shape)))
  )
    return [];
  return undefined;
}

/** Also as one row or one column of a matrix. */
const isVector = (shape: Shape): boolean => shape.length === 1 || (shape.length === 2 && (shape[0] === 1 || shape[1] === 1)); // prettier-ignore

/** Attention of queries, keys and values, whatever it is called and in whichever order. */
function attended(r: Reading, of: Call, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const order = of.args.slice(0, 3).map((arg) => 'QKV'.indexOf(roleOf(arg)));
  const byName = order.every((at, i) => at >= 0 && order.indexOf(at) === i);
  const [q, k, v] = byName ? [0, 1, 2].map((at) => shapes[order.indexOf(at)]) : shapes;
  // Of vectors: a mix of values, which is as they are.
  if ([q, k, v].every((one) => one?.length === 1)) return v;
  if (!q || !k || !v || q.length < 2 || k.length !== q.length || v.length !== q.length) return undefined;
  // Which argument is which is not said, where they are not called so and are not all the same.
  if (!byName && shapes.some((shape) => shape && formatted(r, shape) !== formatted(r, q))) guess(r);
  // A column for each token: where only its own sizes say so.
  if ([q, k, v].every((one) => one.length === 2 && hasTokensAcross(r, one))) return [v[0] as Dim, q[1] as Dim];
  const [left, right] = [of.args[0], of.args[1]] as readonly Expression[];
  if (!fits(r, q.at(-1) as Dim, k.at(-1) as Dim) && left && right) return misfit(r, left, right, q, transposed(k) ?? k);
  unify(r.document.sizes, k.at(-2) as Dim, v.at(-2) as Dim);
  return [...q.slice(0, -1), v.at(-1) as Dim];
}

/** `d_k × n`. */
function hasTokensAcross({ document: { sizes } }: Reading, shape: Shape): boolean {
  const [down = '', across = ''] = shape.map((dim) => soleName(resolved(sizes, dim)) ?? '?');
  return !isCount(down) && isCount(across) && !isOpen(resolved(sizes, shape[1] as Dim));
}

/** What an argument is called: K of `K`, of `KW_i^K` and of `K_i`. */
function roleOf(of: Expression): string {
  const at = bare(of);
  const first = at.kind === 'product' ? at.factors[0] : at;
  return first?.kind === 'symbol' && /^[QKV]$/.test(first.name) ? first.name : ' ';
}

/** Side by side: rows stay, columns add up. */
function concatenated(r: Reading, of: Call, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const one = shapes.find((shape) => shape !== undefined);
  if (!one) return undefined;
  // Numbers side by side are a vector.
  if (one.length === 0)
    return of.args.some(isDots) || shapes.some((shape) => shape?.length !== 0) ? undefined : [of.args.length];
  const count = of.args.some(isDots) ? countUpTo(r, of.args) : undefined;
  if (count === undefined && of.args.some(isDots)) return one.length === 2 ? [one[0] as Dim, undecided] : undefined;
  // Tokens side by side: heads stand below one another.
  const at = one.length === 2 && hasTokensAcross(r, one) ? 0 : one.length - 1;
  const width = (shape: Shape): Dim => resolved(r.document.sizes, shape[at] as Dim);
  const same = shapes.every((shape) => shape?.length === one.length);
  if (count === undefined && !same) return undefined;
  const all = count === undefined ? shapes.reduce<Dim>((sum, shape) => add(sum, width(shape as Shape)), 0) : multiply(count, width(one)); // prettier-ignore
  return one.map((dim, i) => (i === at ? all : dim));
}
