// Finds the mutants (possible small faults) of a file, and builds some of them into it, each behind a condition `$m(id)`.
import ts from 'typescript';

export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The original text and its replacement, each on one line. */
  readonly from: string;
  readonly to: string;
  /** The text of the source line. It identifies the mutant when lines have moved. */
  readonly source: string;
  /** The node that is changed, and how: an expression is replaced, or a statement is left out. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'expression' | 'statement';
}

type Change = readonly [to: string, kind?: Mutant['kind']];

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
};

const methods = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['every', 'some'],
  ['some', 'every'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);

/** Calls whose first argument is a sentence, and fields whose value is one. */
const sentences = new Set(['t', 'say', 'raw', 'Error']);
const sentenceFields = new Set(['message', 'hint', 'title', 'describe', 'description', 'words']);

const flat = (text: string): string => text.replace(/\s+/g, ' ');
const shown = (text: string): string => (text.length > 90 ? `${text.slice(0, 60)} … ${text.slice(-25)}` : text);

export const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);

/** Every mutant of a file, in the order of their positions. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = parse(file, text);
  const lines = text.split('\n');
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftOut(node)) return;
    for (const [to, kind = 'expression'] of changesOf(node, source)) {
      const start = node.getStart(source);
      const { line } = source.getLineAndCharacterOfPosition(start);
      const from = shown(flat(node.getText(source)));
      found.push({ file, line: line + 1, from, to: flat(to), source: (lines[line] ?? '').trim(), start, end: node.end, kind }); // prettier-ignore
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Nodes that are not mutated: types, imports, sentences for readers, and assertions that throw only if this program has a fault. */
function isLeftOut(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isThrowStatement(node)) return true;
  if (ts.isIfStatement(node) && isThrow(node.thenStatement) && !node.elseStatement) return true;
  if (!isText(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.name === node || sentenceFields.has(parent.name.getText());
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
    return parent.arguments?.[0] === node && sentences.has(parent.expression.getText());
  return false;
}

const isThrow = (node: ts.Statement): boolean =>
  ts.isThrowStatement(node) || (ts.isBlock(node) && node.statements.length === 1 && node.statements.some(isThrow));
const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  return [...conditionChanges(node), ...expressionChanges(node, source), ...statementChanges(node)];
}

/** Makes a condition always true or always false. A loop's condition is not made always true, because an endless loop tests nothing. */
function conditionChanges(node: ts.Node): Change[] {
  const { parent } = node;
  if (!ts.isExpression(node)) return [];
  if (ts.isIfStatement(parent) && parent.expression === node) return [['true'], ['false']];
  if (ts.isConditionalExpression(parent) && parent.condition === node) return [['true'], ['false']];
  if (ts.isWhileStatement(parent) && parent.expression === node) return [['false']];
  if (ts.isForStatement(parent) && parent.condition === node) return [['false']];
  return [];
}

function expressionChanges(node: ts.Node, source: ts.SourceFile): Change[] {
  const text = (part: ts.Node): string => part.getText(source);
  if (ts.isBinaryExpression(node)) return binaryChanges(node, text);
  if (ts.isPrefixUnaryExpression(node)) return unaryChanges(node, text);
  if (ts.isPostfixUnaryExpression(node))
    return [[`${text(node.operand)}${node.operator === ts.SyntaxKind.PlusPlusToken ? '--' : '++'}`]];
  if (ts.isNumericLiteral(node) && !isName(node)) return [[`(${text(node)} + 1)`], [`(${text(node)} - 1)`]];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [['false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [['true']];
  if (ts.isArrayLiteralExpression(node) && node.elements.length && !isPattern(node)) return [['[]']];
  if (ts.isStringLiteralLike(node) && node.text && !isName(node)) return [["''"]];
  if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) return [["''"]];
  if (ts.isCallExpression(node)) return callChanges(node, text);
  return [];
}

const isName = (node: ts.Node): boolean => {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isEnumMember(parent)) return parent.name === node; // prettier-ignore
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return ts.isExternalModuleReference(parent) || ts.isTaggedTemplateExpression(parent);
};

