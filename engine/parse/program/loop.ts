// The one loop that is run: it appends to a list, as often as `range` says.
import type { TextRange } from '../../text/problems';
import { resolve } from './bind';
import { lexerOf } from './lexer';
import { parseExpression } from './parser';
import { addEntry, bindName, changeInPlace, type Program } from './scope';
import type { Statement } from './statements';
import { dotted, partsOf, type Node } from './tree';

const header = /^for\s+([\p{L}_][\p{L}\d_]*)\s+in\s+range\(\s*([\p{L}\d_.]+)\s*\)\s*:\s*(?:#.*)?$/u;

/** More runs than this are not computed. */
const mostRuns = 256;

/**
 * Runs `for n in range(N): xs.append(np.random.normal(size=(D, 1)))` where `xs` was `[]`, N is known and the value does not ask for n:
 * `xs` is the list of what each run draws. False, with nothing bound, where the loop is another.
 */
export function runAppends(program: Program, head: Statement, body: readonly Statement[]): boolean {
  const [, variable = '', times = ''] = header.exec(program.text.slice(head.start, head.end).trimEnd()) ?? [];
  const [statement] = body;
  if (!statement || body.length > 1 || variable === '') return false;
  const runs = wholeNumber(program, times);
  const found = appended(program, statement);
  if (!found || runs === undefined || runs > mostRuns) return false;
  if (namesOf(found.value).some((name) => name === variable || name === found.name)) return false;
  append(program, head, statement, found, runs);
  bindLast(program, head, variable, runs - 1);
  return true;
}

/** What a name or a number in the program's text stands for, if that is a whole number above 0. */
function wholeNumber(program: Program, text: string): number | undefined {
  const entry = program.entries[program.names.get(text)?.entry ?? -1];
  const node = entry?.work.kind === 'value' ? entry.work.node : undefined;
  const found = node?.kind === 'number' && node.whole ? node.value : /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return found >= 1 ? found : undefined;
}

interface Appended {
  readonly name: string;
  readonly nameRange: TextRange;
  readonly value: Node;
  /** Where the call ends. */
  readonly end: number;
}

/** `xs.append(…)` to a list that is empty here. */
function appended(program: Program, { start, end }: Statement): Appended | undefined {
  const l = lexerOf(program.text, start, end, program.literals);
  const node = parseExpression(l);
  program.steps += l.steps;
  if (l.kind !== 'end' || node?.kind !== 'call' || node.of.kind !== 'attribute' || node.of.name !== 'append')
    return undefined;
  const list = node.of.of;
  const [argument, second] = node.args;
  const name = dotted(list);
  if (!argument || second || argument.keyword !== undefined || name === undefined || !isEmpty(program, name))
    return undefined;
  return { name, nameRange: { start: list.start, end: list.end }, value: argument.value, end: node.end };
}

function isEmpty(program: Program, name: string): boolean {
  const binding = program.names.get(name);
  const work = program.entries[binding?.entry ?? -1]?.work;
  if (work?.kind !== 'value' || binding?.caution !== undefined) return false;
  return /^\[\s*\]$/.test(program.text.slice(work.node.start, work.node.end));
}

const namesOf = (node: Node): readonly string[] => [
  ...(node.kind === 'name' ? [node.name] : []),
  ...partsOf(node).flatMap(namesOf),
];

function append(program: Program, head: Statement, statement: Statement, found: Appended, runs: number): void {
  const { name, nameRange, value } = found;
  const items: Node[] = [];
  const needs: number[] = [];
  for (let run = 0; run < runs; run++) {
    // Each run makes its own draws, so it has its own nodes.
    const l = lexerOf(program.text, value.start, value.end, program.literals);
    const item = parseExpression(l);
    program.steps += l.steps;
    if (!item) return;
    needs.push(...resolve(program, item, statement));
    items.push(item);
  }
  changeInPlace(program, name, statement);
  const range = { start: head.start, end: found.end };
  const node: Node = { kind: 'list', items, depth: value.depth + 1, ...range };
  const entry = addEntry(program, { work: { kind: 'value', node }, needs, statement: range, nameRange });
  bindName(program, name, { entry, range: nameRange, roots: [entry] });
}

/** After the loop its variable stands for what the last run had. */
function bindLast(program: Program, head: Statement, variable: string, value: number): void {
  const start = program.text.indexOf(variable, head.start + 'for '.length);
  const range = { start, end: start + variable.length };
  const node: Node = { kind: 'number', value, whole: true, depth: 1, ...range };
  const entry = addEntry(program, { work: { kind: 'value', node }, statement: head, nameRange: range });
  bindName(program, variable, { entry, range, roots: [entry] });
}
