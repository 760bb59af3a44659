import { t, type Problem } from '../../text';
import { decodeNumber, programLimit, type ProgramStep, type Start, dimsOf } from '../../spec';
import { sizeOf } from '../../math';
import {
  appliedFormula,
  exchangesLastAxes,
  isInside,
  joined,
  formula,
  product,
  symbol,
  latexNumber,
  fraction,
  exp,
  isReal,
  type Expression,
  type Symbol,
} from '../../operations';
import { operations, type OperationCall, type OperationName } from '../operations';
import type { Step, ValueKind } from '../plan';
import { appendStep, tokenTexts, stepOf, type Draft } from './draft';

/* The plan of a spec that starts from a program: its steps are in the spec, each one an operation. */

type Shape = readonly number[];
type ComputedStep = Exclude<ProgramStep, { op: 'given' }>;

function callOf(step: ProgramStep, i: number): OperationCall {
  switch (step.op) {
    case 'given': {
      const path = `start.steps.${i}.values`;
      return step.hides ? { op: 'givenMask', path, hiddenIs: 1 } : { op: 'given', path };
    }
    case 'matmul':
      return { op: 'matmul', transposeB: step.transposeB };
    case 'combine':
      return { op: 'combine', sign: step.sign };
    case 'scale':
    case 'divide':
      return { op: step.op, by: step.by };
    case 'mask':
      return { op: 'mask', fill: decodeNumber(step.fill) };
    case 'softmax':
      return { op: 'softmax', emptyRow: 'nan' };
    case 'reduce':
      return { op: 'reduce', of: step.of, over: step.over };
    case 'rearrange':
      return { op: 'rearrange', shape: step.shape, strides: step.strides, offset: step.offset };
    case 'pick':
      return { op: 'pick', shape: step.shape, places: step.places };
    case 'apply':
      return { op: 'apply', of: step.of };
    case 'join':
      return { op: 'join', axis: step.axis };
    case 'splitHeads':
      return { op: 'splitHeads', heads: step.heads };
    case 'repeatHeads':
      return { op: 'repeatHeads', times: step.times };
    case 'add':
    case 'exponential':
    case 'concatHeads':
      return { op: step.op };
  }
}

/** The problem when a program's steps do not fit together: operand shapes, a view outside its operand, too many numbers. */
export function programProblem(start: Start): Problem | undefined {
  if (start.from !== 'program') return undefined;
  const shapes = new Map<string, Shape>();
  let numbers = 0;
  for (const [i, step] of start.steps.entries()) {
    const shape = shapeOf(step, i, shapes);
    const path = `start.steps[${i}]`;
    if (typeof shape === 'string')
      return { code: 'shape-mismatch', path, message: t('{0}: the shapes do not fit: {1}', path, shape) };
    shapes.set(step.id, shape);
    numbers += shape.reduce((a, b) => a * b, 1);
    if (numbers > 4 * programLimit.numbers)
      return {
        code: 'too-large',
        path,
        message: t('the program’s steps have more than {0} numbers', 4 * programLimit.numbers),
      };
  }
  return undefined;
}

/** The shape of a step's result, or a message that says what does not fit. */
function shapeOf(step: ProgramStep, i: number, known: ReadonlyMap<string, Shape>): Shape | string {
  if (step.op === 'given') return dimsOf(step.values);
  const operands = step.operands.map((id) => known.get(id) ?? []);
  const call = callOf(step, i);
  if (call.op === 'rearrange' && !isInside(call, operands[0] ?? [])) return t('a view leaves its operand');
  if (call.op === 'pick' && call.places.some((at) => at >= sizeOf(operands[0] ?? [])))
    return t('a view leaves its operand');
  try {
    return operations[call.op as OperationName].shape(call as never, operands);
  } catch (error) {
    return (error as Error).message;
  }
}

export function planProgram(draft: Draft): void {
  const { start } = draft.spec;
  if (start.from !== 'program') return;
  for (const [i, step] of start.steps.entries()) planStep(draft, step, i);
}

function planStep(draft: Draft, step: ProgramStep, i: number): void {
  const call = callOf(step, i);
  const shape = step.op === 'given' ? dimsOf(step.values) : undefined;
  const result =
    shape ??
    operations[call.op as OperationName].shape(
      call as never,
      operandsOf(draft, step).map((of) => of.shape),
    );
  const hidden = hidingMask(draft, step);
  if (hidden === undefined) delete draft.hiddenBy;
  else draft.hiddenBy = hidden;
  appendStep(draft, {
    id: step.id,
    symbol: symbolOf(step),
    unicode: step.name,
    kind: kindOf(step),
    call,
    ...(shape ? { shape } : { operands: (step as ComputedStep).operands }),
    formula: formulaOf(draft, step, result),
    place: placeOf(step),
    rows: axisLabels(draft, step, result.at(-2), 'rows'),
    columns: axisLabels(draft, step, result.at(-1), 'columns'),
  });
  const added = draft.steps.at(-1) as Step;
  Object.assign(added, originOf(draft, step));
}

/** The step's place in the code, and whether its numbers stand in for some that the code does not give. */
function originOf(draft: Draft, step: ProgramStep): Pick<Step, 'line' | 'range' | 'standIn'> {
  const [start, end] = step.range ?? [];
  const standIn =
    step.op === 'given'
      ? step.origin === 'stand-in' || step.standsIn === true
      : operandsOf(draft, step).some((of) => of.standIn);
  return {
    ...(step.line !== undefined && { line: step.line }),
    ...(start !== undefined && end !== undefined && { range: { start, end } }),
    ...(standIn && { standIn }),
  };
}

