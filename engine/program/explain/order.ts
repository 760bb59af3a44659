/**
 * The order and the roles of a program's steps as they are shown. Steps are made where they are first needed, so that V comes after the weights;
 * Q, K and V are shown side by side before the scores, as in the paper's figure 2.
 */
import type { Role } from '../../text';
import type { ProgramStep } from '../../spec';

/** What leads to V stands before the scores; what leads to Q, K or V alone has its role. */
export const inShownOrder = (steps: readonly ProgramStep[]): readonly ProgramStep[] =>
  withBranchRoles(valuesFirst(steps));

const operandsOf = (step: ProgramStep): readonly string[] => (step.op === 'given' ? [] : step.operands);

/** Moves the steps that V needs, and that do not need the scores, before the scores. Each step still follows its operands. */
function valuesFirst(steps: readonly ProgramStep[]): readonly ProgramStep[] {
  const at = steps.findIndex(({ id }) => id === 'scores');
  if (at < 0) return steps;
  const [before, later] = [steps.slice(0, at), steps.slice(at)];
  const ofScores = dependentsOf('scores', later);
  const needed = new Set<string>();
  for (const step of [...later].reverse()) {
    const isValue = step.role === 'value' && !ofScores.has(step.id);
    if (isValue || needed.has(step.id)) for (const id of [step.id, ...operandsOf(step)]) needed.add(id);
  }
  const moves = ({ id }: ProgramStep): boolean => needed.has(id) && !ofScores.has(id);
  return [...before, ...later.filter(moves), ...later.filter((step) => !moves(step))];
}

/** The ids of a step and of all that is computed from it. */
function dependentsOf(id: string, steps: readonly ProgramStep[]): ReadonlySet<string> {
  const found = new Set([id]);
  for (const step of steps) if (operandsOf(step).some((operand) => found.has(operand))) found.add(step.id);
  return found;
}

const branchRoles: readonly Role[] = ['query', 'key', 'value'];

/** A computed step without a role of its own (a product before its bias is added) has that of the only branch that uses it. */
function withBranchRoles(steps: readonly ProgramStep[]): readonly ProgramStep[] {
  const users = new Map<string, Role[]>();
  const shown: ProgramStep[] = [];
  for (const step of [...steps].reverse()) {
    const [first, ...others] = users.get(step.id) ?? [];
    const joins =
      step.op !== 'given' && step.role === 'x' && step.id !== 'x' && first && others.every((role) => role === first);
    const role = joins && branchRoles.includes(first) ? first : step.role;
    for (const operand of operandsOf(step)) users.set(operand, [...(users.get(operand) ?? []), role]);
    shown.unshift(role === step.role ? step : { ...step, role });
  }
  return shown;
}
