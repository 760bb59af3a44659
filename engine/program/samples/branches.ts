/**
 * Ways through a definition that no run took, because of switches: `if mask is not None`, `if self.causal`, `if kind == 'dot'`. What a switch has to be
 * for the way to be taken is told by its condition. One on a number may say what an argument has to be, but no condition on sizes or numbers is forced:
 * which way it goes follows from what is computed.
 */
import { bodiesOf, type tree } from '../syntax';

/** What a switch has to be: given, so that it is not None; None; true or false; a text; another text than these; a number. */
export type Setting =
  | 'given'
  | 'none'
  | boolean
  | { readonly text: string }
  | { readonly not: readonly string[] }
  | { readonly number: number };

/** By the last part of the name: `self.config.causal` is `causal`. */
export type Settings = ReadonlyMap<string, Setting>;

/** A way that was not taken. */
export interface Branch {
  readonly settings: Settings;
  /** The conditions on the way there, with the way that each goes. */
  readonly path: ReadonlyMap<tree.If, boolean>;
  /** What is to be reached. */
  readonly body: readonly tree.Statement[];
}

type IsSeen = (place: object) => boolean;

/** Ways to statements that compute something, the outermost first: of ways within them nothing is known yet. */
export function unreadBranches(body: readonly tree.Statement[], isSeen: IsSeen): readonly Branch[] {
  const found: Branch[] = [];
  walk(body, new Map(), { isSeen, found });
  return found;
}

interface Walk {
  readonly isSeen: IsSeen;
  readonly found: Branch[];
}

type Path = ReadonlyMap<tree.If, boolean>;

function walk(body: readonly tree.Statement[], before: Path, w: Walk): void {
  let path = before;
  for (const [i, statement] of body.entries()) {
    if (statement.nodeType === 'If') {
      sides(statement, path, w);
      const rest = body.slice(i + 1);
      const ends = [statement.body, statement.orelse].map(endsThere);
      // What stands after a way that returns is the other way.
      if (ends[0] === ends[1]) continue;
      if (isMissing(rest, w)) return add(statement, !ends[0], rest, path, w);
      path = new Map([...path, [statement, !ends[0]]]);
    } else if (statement.nodeType === 'FunctionDef' || statement.nodeType === 'ClassDef')
      walk(statement.body, new Map(), w); // prettier-ignore
    else if ('body' in statement) walk(statement.body, path, w);
  }
}

function sides(node: tree.If, path: Path, w: Walk): void {
  for (const way of [true, false]) {
    const side = way ? node.body : node.orelse;
    if (isMissing(side, w)) add(node, way, side, path, w);
    else if (isRead(side, w)) walk(side, new Map([...path, [node, way]]), w);
  }
}

function add(node: tree.If, way: boolean, body: readonly tree.Statement[], before: Path, { found }: Walk): void {
  const path = new Map([...before, [node, way]]);
  const settings = new Map<string, Setting>();
  for (const [{ test }, holds] of path)
    for (const [name, setting] of settingsFor(test, holds)) settings.set(name, both(settings.get(name), setting));
  if (settings.size > 0) found.push({ settings, path, body });
}

/** Where `kind` is neither 'dot' nor 'cos', it is another word than both. */
function both(before: Setting | undefined, next: Setting): Setting {
  if (typeof before !== 'object' || typeof next !== 'object' || !('not' in next)) return next;
  return 'not' in before ? { not: [...before.not, ...next.not] } : before;
}

const isMissing = (body: readonly tree.Statement[], w: Walk): boolean => !isRead(body, w) && computes(body);

/** Whether a run came there: what is assigned or returned has something to say; sizes and words in it say nothing of the way. */
export const isRead = (body: readonly tree.Statement[], { isSeen }: Pick<Walk, 'isSeen'>): boolean =>
  someNode(body, (node) => {
    const value = computed(node);
    return value !== undefined && isSeen(value);
  });

