/** What the statements of a program assign, in order: names, attributes, items of lists, what is changed in place. */
import type { TextRange } from '../../text';
import { bodiesOf, rangeOf, type Expression, type Source, type Statement, type tree, type Unit } from '../syntax';

export interface Assignment {
  readonly name: string;
  /** Where the name stands. */
  readonly range: TextRange;
  readonly statement: TextRange;
  /** It stands in a loop or under a condition. */
  readonly inBlock?: true;
  /** Where the loop begins whose runs each assign it another value. */
  readonly loop?: number;
  readonly source: Source;
  /** What the name becomes; undefined where the whole statement says it. */
  readonly value?: Expression;
  /** All that it is made of. */
  readonly parts: readonly Expression[];
}

export const assignmentsOf = (units: readonly Unit[]): readonly Assignment[] =>
  units.flatMap(({ source, body }) => body.flatMap((statement) => assigned(source, statement)));

/** `self.W_q` for attributes of a name; undefined for anything else. */
export function dotted(node: Expression): string | undefined {
  if (node.nodeType === 'Name') return node.id;
  const of = node.nodeType === 'Attribute' ? dotted(node.value) : undefined;
  return of === undefined || node.nodeType !== 'Attribute' ? undefined : `${of}.${node.attr}`;
}

function assigned(source: Source, statement: Statement): readonly Assignment[] {
  const at = rangeOf(source, statement);
  const within = (body: readonly Statement[]): readonly Assignment[] => body.flatMap((one) => assigned(source, one));
  switch (statement.nodeType) {
    case 'Assign':
      return statement.targets.flatMap((target) => targetsOf(source, at, target, statement.value));
    case 'AnnAssign':
      return statement.value ? targetsOf(source, at, statement.target, statement.value) : [];
    case 'AugAssign':
      return changed(source, at, statement.target, [statement.target, statement.value]);
    case 'Delete':
      return statement.targets.flatMap((target) => changed(source, at, target, []));
    case 'Expr':
      return changedByMethod(source, at, statement.value);
    case 'For':
    case 'AsyncFor':
      return loop(source, statement);
    case 'While':
    case 'If':
    case 'Match':
      return inBlock(within(bodiesOf(statement).flat()));
    case 'With':
    case 'AsyncWith':
    case 'Try':
    case 'TryStar':
      return within(bodiesOf(statement).flat());
    default:
      return [];
  }
}

function targetsOf(source: Source, statement: TextRange, target: Expression, value: Expression): readonly Assignment[] {
  if (target.nodeType === 'Tuple' || target.nodeType === 'List') {
    const { elts } = target;
    const items = value.nodeType === 'Tuple' || value.nodeType === 'List' ? value.elts : [];
    return elts.flatMap((one, i) => {
      const item = items.length === elts.length ? items[i] : undefined;
      return item ? targetsOf(source, statement, one, item) : changed(source, statement, one, [value]);
    });
  }
  if (target.nodeType === 'Subscript') return changed(source, statement, target, [target.slice, value]);
  const name = dotted(target);
  return name === undefined ? [] : [{ name, range: rangeOf(source, target), statement, source, value, parts: [value] }];
}

/** `mask[mask == 1] = -np.inf` and `Q += 1`: the statement as a whole says what the name is then. */
function changed(
  source: Source,
  statement: TextRange,
  target: Expression,
  parts: readonly Expression[],
): readonly Assignment[] {
  const of = target.nodeType === 'Subscript' || target.nodeType === 'Starred' ? target.value : target;
  const name = dotted(of);
  return name === undefined ? [] : [{ name, range: rangeOf(source, of), statement, source, parts }];
}

const inBlock = (all: readonly Assignment[]): readonly Assignment[] => all.map((one) => ({ ...one, inBlock: true }));

/** Methods that change what they are called on. */
const changing = /^(?:append|extend|insert|pop|remove|clear|sort|reverse|update|add|fill|resize|\w*[^_]_)$/;

function changedByMethod(source: Source, statement: TextRange, call: Expression): readonly Assignment[] {
  if (call.nodeType !== 'Call' || call.func.nodeType !== 'Attribute' || !changing.test(call.func.attr)) return [];
  return changed(source, statement, call.func.value, call.args);
}

/** `for n in range(N): xs.append(…)` is one statement that makes a list. */
function loop(source: Source, statement: tree.For): readonly Assignment[] {
  const { start } = rangeOf(source, statement);
  const header = { start, end: rangeOf(source, statement.iter).end };
  const counter = changed(source, header, statement.target, [statement.iter]).map((one) => ({ ...one, loop: start }));
  // What is appended or added up is that of all runs.
  const inner = statement.body
    .flatMap((one) => assigned(source, one))
    .map((one) => (one.value ? { loop: start, ...one } : one));
  if (statement.body.length > 1) return inBlock([...counter, ...inner]);
  return inBlock([...counter, ...inner].map((one) => ({ ...one, statement: { start, end: one.statement.end } })));
}

/** The parts of an expression, in the order of the text. */
export function partsOf(node: Expression): readonly Expression[] {
  switch (node.nodeType) {
    case 'Attribute':
    case 'Starred':
    case 'FormattedValue':
      return [node.value];
    case 'Subscript':
      return [node.value, node.slice];
    case 'Slice':
      return [node.lower, node.upper, node.step].filter((one) => one !== undefined && one !== null);
    case 'Call':
      return [node.func, ...node.args, ...node.keywords.map(({ value }) => value)];
    case 'List':
    case 'Tuple':
    case 'Set':
      return node.elts;
    case 'Dict':
      return [...node.keys.filter((key) => key !== null), ...node.values];
    case 'BinOp':
      return [node.left, node.right];
    case 'UnaryOp':
      return [node.operand];
    case 'BoolOp':
    case 'JoinedStr':
      return node.values;
    case 'Compare':
      return [node.left, ...node.comparators];
    case 'IfExp':
      return [node.body, node.test, node.orelse];
    case 'ListComp':
    case 'SetComp':
    case 'GeneratorExp':
      return [node.elt, ...node.generators.flatMap(({ iter, ifs }) => [iter, ...ifs])];
    case 'DictComp':
      return [node.key, node.value, ...node.generators.flatMap(({ iter, ifs }) => [iter, ...ifs])];
    case 'NamedExpr':
      return [node.target, node.value];
    default:
      return [];
  }
}

/** Whether an expression is a list of numbers, or one in a call: nothing is computed. */
export function isLiteral(node: Expression): boolean {
  if (node.nodeType === 'Constant') return true;
  if (node.nodeType === 'UnaryOp') return isLiteral(node.operand);
  if (node.nodeType === 'List' || node.nodeType === 'Tuple') return node.elts.every(isLiteral);
  const [first] = node.nodeType === 'Call' ? node.args : [];
  return (first?.nodeType === 'List' || first?.nodeType === 'Tuple') && isLiteral(first);
}

/** Whether an expression has a call or an operator in front: `Q @ K.T`, `np.eye(3)`, not another name. */
export const isCompound = ({ nodeType }: Expression): boolean =>
  nodeType === 'Call' || nodeType === 'BinOp' || nodeType === 'UnaryOp' || nodeType === 'Subscript';
