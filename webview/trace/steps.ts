import { mainSteps, type Plan, type Step } from '../../engine/index';

/** A cell as [row, column] in a step. */
export type Cell = readonly [row: number, column: number];

export const stepOf = (plan: Plan, id: string | undefined): Step | undefined => plan.steps.find((s) => s.id === id);

/** The inputs that a step uses, each behind those that it is made of: W_qkv, then W_q. */
export const inputsOf = (plan: Plan, step: Step): readonly Step[] =>
  step.operands.flatMap((id) =>
    plan.steps.filter((s) => s.id === id && s.place === 'input').flatMap((input) => [...inputsOf(plan, input), input]),
  );

/** The first step that takes this one as an operand. */
export const firstUser = (plan: Plan, step: Step): Step | undefined =>
  plan.steps.find((s) => s.operands.includes(step.id));

/** Whether a step is switched off (no mask, no scale): its numbers are its operand's. */
export const isOff = ({ call, place }: Step): boolean => call.op === 'identity' && place === 'main';

/** The steps that a reader goes through one by one: those that change something. */
export const walkedSteps = (plan: Plan): readonly Step[] => mainSteps(plan).filter((step) => !isOff(step));

/** The step before (−1) or after (+1) that is not switched off. From an input: the step that uses it, or the one before that. Undefined at the ends. */
export function neighbour(plan: Plan, step: Step, by: -1 | 1): Step | undefined {
  const steps = mainSteps(plan);
  if (step.place !== 'input') {
    for (let at = steps.indexOf(step) + by; ; at += by) {
      const next = steps[at];
      if (!next || !isOff(next)) return next;
    }
  }
  const user = firstUser(plan, step);
  if (!user || by === 1) return user;
  if (user.place === 'input') return neighbour(plan, user, by);
  return steps[steps.indexOf(user) - 1] ?? user;
}

/** Whether masked scores have a key a row, as a program may have them: by how its weights sum the values, and what is turned before that. */
export function keysInRows(plan: Plan): boolean {
  const before = turnsBetween(plan, 'weights', 'masked');
  for (const { call, operands } of before === undefined ? [] : plan.steps)
    for (const [i, id] of operands.entries()) {
      const turned = call.op === 'matmul' ? turnsBetween(plan, id, 'weights') : undefined;
      if (turned !== undefined && call.op === 'matmul')
        return ((before as number) + turned + (i === 1 && !call.transposeB ? 1 : 0)) % 2 === 1;
    }
  return false;
}

/** How often rows and columns change places from one step on to another, by first operands. */
function turnsBetween(plan: Plan, last: string, first: string): number | undefined {
  let turns = 0;
  for (let at = stepOf(plan, last); at; at = stepOf(plan, at.operands[0])) {
    if (at.id === first) return turns;
    const { call } = at;
    if (call.op === 'rearrange' && (call.strides.at(-1) ?? 0) > (call.strides.at(-2) ?? 0)) turns++;
  }
  return undefined;
}

const rowsOf = (step: Step): number => step.shape.at(-2) ?? 1;
const columnsOf = (step: Step): number => step.shape.at(-1) ?? 1;

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

/** The cell that is selected before the reader selects one: second row, third column, if the matrix has that many. */
export function exampleCell(step: Step): Cell {
  const row = Math.min(1, rowsOf(step) - 1);
  return [row, exampleColumn(step, row)];
}

/** In matrices of at most this many rows, a masked example cell is recognisable as one; lessons refer to it. */
const fewRows = 256;

/** The third column; in the scores of a long text one on the diagonal, which no causal mask or window hides. */
function exampleColumn(step: Step, row: number): number {
  const third = Math.min(2, columnsOf(step) - 1);
  const long = rowsOf(step) > fewRows && sameNames(step.rowLabels, step.columnLabels);
  return long ? Math.min(row, columnsOf(step) - 1) : third;
}

/** The cell to select when going to another step: the same row and column where their labels are the same, else the example cell's. */
export function carryCell(from: Step | undefined, to: Step, cell: Cell | undefined): Cell {
  const example = exampleCell(to);
  if (!from || !cell) return example;
  const row = sameNames(from.rowLabels, to.rowLabels) ? cell[0] : example[0];
  return [row, sameNames(from.columnLabels, to.columnLabels) ? cell[1] : exampleColumn(to, row)];
}

/** The nearest cell that the step has. */
export function clampCell(step: Step, [row, column]: Cell): Cell {
  const clamp = (x: number, size: number): number => Math.max(0, Math.min(x, size - 1));
  return [clamp(row, rowsOf(step)), clamp(column, columnsOf(step))];
}

/** The row of a step that belongs to a token: by position if rows are tokens, by text in a table of distinct tokens. */
export function rowOfToken(plan: Plan, step: Step, token: number): number | undefined {
  const text = plan.tokens[token]?.text;
  if (step.rowLabels.length === plan.tokens.length && step.rowLabels[token] === text) return token;
  const row = text === undefined ? -1 : step.rowLabels.indexOf(text);
  return step.place === 'input' && row >= 0 ? row : undefined;
}

/** Whether a symbol is code with an operator in it: `mask == 0[1, 2]` would be a cell of 0. */
export const needsParentheses = (symbol: string): boolean => / [^\p{L}\p{N}_ ]{1,2} /u.test(symbol);