const computes = (body: readonly tree.Statement[]): boolean =>
  someNode(body, (node) => {
    const value = computed(node);
    return value !== undefined && value.nodeType !== 'JoinedStr';
  });

/** What a statement assigns or returns, where that is not written as a number or a word. */
function computed(node: { readonly nodeType: string }): tree.Expression | undefined {
  if (!['Assign', 'AugAssign', 'AnnAssign', 'Return'].includes(node.nodeType)) return undefined;
  const { value } = node as Partial<tree.Assign>;
  return value && !isLiteral(value) ? value : undefined;
}

/** `2`, `-2`, `'dot'`, `None`. */
const isLiteral = (node: tree.Expression): boolean =>
  node.nodeType === 'Constant' || (node.nodeType === 'UnaryOp' && node.operand.nodeType === 'Constant');

/** Whether a way ends the function. */
function endsThere(body: readonly tree.Statement[]): boolean {
  const last = body.at(-1);
  if (!last) return false;
  if (last.nodeType === 'If') return endsThere(last.body) && endsThere(last.orelse);
  return last.nodeType === 'Return' || last.nodeType === 'Raise';
}

/** Functions within are read when they are called. */
function someNode(part: unknown, is: (node: { readonly nodeType: string }) => boolean): boolean {
  if (Array.isArray(part)) return part.some((one) => someNode(one, is));
  if (typeof part !== 'object' || part === null) return false;
  const node = part as { readonly nodeType?: string };
  if (node.nodeType === 'FunctionDef' || node.nodeType === 'ClassDef' || node.nodeType === 'Lambda') return false;
  if (node.nodeType !== undefined && is(node as { nodeType: string })) return true;
  return Object.values(part).some((one) => typeof one === 'object' && someNode(one, is));
}

// --- conditions ---------------------------------------------------------------------

const nameOf = (node: tree.Expression): string | undefined =>
  node.nodeType === 'Name' ? node.id : node.nodeType === 'Attribute' ? node.attr : undefined;

/** What switches have to be for a condition to hold, or not to; nothing for what is no switch. */
function settingsFor(test: tree.Expression, holds: boolean): readonly (readonly [string, Setting])[] {
  if (test.nodeType === 'UnaryOp' && test.op.nodeType === 'Not') return settingsFor(test.operand, !holds);
  if (test.nodeType === 'BoolOp') {
    const all = test.values.map((value) => settingsFor(value, holds));
    // All parts of `and` have to hold; one part of it that does not is enough.
    return (test.op.nodeType === 'And') === holds ? all.flat() : (all.find(({ length }) => length > 0) ?? []);
  }
  if (test.nodeType === 'Compare') return comparedSetting(test, holds);
  const name = nameOf(test);
  return name === undefined ? [] : [[name, holds]];
}

function comparedSetting(
  { left, ops, comparators }: tree.Compare,
  holds: boolean,
): readonly (readonly [string, Setting])[] {
  const [name, op, other] = [nameOf(left), ops[0]?.nodeType, comparators[0]];
  if (name === undefined || other?.nodeType !== 'Constant' || comparators.length > 1) return [];
  const { value } = other;
  const by = typeof value === 'number' ? nearest[op ?? '']?.[holds ? 0 : 1] : undefined;
  if (by !== undefined) return [[name, { number: (value as number) + by }]];
  const is = op === 'Is' || op === 'Eq' ? holds : op === 'IsNot' || op === 'NotEq' ? !holds : undefined;
  if (is === undefined) return [];
  if (value === null || value === undefined) return [[name, is ? 'none' : 'given']];
  if (typeof value === 'boolean') return [[name, value === is]];
  return typeof value === 'string' ? [[name, is ? { text: value } : { not: [value] }]] : [];
}

/** How far the nearest number is for which a comparison holds, and for which it does not. */
const nearest: Readonly<Record<string, readonly [number, number]>> = { Eq: [0, 1], NotEq: [1, 0], Gt: [1, 0], GtE: [0, -1], Lt: [-1, 0], LtE: [0, 1] }; // prettier-ignore