const operandsOf = (draft: Draft, step: ProgramStep): readonly Step[] =>
  step.op === 'given' ? [] : step.operands.map((id) => stepOf(draft, id));

/** Operations that leave −∞ where it is, and the softmax, which makes 0 of it. */
const keepHidden: ReadonlySet<ProgramStep['op']> = new Set(['softmax', 'scale', 'divide']);

/** The id of the mask whose cells stay hidden in later steps, up to the weights. */
function hidingMask(draft: Draft, step: ProgramStep): string | undefined {
  if (step.op === 'mask') return step.operands[1];
  return step.op !== 'given' && keepHidden.has(step.op) ? stepOf(draft, step.operands[0] ?? '').hiddenBy : undefined;
}

function kindOf(step: ProgramStep): ValueKind {
  if (step.op === 'given' && step.hides) return 'mask';
  return step.role === 'weights' ? 'weights' : 'signed';
}

const placeOf = ({ id, role, op }: ProgramStep): Step['place'] => {
  const ofBranch = role === 'query' || role === 'key' || role === 'value';
  if (/^[qkv]$/.test(id) || (ofBranch && op !== 'given')) return 'branch';
  return op === 'given' && (role === 'parameter' || role === 'mask') ? 'input' : 'main';
};

/** `W_v` has an index, as the page writes it; longer names of code are words. */
const symbolOf = ({ role, name }: ProgramStep): Symbol =>
  symbol(role, isNotation(name) ? notation(name) : letterWithIndex.test(name) ? name.replace(letterWithIndex, '\\mathit{$1}_{\\mathit{$2}}') : `\\mathit{${name.replace(/[\\{}$&#^_%~]/g, (c) => (c === '_' ? '\\_' : ''))}}`); // prettier-ignore

const letterWithIndex = /^(\p{L})_([a-z]+|\d)$/iu;

/** What a formula calls a part of itself (`QKᵀ/√d_k`); names of code have several letters. */
const isNotation = (name: string): boolean => /^(?:√?\p{L}(?:_[\p{L}\d]+)?ᵀ?\/?)+$/u.test(name) && /[ᵀ√/]/.test(name);

/** In braces, as another transpose may follow. */
const notation = (name: string): string => {
  const sized = name.replace(/_([\p{L}\d]+?)(?=ᵀ|\/|$)/gu, '_{$1}').replace(/√(\p{L}(?:_\{[^{}]*\})?)/gu, '\\sqrt{$1}');
  return `{${sized.replaceAll('ᵀ', '^{\\top}')}}`;
};

/** Labels of an axis: tokens for the rows of queries, X and output; key tokens for rows of K and V and for columns of scores and weights. */
function axisLabels(
  draft: Draft,
  { role }: ProgramStep,
  size: number | undefined,
  axis: 'rows' | 'columns',
): readonly string[] | undefined {
  const { tokens, keyTokens } = draft;
  const grid = role === 'scores' || role === 'weights' || role === 'mask';
  const ofKeys = role === 'key' || role === 'value';
  const list = axis === 'columns' ? (grid ? keyTokens : undefined) : grid || role === 'query' || role === 'x' || role === 'output' ? tokens : ofKeys ? keyTokens : undefined; // prettier-ignore
  return list && list.length === size ? tokenTexts(list) : undefined;
}

function formulaOf(draft: Draft, step: ProgramStep, shape: Shape): Expression {
  const self = symbolOf(step);
  if (step.op === 'given') return isReal(self, shape);
  const [a = self, b = self] = step.operands.map((id) => programSymbol(draft, id));
  switch (step.op) {
    case 'matmul':
      return formula`${self} = ${product(a, b, step.transposeB)}`;
    case 'add':
      return formula`${self} = ${a} + ${b}`;
    case 'combine':
      return step.sign === '÷'
        ? formula`${self} = ${fraction(a, b)}`
        : formula`${self} = ${a} ${step.sign === '−' ? '-' : '\\odot'} ${b}`;
    case 'scale':
      return formula`${self} = ${latexNumber(step.by)} \cdot ${a}`;
    case 'divide':
      return formula`${self} = ${a} \,/\, ${latexNumber(step.by)}`;
    case 'mask':
      return formula`${self} = ${a} \text{, hidden by } ${b}`;
    case 'softmax':
      return formula`${self} = \operatorname{softmax}(${a})`;
    case 'exponential':
      return formula`${self} = ${exp(a)}`;
    case 'reduce':
      return step.of === 'sum' ? formula`${self} = \textstyle\sum ${a}` : formula`${self} = \max ${a}`;
    case 'apply':
      return formula`${self} = ${appliedFormula(step.of, a)}`;
    case 'join':
      return joined(
        self,
        step.operands.map((id) => programSymbol(draft, id)),
      );
    case 'splitHeads':
    case 'concatHeads':
    case 'repeatHeads':
      return operations[step.op].formula(step as never, self, [a]);
    case 'pick':
      return formula`${self} = ${a}_{\text{rearranged}}`;
    case 'rearrange':
      return exchangesLastAxes(step) ? formula`${self} = (${a})^{\top}` : formula`${self} = ${a}_{\text{rearranged}}`;
  }
}

function programSymbol({ spec: { start } }: Draft, id: string): Symbol {
  const step = start.from === 'program' ? start.steps.find((one) => one.id === id) : undefined;
  return step ? symbolOf(step) : symbol('x', id);
}
