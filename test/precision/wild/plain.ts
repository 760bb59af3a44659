/** Lines whose right side is no tensor in any program, whatever its names mean: they have no shape to be seen. */
import type { Program } from '../../../engine/program/program';
import { rangeOf } from '../../../engine/program/syntax/source';
import type { Expression, Statement } from '../../../engine/program/syntax/tree';

/** Line numbers, from 1. */
export function neverTensors(program: Program, text: string): ReadonlySet<number> {
  const found = new Set<number>();
  const lineOf = lineFinder(text);
  for (const { source, body } of program.units)
    walk(body, (statement) => {
      const value = valueOf(statement);
      if (value && isPlain(value)) found.add(lineOf(rangeOf(source, statement).start));
    });
  return found;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function walk(part: unknown, visit: (statement: Statement) => void): void {
  if (Array.isArray(part)) for (const one of part) walk(one, visit);
  else if (typeof part === 'object' && part !== null) {
    if ('nodeType' in part) visit(part as Statement);
    for (const value of Object.values(part)) if (typeof value === 'object') walk(value, visit);
  }
}

const valueOf = (statement: Statement): Expression | undefined =>
  ['Assign', 'AugAssign', 'AnnAssign', 'Return'].includes(statement.nodeType) && 'value' in statement
    ? (statement.value as Expression | undefined)
    : undefined;

/** Functions of Python, and methods, that give numbers, text and truth. */
const functions = new Set('len int float str bool range isinstance issubclass hasattr callable time print open type id input round ceil floor'.split(' ')); // prettier-ignore
const methods = new Set('size dim numel nelement item ndimension is_contiguous is_floating_point get_device format join startswith endswith lower upper strip time perf_counter finfo iinfo parse figure subplots add_subplot'.split(' ')); // prettier-ignore
const attributes = new Set(['shape', 'dtype', 'device', 'ndim', 'is_cuda', 'requires_grad', '__name__', 'training']);

export function isPlain(node: Expression): boolean {
  switch (node.nodeType) {
    case 'Constant':
    case 'JoinedStr':
    case 'Lambda':
      return true;
    case 'Compare':
      return (
        node.ops.every(({ nodeType }) => ['Is', 'IsNot', 'In', 'NotIn'].includes(nodeType)) ||
        [node.left, ...node.comparators].every(isPlain)
      );
    case 'UnaryOp':
      return node.op.nodeType === 'Not' || isPlain(node.operand);
    case 'BoolOp':
      return node.values.every(isPlain);
    case 'BinOp':
      return isPlain(node.left) && isPlain(node.right);
    case 'IfExp':
      return isPlain(node.body) && isPlain(node.orelse);
    case 'Tuple':
    case 'List':
      return node.elts.every(isPlain);
    case 'Dict':
      return node.values.every(isPlain);
    case 'Attribute':
      return attributes.has(node.attr) || isPlain(node.value);
    case 'Subscript':
      return isPlain(node.value);
    case 'Call':
      return isPlainCall(node.func);
    default:
      return false;
  }
}

const isPlainCall = (func: Expression): boolean =>
  func.nodeType === 'Name' ? functions.has(func.id) : func.nodeType === 'Attribute' && methods.has(func.attr);