/** With what makes an attribute that a way asks for: `self.bias_k` is there where `add_bias_kv` was given. */
export function withMakers(body: readonly tree.Statement[], settings: Settings): Settings {
  const found = new Map<string, Setting>();
  const visit = (statements: readonly tree.Statement[], path: Wanted): void => {
    for (const statement of statements) {
      if (statement.nodeType === 'Assign') for (const one of makersIn(statement, settings, path)) found.set(...one);
      if (statement.nodeType === 'If') {
        visit(statement.body, [...path, ...settingsFor(statement.test, true)]);
        visit(statement.orelse, [...path, ...settingsFor(statement.test, false)]);
      } else for (const inner of bodiesOf(statement)) visit(inner, path);
    }
  };
  visit(body, []);
  return new Map([...found, ...settings]);
}

type Wanted = readonly (readonly [string, Setting])[];

function makersIn({ targets, value }: tree.Assign, settings: Settings, path: Wanted): Wanted {
  const wanted = targets.flatMap((target) =>
    target.nodeType === 'Attribute' ? (settings.get(target.attr) ?? []) : [],
  );
  if (wanted.length === 0) return [];
  const gives = (made: tree.Expression): boolean =>
    !(made.nodeType === 'Constant' && [null, undefined, false].includes(made.value as null)) === (wanted[0] === 'given' || wanted[0] === true); // prettier-ignore
  if (value.nodeType !== 'IfExp') return gives(value) ? path : [];
  const way = gives(value.body) ? true : gives(value.orelse) ? false : undefined;
  return way === undefined || gives(value.body) === gives(value.orelse)
    ? []
    : [...path, ...settingsFor(value.test, way)];
}

/** Whether switches alone say that a condition goes this way: then it may be forced to. */
export function isSwitched(test: tree.Expression, holds: boolean): boolean {
  if (test.nodeType === 'UnaryOp' && test.op.nodeType === 'Not') return isSwitched(test.operand, !holds);
  if (test.nodeType === 'BoolOp') {
    const decides = (value: tree.Expression): boolean => isSwitched(value, holds);
    return (test.op.nodeType === 'And') === holds ? test.values.every(decides) : test.values.some(decides);
  }
  if (test.nodeType !== 'Compare') return nameOf(test) !== undefined;
  const other = test.comparators[0];
  const { value } = other?.nodeType === 'Constant' ? other : { value: 0 };
  return nameOf(test.left) !== undefined && test.comparators.length === 1 && typeof value !== 'number';
}

/** Which way each condition on switches goes with these settings, anywhere in a definition: a layer is made where its switch is on. */
export function forcedBy(body: readonly tree.Statement[], settings: Settings): ReadonlyMap<tree.If, boolean> {
  const found = new Map<tree.If, boolean>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const one of part) visit(one);
    else if (typeof part === 'object' && part !== null) {
      const node = part as tree.Statement;
      const holds = node.nodeType === 'If' ? truthWith(node.test, settings) : undefined;
      if (node.nodeType === 'If' && holds !== undefined) found.set(node, holds);
      for (const one of Object.values(part)) if (typeof one === 'object') visit(one);
    }
  };
  visit(body);
  return found;
}

function truthWith(test: tree.Expression, settings: Settings): boolean | undefined {
  const agrees = (holds: boolean): boolean => {
    const wanted = isSwitched(test, holds) ? settingsFor(test, holds) : [];
    return wanted.length > 0 && wanted.every(([name, setting]) => isMet(settings.get(name), setting));
  };
  return agrees(true) ? true : agrees(false) ? false : undefined;
}

function isMet(is: Setting | undefined, wanted: Setting): boolean {
  if (typeof wanted !== 'object' || !('not' in wanted)) return JSON.stringify(is) === JSON.stringify(wanted);
  if (typeof is !== 'object' || 'number' in is) return false;
  return 'text' in is ? !wanted.not.includes(is.text) : wanted.not.every((word) => is.not.includes(word));
}