/** Whether an array is the target of an assignment, as on the left side of `[a, b] = [b, a]`. */
const isPattern = (node: ts.ArrayLiteralExpression): boolean => {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken; // prettier-ignore
  return ts.isForOfStatement(parent) && parent.initializer === node;
};

type Text = (node: ts.Node) => string;

function binaryChanges(node: ts.BinaryExpression, text: Text): Change[] {
  const operator = text(node.operatorToken);
  const other = operators[operator];
  if (other === undefined || (/^\+=?$/.test(operator) && (isText(node.left) || isText(node.right)))) return [];
  const [left, right] = [text(node.left), text(node.right)];
  // `??` may not be combined with `&&` or `||` without parentheses.
  return [/^(&&|\|\||\?\?)$/.test(operator) ? [`(${left}) ${other} (${right})`] : [`${left} ${other} ${right}`]];
}

function unaryChanges({ operator, operand }: ts.PrefixUnaryExpression, text: Text): Change[] {
  if (operator === ts.SyntaxKind.ExclamationToken || operator === ts.SyntaxKind.MinusToken) return [[text(operand)]];
  if (operator === ts.SyntaxKind.PlusPlusToken) return [[`--${text(operand)}`]];
  if (operator === ts.SyntaxKind.MinusMinusToken) return [[`++${text(operand)}`]];
  return [];
}

/** Mutants of calls: `min` for `max`, `some` for `every`, and an argument of `slice` that is off by one. */
function callChanges({ expression, arguments: given }: ts.CallExpression, text: Text): Change[] {
  if (!ts.isPropertyAccessExpression(expression) || ts.isOptionalChain(expression)) return [];
  const name = expression.name.text;
  const args = given.map(text).join(', ');
  const dot = text(expression).slice(0, -name.length);
  const other = methods.get(name);
  if (other !== undefined) return [[`${dot}${other}(${args})`]];
  const last = given.at(-1);
  if (name !== 'slice' || !last || ts.isNumericLiteral(last) || ts.isPrefixUnaryExpression(last)) return [];
  return [[`${text(expression)}(${given.slice(0, -1).map((arg) => `${text(arg)}, `).join('')}(${text(last)}) + 1)`]]; // prettier-ignore
}

function statementChanges(node: ts.Node): Change[] {
  const { parent } = node;
  // Leaving out a `return undefined` at the end of a function changes nothing.
  if (ts.isReturnStatement(node) && node.expression && node.expression.getText() !== 'undefined')
    return [['(no return)', 'statement']];
  if (ts.isExpression(node) && ts.isArrowFunction(parent) && parent.body === node) return [['undefined']];
  if (!ts.isBlock(node) || !node.statements.length || ts.isTryStatement(parent) || ts.isCatchClause(parent)) return [];
  const [only, ...more] = node.statements;
  return only && !more.length && ts.isReturnStatement(only) ? [] : [['{}', 'statement']];
}

/** The text of the file with these mutants built in. `$m(id)` is true for the mutant that is switched on. */
export function builtIn(text: string, mutants: readonly (Mutant & { id: number })[]): string {
  const source = parse('any.ts', text);
  const at = new Map<string, (Mutant & { id: number })[]>();
  for (const mutant of mutants) {
    const key = `${mutant.start}:${mutant.end}`;
    at.set(key, [...(at.get(key) ?? []), mutant]);
  }
  const done = new Set<string>();
  /** The text from `from` on, with the comments and white space before it. */
  const render = (node: ts.Node, from: number): string => {
    let result = '';
    let place = node.getStart(source);
    const lead = text.slice(from, place);
    const key = `${place}:${node.end}`;
    const own = done.has(key) ? undefined : at.get(key);
    if (own) done.add(key);
    ts.forEachChild(node, (child) => {
      if (child.getFullStart() === child.end) return;
      result += render(child, place);
      place = child.end;
    });
    result += text.slice(place, node.end);
    return lead + (own ? own.reduce(wrapped, result) : result);
  };
  return render(source, 0);
}

const wrapped = (text: string, { id, kind, to }: Mutant & { id: number }): string =>
  kind === 'expression' ? `($m(${id}) ? (${to}) : (${text}))` : `{ if (!$m(${id})) ${text} }`;
