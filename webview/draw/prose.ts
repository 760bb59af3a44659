import {
  hasColumns,
  t,
  wordsAt as wordsOfCell,
  type AttentionSpec,
  type Plan,
  type Role,
  type Step,
  type StepWords,
} from '../../engine/index';
import { shownWords } from './orientation';
import { h } from './ui';
import { stepOf, type Cell } from '../page/walk';

/** The step's words with the selected row and column as their example. */
export const wordsAt = (spec: AttentionSpec, plan: Plan, step: Step, cell: Cell): StepWords =>
  shownWords(plan, step, wordsOfCell({ spec, plan }, step, cell));

// A quoted token, in English or German quotes; W_q, b_O, d_model; a capital that is a matrix, with ᵀ.
const marked = /“[^”]*”|„[^“]*“|\b[bdA-Z]_[a-zA-Z]+\b|\b[A-Z]ᵀ?(?![\p{L}\p{M}])/gu;

/** A sentence as nodes: matrices and quoted tokens in the colour of the part they play, indices below the line. */
export function prose(text: string, plan: Plan | undefined, step?: Step): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(marked)) {
    const node = markedNode(match[0], text.slice(0, match.index), plan, step);
    if (!node) continue;
    nodes.push(document.createTextNode(text.slice(end, match.index)), node);
    end = match.index + match[0].length;
  }
  nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

function markedNode(found: string, before: string, plan: Plan | undefined, step: Step | undefined): Node | undefined {
  if (/^[“„]/.test(found)) {
    const role = plan && step ? roleOfToken(before, plan, step) : 'token';
    return h('span', { class: `token ${roleClass(role)}` }, found.slice(1, -1));
  }
  // The article, not the weights: “A large score …”.
  if (found === 'A' && /(^|[.:] )$/.test(before)) return undefined;
  const [base = '', index] = found.split('_');
  const role = plan?.steps.find((s) => s.symbol === found.replace('ᵀ', ''))?.role;
  if (index === undefined) return role && h('span', { class: `symbol ${roleClass(role)}` }, found);
  return h('var', { class: role && roleClass(role) }, base, h('sub', {}, index));
}

/** In a product, rows are those of the left operand and columns those of the right one. */
function roleOfToken(before: string, plan: Plan, step: Step): Role {
  // What stands before a token of the second operand in sentences on products; a translator's, not shown.
  const words = hasColumns(plan) ? t('meets row|is what') : t('column|is what');
  const second = words.split('|').some((word) => before.trimEnd().endsWith(word));
  const operand = step.operands[second ? 1 : 0];
  const product = step.call.op === 'matmul' && stepOf(plan, operand);
  return product ? product.role : step.role;
}

export const roleClass = (role: Role): string => `role-${role}`;

/** `(6×8)·(8×6) → (6×6)` with each shape in the colour of its matrix. */
export function shapesOf(plan: Plan, step: Step): Node[] {
  const roles = step.operands.flatMap((id) => stepOf(plan, id)?.role ?? []);
  // “rows (ids) of (table)”: written the other way round.
  if (step.call.op === 'lookup' || (step.call.op === 'matmul' && hasColumns(plan))) roles.reverse();
  const parts = step.shapes.split(/(\([^)]*\))/);
  const last = parts.findLastIndex((part) => part.startsWith('('));
  let i = 0;
  return parts.map((part, at) => {
    if (!part.startsWith('(')) return document.createTextNode(part);
    const role = at === last ? step.role : (roles[i++] ?? step.role);
    return h('span', { class: roleClass(role) }, part);
  });
}
