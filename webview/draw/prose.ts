import {
  hasColumns,
  spansOf,
  type Lead,
  type Plan,
  type Role,
  type Sentence,
  type Span,
  type Step,
} from '../../engine/index';
import { stepOf } from '../trace';
import { atSymbols } from './symbols';
import { h } from './ui';

/** How a sentence is shown. */
export interface ProseOptions {
  /** Whose steps its symbols are, and whether its tokens are columns. */
  readonly plan?: Plan | undefined;
  /** Its symbols, tokens and numbers lead to their steps and cells, but for the step that is shown; see `leadable` (leads.ts). */
  readonly currentStep?: Step | undefined;
  /** What stands in its slots. */
  readonly slots?: readonly Node[];
  /** What is written in place of a span. */
  readonly replaceText?: (span: Span) => string;
}

/** A sentence as nodes: matrices and tokens in the colour of the part they play, indices below the line. */
export function prose(sentence: Sentence, options: ProseOptions = {}): Node[] {
  const { plan, slots = [], replaceText = ({ text }: Span) => text } = options;
  return spansOf(sentence, plan !== undefined && hasColumns(plan)).flatMap((span) => {
    if (span.kind === 'slot') return slots[span.slot] ?? [];
    // A text of our own may name a cell: W_q[1, 2].
    if (span.kind === 'text') return symbolsIn(replaceText(span));
    const shown = nodeOf(span, replaceText(span), plan);
    const to = targetOf(span, options);
    return to && plan ? linkButton(shown, to, plan) : shown;
  });
}

/** A text of our own with its symbols' indices below the line, as it is seen; `typeset` (symbols.ts) is for what is listened to as well. */
export const symbolsIn = (text: string): Node[] =>
  atSymbols(text).map((part, i) => (i % 2 ? symbolNode(part, undefined) : document.createTextNode(part)));

function nodeOf(span: Span, text: string, plan: Plan | undefined): Node {
  switch (span.kind) {
    case 'token':
      return h('span', { class: `token ${roleClass(span.role)}` }, span.token);
    case 'symbol':
      return symbolNode(text, roleOf(span, plan));
    case 'number':
      return span.role ? h('span', { class: roleClass(span.role) }, text) : document.createTextNode(text);
    default:
      return document.createTextNode(text);
  }
}

type SymbolSpan = Extract<Span, { kind: 'symbol' }>;

const stepsOf = ({ steps }: SymbolSpan, plan: Plan | undefined): readonly Step[] =>
  steps.flatMap((id) => (plan && stepOf(plan, id)) ?? []);

/** A symbol has a colour where the plan has its matrix. */
const roleOf = (span: SymbolSpan, plan: Plan | undefined): Role | undefined =>
  stepsOf(span, plan).length ? span.role : undefined;

function symbolNode(text: string, role: Role | undefined): Node {
  const [base = '', index] = text.split('_');
  const colour = role && roleClass(role);
  if (index !== undefined) return h('var', { class: colour }, base, h('sub', {}, index));
  return colour ? h('span', { class: `symbol ${colour}` }, base) : document.createTextNode(base);
}

/** Where a span leads from the step that is shown. */
function targetOf(span: Span, { plan, currentStep }: ProseOptions): Lead | undefined {
  if (!currentStep || !plan) return undefined;
  if (span.kind === 'symbol') {
    const steps = stepsOf(span, plan);
    return steps[0] && !steps.includes(currentStep) ? { step: steps[0].id } : undefined;
  }
  return (span.kind === 'token' || span.kind === 'number') && span.to && stepOf(plan, span.to.step)
    ? span.to
    : undefined;
}

/**
 * A button within the sentence. Where it leads stands in its attributes, so that the same sentence about another cell is another node. Its name
 * begins with what is seen, so that a veiled number is not spoken and a voice can ask for what stands there.
 */
function linkButton(shown: Node, to: Lead, plan: Plan): Node {
  const name = stepOf(plan, to.step)?.words.name ?? '';
  // A symbol with an index is named by its own letters; where it leads is its description.
  const label = shown.nodeName === 'VAR' ? undefined : `${shown.textContent ?? ''}, ${name}`;
  const place = {
    'data-to': to.step,
    'data-to-row': to.row,
    'data-to-column': to.column,
    'data-to-lead': to.lead?.join(),
  };
  return h(
    'button',
    {
      type: 'button',
      class: 'sentence-link',
      tabindex: -1,
      title: name,
      'aria-label': label,
      ...place,
    },
    shown,
  );
}

export const roleClass = (role: Role): string => `role-${role}`;
