/** Where a program's attentions stand, for a line above each. */
import { t, type Paced, type TextRange } from '../../text';
import { type Node, isNamedShape, NotComputed, type Dense, Raised, valuesOf } from '../tensor';
import type { Program } from '../program';
import { gridOf, type Attention } from '../recognise';
import { rangeOf, type tree } from '../syntax';

export interface AttentionPlace {
  /** `6×6, 2 heads, causal` */
  readonly title: string;
  /** The product of queries and keys, or the call that does all of it: softmax may be a function of its own. */
  readonly range: TextRange;
  /** The head of the function in which it stands, else the product itself: what a line stands above. */
  readonly above: TextRange;
  /** How often this place computes attention; the last one is described. */
  readonly times: number;
  /** No line calls it. */
  readonly standIn: boolean;
}

/** Each place once, in the order of the text. */
export function* attentionPlaces(program: Program, attentions: readonly Attention[]): Paced<readonly AttentionPlace[]> {
  const byPlace = new Map<string, Attention[]>();
  for (const attention of attentions) {
    const { start, end } = coreOf(attention).range;
    const key = `${start} ${end}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), attention]);
  }
  const uncalled = uncalledNodes(program);
  const found: AttentionPlace[] = [];
  for (const all of byPlace.values()) {
    const real = all.filter(({ site }) => !uncalled(site.weights));
    const shown = real.length > 0 ? real : all;
    const last = shown.at(-1);
    if (!last) continue;
    const { range } = coreOf(last);
    found.push({
      title: yield* titleOf(last),
      range,
      above: headAround(program, range) ?? range,
      times: shown.length,
      standIn: real.length === 0,
    });
  }
  return found.sort((a, b) => a.above.start - b.above.start || a.range.start - b.range.start);
}

const uncalledNodes =
  ({ firstStandIn }: Program) =>
  ({ id }: Node): boolean =>
    id >= firstStandIn;

/** The product of queries and keys. */
export const coreOf = ({ parts, site }: Attention): Node => parts.scores ?? site.weights;

/** `6×6, 2 heads, causal`; sizes by name where only these are known, `~5×5` where they stand in. */
export function* titleOf(attention: Attention): Paced<string> {
  const { site, named, heads, parts } = attention;
  const byName = named?.site.weights.shape;
  const shape = isNamedShape(byName) ? byName : (site.weights.shape ?? byName);
  const grid = `${site.weights.sample && shape === site.weights.shape ? '~' : ''}${gridOf(attention, shape)}`;
  if (attention.apart) return t('{0}, {1}', grid, parts.masked ? t('masked') : t('no mask'));
  const many = heads === undefined || heads === 1 ? t('one head') : t('{0} heads', heads);
  const causal = yield* isCausal(attention);
  const mask = causal ? t('causal') : parts.masked ? t('masked') : t('no mask');
  return t('{0}, {1}, {2}', grid, many, mask);
}

/** Below this a score is hidden: `-1e9` and −∞ alike. */
const hidden = -1e4;

/**
 * Whether each query sees exactly the keys up to its own, by the numbers: of the masked scores, else of the mask itself. False where these are not
 * known, or there are more keys than queries or fewer.
 */
export function* isCausal({ parts, keys }: Attention): Paced<boolean> {
  const { masked, mask } = parts;
  if (!masked) return false;
  const scores = yield* numbersOf(masked);
  if (scores) return isTriangle(scores, keys, (x) => x <= hidden);
  const own = mask && (yield* numbersOf(mask));
  if (!own) return false;
  const hides = hidingIn(masked, mask, own.dtype === 'bool');
  return hides !== undefined && isTriangle(own, keys, hides);
}

/** What numbers of a mask hide a score, by how it is used. */
function hidingIn(masked: Node, mask: Node, isTruth: boolean): ((x: number) => boolean) | undefined {
  const { operation, operands } = masked;
  if (operation === 'add') return (x) => x <= hidden;
  if (operation !== 'where' || operands[0] !== mask || !isTruth) return undefined;
  // `where(condition, a, b)`: the constant is what hides.
  const fillsWhereTrue = operands[1]?.operands.length === 0 || (operands[1]?.shape?.length ?? 9) === 0;
  const fillsWhereFalse = operands[2]?.operands.length === 0 || (operands[2]?.shape?.length ?? 9) === 0;
  if (fillsWhereTrue === fillsWhereFalse) return undefined;
  return (x) => (x !== 0) === fillsWhereTrue;
}

/** Work that a title may take. */
const allowance = () => ({ work: 2e7, numbers: 1e6 });

function* numbersOf(node: Node): Paced<Dense | undefined> {
  try {
    return yield* valuesOf(node, allowance());
  } catch (error) {
    if (error instanceof NotComputed || error instanceof Raised) return undefined;
    throw error;
  }
}

function isTriangle({ data, shape }: Dense, keys: Attention['keys'], hides: (x: number) => boolean): boolean {
  const [rows = 0, columns = 0] = shape.slice(-2);
  if (shape.length < 2 || rows !== columns || rows < 2) return false;
  return data.every((x, at) => {
    const [i, j] = [Math.floor(at / columns) % rows, at % columns];
    return hides(x) === (keys === 'rows' ? j > i : i > j);
  });
}

/** From `def` to the end of its name, of the innermost function around a place. */
function headAround({ units }: Program, { start }: TextRange): TextRange | undefined {
  const unit = units.find(({ source }) => start >= source.base && start < source.base + source.text.length);
  if (!unit) return undefined;
  let [body, found]: [readonly tree.Statement[], TextRange | undefined] = [unit.body, undefined];
  for (;;) {
    const around = body.find((statement) => {
      const range = rangeOf(unit.source, statement);
      return range.start <= start && start < range.end && 'body' in statement;
    });
    if (!around || !('body' in around)) return found;
    if (around.nodeType === 'FunctionDef' || around.nodeType === 'AsyncFunctionDef') {
      const whole = rangeOf(unit.source, around);
      found = { start: whole.start, end: whole.start + 'def '.length + around.name.length };
    }
    body = [...around.body, ...('orelse' in around ? around.orelse : [])];
  }
}
