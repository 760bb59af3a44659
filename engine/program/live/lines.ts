/** Where a process has stopped in a program's statements, and which of them it ran before that. */
import { lineAt, lineStarts } from '../explain';
import { bodiesOf, type Source, type Statement, type tree, type Unit } from '../syntax';

/** A statement in its text. */
export interface Placed {
  readonly source: Source;
  readonly statement: Statement;
}

/** The function that is stopped. */
export interface StoppedFunction {
  readonly source: Source;
  readonly node: tree.FunctionDef;
}

export type LinesOf = (placed: Placed) => readonly [first: number, last: number];

/** First and last line in the whole text, from 1. */
export function linesIn(text: string): LinesOf {
  const starts = lineStarts(text);
  return ({ source, statement: { lineno, end_lineno } }) => {
    const above = lineAt(starts, source.base) - 1;
    return [above + lineno, above + end_lineno];
  };
}

const isDefinition = ({ nodeType }: Statement): boolean =>
  nodeType === 'FunctionDef' || nodeType === 'AsyncFunctionDef' || nodeType === 'ClassDef';

/** The innermost function in whose body a line stands. */
export function functionAt(units: readonly Unit[], line: number, linesOf: LinesOf): StoppedFunction | undefined {
  let found: StoppedFunction | undefined;
  const look = (source: Source, body: readonly Statement[]): void => {
    for (const statement of body) {
      const [first, last] = linesOf({ source, statement });
      if (line < first || line > last) continue;
      if (statement.nodeType === 'FunctionDef' || statement.nodeType === 'AsyncFunctionDef') {
        const node = statement as tree.FunctionDef;
        const [begin] = node.body[0] ? linesOf({ source, statement: node.body[0] }) : [Infinity];
        if (line >= begin) found = { source, node };
      }
      for (const inner of bodiesOf(statement)) look(source, inner);
    }
  };
  for (const { source, body } of units) look(source, body);
  return found;
}

/** The body of a compound statement in which a line stands; undefined where it stands in none, or in that of a definition. */
export function bodyAround(placed: Placed, line: number, linesOf: LinesOf): readonly Statement[] | undefined {
  const { source, statement } = placed;
  if (isDefinition(statement)) return undefined;
  return bodiesOf(statement).find((body) => {
    const [first, last] = [body[0] as Statement, body.at(-1) as Statement].map((one) => linesOf({ source, statement: one })); // prettier-ignore
    return first !== undefined && last !== undefined && first[0] <= line && line <= last[1];
  });
}

/** The statements that ran whole before the line, in their order, through the blocks in which the line stands. */
export function ranBefore(body: readonly Placed[], line: number, linesOf: LinesOf): readonly Placed[] {
  return body.flatMap((placed) => {
    const [first, last] = linesOf(placed);
    if (first >= line) return [];
    if (last < line) return [placed];
    const inner = bodyAround(placed, line, linesOf);
    return inner ? ranBefore(inner.map((statement) => ({ source: placed.source, statement })), line, linesOf) : []; // prettier-ignore
  });
}

/** Names, and attributes as paths, that a statement assigns, or changes in place. */
export function changedBy(node: unknown, into = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const part of node) changedBy(part, into);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return into;
  const { nodeType, ctx, name, func, keywords } = node as { nodeType?: string; ctx?: { nodeType?: string }; name?: string; func?: { nodeType?: string; attr?: string; value?: unknown }; keywords?: readonly { arg?: string; value?: unknown }[] }; // prettier-ignore
  if (nodeType === 'FunctionDef' || nodeType === 'AsyncFunctionDef' || nodeType === 'ClassDef')
    return into.add(name ?? '');
  if (ctx?.nodeType === 'Store') addPath(node, into);
  if (nodeType === 'Call') {
    if (func?.nodeType === 'Attribute' && /[a-z0-9]_$/.test(func.attr ?? '')) addPath(func.value, into);
    for (const { arg, value } of keywords ?? []) if (arg === 'out') addPath(value, into);
  }
  for (const part of Object.values(node)) if (typeof part === 'object') changedBy(part, into);
  return into;
}

function addPath(node: unknown, into: Set<string>): void {
  const path = pathOf(node);
  if (path !== undefined) into.add(path);
}

/** `self.cache` of the tree of `self.cache[0]`. */
export function pathOf(node: unknown): string | undefined {
  const { nodeType, id, attr, value } = (node ?? {}) as {
    nodeType?: string;
    id?: string;
    attr?: string;
    value?: unknown;
  };
  if (nodeType === 'Name') return id;
  if (nodeType === 'Subscript') return pathOf(value);
  const base = nodeType === 'Attribute' ? pathOf(value) : undefined;
  return base === undefined ? undefined : `${base}.${attr}`;
}

/** All names that stand in statements. */
export function namesIn(node: unknown, into = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const part of node) namesIn(part, into);
  else if (typeof node === 'object' && node !== null) {
    const { nodeType, id, arg } = node as { nodeType?: string; id?: string; arg?: unknown };
    if (nodeType === 'Name' && id) into.add(id);
    if (nodeType === 'arg' && typeof arg === 'string') into.add(arg);
    for (const part of Object.values(node)) if (typeof part === 'object') namesIn(part, into);
  }
  return into;
}
