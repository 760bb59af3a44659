import { t } from '../../text/l10n';
import type { TextRange } from '../../text/problems';
import { assignedNames, augmented } from './assigned';
import { resolve, riskOfBlock, rootsOf, streamOf } from './bind';
import { advance, isAt, isWord, lexerOf, take, wordOf, type Lexer } from './lexer';
import { drawOf, isHarmless, isHarmlessMethod, knownFunction } from './modules';
import { parseExpression } from './parser';
import { addEntry, bindName, changeInPlace, loseName, placeOf, type Body, type Program } from './scope';
import type { Statement } from './statements';
import { dotted, type Node } from './tree';

/** Whether the statement was understood as one; where not, a literal in it may still be one. */
export type Ran = 'assignment' | 'expression' | 'nothing';

/** Binds what a statement assigns, draws and changes. Nothing is computed yet. */
export function runStatement(program: Program, statement: Statement): Ran {
  const { word } = statement;
  if (word === 'import' || word === 'from') return runImport(program, statement);
  const l = lexerOf(program.text, statement.start, statement.end, program.literals);
  if (leading.has(word)) advance(l);
  const first = parseExpression(l);
  program.steps += l.steps;
  if (word === 'del') return forgetTargets(program, first, statement);
  if (!first) return unread(program, statement);
  if (l.kind === 'end') {
    resolve(program, first, statement);
    return 'expression';
  }
  const read = isAt(l, ':') && !leading.has(word) ? annotation(l) : true;
  if (!read) return unread(program, statement);
  if (l.kind === 'operator' && augmented.has(wordOf(l))) return augment(program, statement, first, l);
  return assign(program, statement, first, l);
}

/** Words before an expression that is none the less computed. */
const leading = new Set(['return', 'assert', 'raise', 'del', 'await', 'global', 'nonlocal', 'yield']);

/** `Q: np.ndarray = …`: past the type. */
function annotation(l: Lexer): boolean {
  advance(l);
  return parseExpression(l) !== undefined && isAt(l, '=');
}

function assign(program: Program, statement: Statement, first: Node, l: Lexer): Ran {
  const targets = [first];
  let value: Node | undefined;
  while (take(l, '=')) {
    value = parseExpression(l);
    if (!value) break;
    if (isAt(l, '=')) targets.push(value);
  }
  if (!value || l.kind !== 'end' || !targets.every(isTarget)) return unread(program, statement);
  program.steps += l.steps;
  const needs = resolve(program, value, statement);
  for (const target of targets) assignTarget(program, statement, target, { node: value, needs });
  return 'assignment';
}

const isTarget = (node: Node): boolean =>
  node.kind === 'name' ||
  node.kind === 'attribute' ||
  node.kind === 'subscript' ||
  ((node.kind === 'tuple' || node.kind === 'list') &&
    node.items.every((part) => isTarget(part) || part.kind === 'other'));

interface Assigned {
  readonly node: Node;
  readonly needs: readonly number[];
}

function assignTarget(program: Program, statement: Statement, target: Node, { node, needs }: Assigned): void {
  if (target.kind === 'tuple' || target.kind === 'list')
    return unpack(program, statement, target.items, { node, needs });
  if (target.kind === 'subscript') return assignByIndex(program, statement, target, { node, needs });
  const name = dotted(target);
  if (name === undefined) return;
  const work = { kind: 'value', node } as const;
  // A name for a name is the same entry, so that where it was defined is still known.
  const entry =
    node.kind === 'name' && node.entry !== undefined
      ? node.entry
      : addEntry(program, { work, needs, statement, nameRange: rangeOf(target) });
  const stream = streamOf(program, node);
  if (stream) program.live.add(stream);
  const body = node.kind === 'name' ? program.names.get(node.name)?.body : undefined;
  const more = { ...(stream ? { stream } : {}), ...(body ? { body } : {}) };
  bindName(program, name, { entry, range: rangeOf(target), roots: rootsOf(program, node) ?? [entry], ...more });
}

const rangeOf = ({ start, end }: TextRange): TextRange => ({ start, end });

