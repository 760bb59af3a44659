/** The shapes that the lines of a program bind, return and print, and what Python would say of those that it refuses. */
import { t, type TextRange } from '../../text';
import { raisedIn, type Program } from '../program';
import type { Seen } from '../machine';
import { bodiesOf, rangeOf, type Source, type tree } from '../syntax';
import { otherShapes, shapeText, stateOf, tensorOf, type State } from './describe';

/** One tensor of a line. */
export interface LinePart {
  /** As the code calls it; empty for what has no name. */
  readonly name: string;
  /** With its number type, where that is not the usual one. */
  readonly shape: string;
  /** Its number type; empty for several tensors. */
  readonly dtype: string;
  /** Shapes that it had in calls before the last one. */
  readonly before: readonly string[];
  readonly state: State;
}

export interface LineShapes {
  /** The statement; of a definition or a loop its head. */
  readonly range: TextRange;
  readonly parts: readonly LinePart[];
  /** From a reading with stand-in arguments: no line calls this. */
  readonly standIn: boolean;
  /** Its sizes are those of a sample. */
  readonly sample: boolean;
  /** What Python raises here. */
  readonly error?: string;
  /** What is written at the end of the line. */
  readonly label: string;
}

/** In the order of the text. */
export function linesOf(text: string, program: Program): readonly LineShapes[] {
  const found: Found[] = [];
  for (const { source, body } of program.units) walk({ text, source, seen: program.seen, found }, body);
  const errors = raisedIn(text, program).map(({ text: error, range }) => ({ range, parts: [], standIn: false, sample: false, error })); // prettier-ignore
  const refused = new Set(errors.map(({ range }) => lineStart(text, range.start)));
  return [...found.filter(({ range }) => !refused.has(lineStart(text, range.start))), ...errors]
    .map((one) => ({ ...one, label: labelOf(one) }))
    .sort((a, b) => a.range.start - b.range.start);
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

type Found = Omit<LineShapes, 'label'>;

interface Walk {
  readonly text: string;
  readonly source: Source;
  readonly seen: ReadonlyMap<object, Seen>;
  readonly found: Found[];
}

function walk(w: Walk, body: readonly tree.Statement[]): void {
  for (const statement of body) {
    const named = shownOf(statement);
    if (named.length > 0) addLine(w, statement, named);
    for (const inner of bodiesOf(statement)) walk(w, inner);
  }
}

/** What of a statement has a shape: its place in the tree, and whether its name is written even if it is the only one. */
interface Shown {
  readonly node: tree.Place;
  readonly named?: boolean;
}

function shownOf(node: tree.Statement): readonly Shown[] {
  switch (node.nodeType) {
    case 'Assign':
      return node.targets.slice(0, 1).flatMap(targetsOf);
    case 'AugAssign':
    case 'AnnAssign':
      return targetsOf(node.target);
    case 'Return':
      return node.value ? [{ node: node.value }] : [];
    case 'Expr':
      return expressionOf(node.value);
    case 'For':
    case 'AsyncFor':
      return targetsOf(node.target).map((one) => ({ ...one, named: true }));
    case 'With':
    case 'AsyncWith':
      return node.items.flatMap(({ optional_vars }) => (optional_vars ? targetsOf(optional_vars) : []));
    case 'FunctionDef':
    case 'AsyncFunctionDef': {
      const { posonlyargs, args, vararg, kwonlyargs } = node.args;
      return [...posonlyargs, ...args, ...(vararg ? [vararg] : []), ...kwonlyargs].map((arg) => ({
        node: arg,
        named: true,
      }));
    }
    default:
      return [];
  }
}

const targetsOf = (target: tree.Expression): readonly Shown[] =>
  target.nodeType === 'Tuple' || target.nodeType === 'List'
    ? target.elts.flatMap(targetsOf)
    : [{ node: target.nodeType === 'Starred' ? target.value : target }];

/** Of `print` what it prints, else the value. */
const expressionOf = (value: tree.Expression): readonly Shown[] =>
  value.nodeType === 'Call' && value.func.nodeType === 'Name' && value.func.id === 'print'
    ? value.args.map((node) => ({ node }))
    : [{ node: value }];

function addLine(w: Walk, statement: tree.Statement, shown: readonly Shown[]): void {
  const reached = shown.flatMap(({ node, named = false }) => {
    const seen = isIgnored(node) ? undefined : w.seen.get(node);
    const shape = seen && shapeText(seen.snapshot);
    return seen && shape !== undefined ? [{ seen, named, part: partOf(w, seen, shape) }] : [];
  });
  if (reached.length === 0) return;
  const isOne = shown.length === 1 && !reached.some(({ named }) => named);
  w.found.push({
    range: headOf(w, statement, shown),
    parts: reached.map(({ part }) => (isOne ? { ...part, name: '' } : part)),
    standIn: reached.every(({ seen }) => seen.standIn),
    sample: reached.some(({ seen }) => seen.sample),
  });
}

/** `_`, which nobody reads again. */
const isIgnored = (node: tree.Place): boolean => 'id' in node && node.id === '_';

/** Longest expression that is written as a name. */
const longestName = 24;

function partOf({ text }: Walk, seen: Seen, shape: string): LinePart {
  const { start, end } = rangeOf(seen.source, seen.place);
  const written = text.slice(start, end).replace(/\s*:[^:]*$/, '');
  const name = /^[\w.]+$/.test(written) && written.length <= longestName ? written : '';
  const { snapshot } = seen;
  return {
    name,
    shape,
    dtype: tensorOf(snapshot)?.node.dtype ?? '',
    before: otherShapes(seen),
    state: stateOf(snapshot),
  };
}

/** Of what has a body the lines before it. */
function headOf({ source }: Walk, statement: tree.Statement, shown: readonly Shown[]): TextRange {
  const whole = rangeOf(source, statement);
  const [first] = bodiesOf(statement);
  if (!first) return whole;
  const last = shown.at(-1);
  const after = 'iter' in statement ? statement.iter : last?.node;
  return { start: whole.start, end: after ? rangeOf(source, after).end : whole.start };
}

/** What VS Code shows of a hint by default. The end of Python's message has the shapes; the whole stands in the tooltip. */
const longestError = 43;

const shortError = (error: string): string => {
  const kind = /^\w+: /.exec(error)?.[0] ?? '';
  return error.length > longestError ? `${kind}…${error.slice(kind.length + 1 - longestError)}` : error;
};

/** `6×6`, `6×2 each`, `x 6×3, mask 6×6 bool`; where calls differ the last one's; `~` before what no line calls. */
function labelOf({ parts, standIn, error }: Found): string {
  if (error !== undefined) return shortError(error);
  const alike = parts.length > 1 && parts.every(({ shape }) => shape === parts[0]?.shape);
  const shapes = alike
    ? t('{0} each', parts[0]?.shape)
    : parts.map(({ name, shape }) => (name ? `${name} ${shape}` : shape)).join(', ');
  const words = parts.some(({ before }) => before.length > 0) ? t('last call: {0}', shapes) : shapes;
  return standIn ? `~ ${words}` : words;
}