/** `Q, K, V = a, b, c` item by item; `Q, K = f` by index. Values were all computed before the first name is bound. */
function unpack(program: Program, statement: Statement, targets: readonly Node[], { node, needs }: Assigned): void {
  const count = targets.length;
  if ((node.kind === 'tuple' || node.kind === 'list') && node.items.length === count) {
    const roots = node.items.map((part) => rootsOf(program, part));
    const streams = node.items.map((part) => streamOf(program, part));
    targets.forEach((target, i) => {
      const part = node.items[i] as Node;
      const entry = addEntry(program, {
        work: { kind: 'value', node: part },
        needs,
        statement,
        nameRange: rangeOf(target),
      });
      bindPart(program, statement, target, { entry, roots: roots[i], stream: streams[i] });
    });
    return;
  }
  const whole = addEntry(program, { work: { kind: 'value', node }, needs, statement });
  const roots = rootsOf(program, node);
  targets.forEach((target, index) => {
    const work = { kind: 'item', of: whole, index, count } as const;
    const entry = addEntry(program, { work, needs: [whole], statement, nameRange: rangeOf(target) });
    bindPart(program, statement, target, { entry, roots: roots ?? [whole], stream: undefined });
  });
}

interface Part {
  readonly entry: number;
  readonly roots: readonly number[] | undefined;
  readonly stream: ReturnType<typeof streamOf>;
}

function bindPart(program: Program, statement: Statement, target: Node, { entry, roots, stream }: Part): void {
  const name = dotted(target);
  if (name === undefined)
    for (const lost of namesIn(target))
      loseName(program, lost, statement, t('{0} is unpacked in a way that is not computed', lost));
  else
    bindName(program, name, { entry, range: rangeOf(target), roots: roots ?? [entry], ...(stream ? { stream } : {}) });
}

function namesIn(node: Node): string[] {
  if (node.kind === 'tuple' || node.kind === 'list' || node.kind === 'other')
    return (node.kind === 'other' ? node.parts : node.items).flatMap(namesIn);
  const name = node.kind === 'subscript' ? dotted(node.of) : dotted(node);
  return name === undefined ? [] : [name];
}

/** `mask[mask == 1] = -np.inf` changes the array, under each of its names. */
function assignByIndex(
  program: Program,
  statement: Statement,
  target: Extract<Node, { kind: 'subscript' }>,
  { node, needs }: Assigned,
): void {
  const name = dotted(target.of);
  const binding = name === undefined ? undefined : program.names.get(name);
  if (name === undefined || !binding) return;
  const indexNeeds = resolve(program, target.index, statement);
  changeInPlace(program, name, statement);
  const work = { kind: 'masked', target: binding.entry, index: target.index, node } as const;
  const entry = addEntry(program, {
    work,
    needs: [binding.entry, ...needs, ...indexNeeds],
    statement,
    nameRange: rangeOf(target.of),
  });
  bindName(program, name, { entry, range: rangeOf(target.of), roots: [entry] });
}

function augment(program: Program, statement: Statement, target: Node, l: Lexer): Ran {
  const operator = wordOf(l).slice(0, -1);
  advance(l);
  const node = parseExpression(l);
  const name = dotted(target);
  if (!node || l.kind !== 'end') return unread(program, statement);
  const needs = resolve(program, node, statement);
  const binding = name === undefined ? undefined : program.names.get(name);
  if (name === undefined || !binding) {
    for (const lost of namesIn(target))
      loseAndChange(
        program,
        lost,
        statement,
        t('{0} is changed in {1}, which is not computed', lost, placeOf(program, statement.start)),
      );
    return 'assignment';
  }
  changeInPlace(program, name, statement);
  const work = { kind: 'augmented', target: binding.entry, operator, node } as const;
  const entry = addEntry(program, { work, needs: [binding.entry, ...needs], statement, nameRange: rangeOf(target) });
  bindName(program, name, { entry, range: rangeOf(target), roots: [entry] });
  return 'assignment';
}

function loseAndChange(program: Program, name: string, at: TextRange, message: string, hint?: string): void {
  changeInPlace(program, name, at);
  loseName(program, name, at, message, hint);
}

function forgetTargets(program: Program, node: Node | undefined, statement: Statement): Ran {
  for (const name of node ? namesIn(node) : [])
    loseName(program, name, statement, t('{0} is deleted in {1}', name, placeOf(program, statement.start)));
  return 'expression';
}

/** A statement that is not understood: what it assigns is no longer known. */
export function unread(program: Program, statement: Statement): Ran {
  for (const name of assignedNames(program, statement))
    if (program.names.has(name))
      loseAndChange(
        program,
        name,
        statement,
        t('{0} is assigned in {1} by something that is not read', name, placeOf(program, statement.start)),
      );
  return 'nothing';
}

const imports = /^import\s+(.+)$/s;
const fromImports = /^from\s+([\w.]+)\s+import\s+(.+)$/s;
const longestImport = 2000;

function runImport(program: Program, { start, end }: Statement): Ran {
  const text = program.text
    .slice(start, Math.min(end, start + longestImport))
    .replace(/[()\\]/g, ' ')
    .replace(/#.*/g, '');
  program.steps += text.length;
  const from = fromImports.exec(text);
  const list = from?.[2] ?? imports.exec(text)?.[1];
  if (list === undefined) return 'nothing';
  for (const part of list.split(',')) {
    const [, path, alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? [];
    if (path === undefined) continue;
    const name = alias ?? (from ? path : (path.split('.')[0] ?? path));
    const whole = from ? `${from[1]}.${path}` : alias ? path : name;
    program.aliases.set(name, whole);
    program.names.delete(name);
  }
  return 'expression';
}

/** What is called in a block and may draw, by the words before brackets; and whether something is changed in place. */
export function bodyOf(program: Program, statements: readonly Statement[]): Body & { readonly calls: boolean } {
  let risk: string | undefined;
  let changes = false;
  for (const { start, end } of statements) {
    const text = program.text.slice(start, end);
    program.steps += text.length;
    changes ||= /\]\s*[-+*/@]?=(?!=)|[-+*/@]=|_\(|\.(?:sort|fill|resize|append|extend|insert|pop|clear|update)\(/.test(
      text,
    );
    for (const found of text.matchAll(calls)) risk ??= riskOf(program, found[1] ?? '', text.slice(0, found.index));
  }
  return { ...(risk === undefined ? {} : { risk }), changes, calls: true };
}

const calls = /(?<![\p{L}\d_.])((?:[\p{L}_][\p{L}\d_]*\.)*[\p{L}_][\p{L}\d_]*)\(/gu;

function riskOf(program: Program, path: string, before: string): string | undefined {
  if (/\b(?:def|class)\s+$/.test(before.slice(-12)) || blockWords.has(path)) return undefined;
  const binding = program.names.get(path);
  if (binding) return binding.body && binding.body.risk === undefined ? undefined : `${path}(…)`;
  const [root = ''] = path.split('.');
  const method = path.slice(path.lastIndexOf('.') + 1);
  if (before.endsWith('.') || program.names.has(root)) return isHarmlessMethod(method) ? undefined : `${path}(…)`;
  const name = (program.aliases.get(root) ?? root) + path.slice(root.length);
  if (drawOf(name)) return `${path}(…)`;
  if (knownFunction(name) || isHarmless(name)) return undefined;
  return path.includes('.') && !program.aliases.has(root) && isHarmlessMethod(method) ? undefined : `${path}(…)`;
}

/** Words that stand before a bracket and call nothing. */
const blockWords = new Set(
  'if elif while for in and or not return assert print yield with lambda is else except raise del'.split(' '),
);

/** `if`, `for`, `def` …: what stands in them is not run. */
export function skipBlock(program: Program, header: Statement, body: readonly Statement[]): void {
  const place = placeOf(program, header.start);
  const own = { start: header.start, end: body.at(-1)?.end ?? header.end };
  if (header.word === 'def' || header.word === 'class') return defineFunction(program, header, body);
  const found = bodyOf(program, [header, ...body]);
  const lost = new Set([header, ...body].flatMap((s) => [...(s.word === 'def' ? [] : assignedNames(program, s))]));
  for (const name of lost)
    if (!blockWords.has(name) && (program.names.has(name) || !program.aliases.has(name)))
      loseAndChange(
        program,
        name,
        header,
        t('{0} is assigned in {1}, {2}, which is not run', name, article(header.word), place),
        t('Run the code, print the matrix and select what is printed.'),
      );
  if (found.risk !== undefined) riskOfBlock(program, t('{0} in {1}', found.risk, article(header.word)), own);
}

const article = (word: string): string =>
  word === 'if' || word === 'elif' || word === 'else' || word === 'except' ? t('an {0}', word) : t('a {0}', word);

function defineFunction(program: Program, header: Statement, body: readonly Statement[]): void {
  const l = lexerOf(program.text, header.start, header.end);
  advance(l);
  if (isWord(l, 'def')) advance(l);
  const name = wordOf(l);
  const range = { start: l.start, end: l.stop };
  const found = bodyOf(program, body);
  const place = placeOf(program, header.start);
  const message =
    header.word === 'class'
      ? t('{0} is a class of {1}, which is not run', name, place)
      : t('{0} is a function of {1}, which is not run', name, place);
  loseName(program, name, range, message);
  const binding = program.names.get(name);
  if (binding && header.word === 'def') bindName(program, name, { ...binding, body: found });
  else if (found.risk !== undefined) riskOfBlock(program, t('{0} in class {1}', found.risk, name), header);
}
