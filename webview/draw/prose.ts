import {
  hasColumns,
  spansOf,
  type LinkTarget,
  type Plan,
  type Role,
  type Sentence,
  type Span,
  type Step,
} from '../../engine/index';
import { stepOf } from '../trace';
import { symbolNodes, typeset } from './symbols';
import { h } from './ui';

/** How a sentence is rendered. */
export interface ProseOptions {
  /** The plan to which the sentence's symbols refer. It also decides whether tokens are drawn as columns. */
  readonly plan?: Plan | undefined;
  /** The current step. If given, symbols, tokens and numbers become links to other steps and cells; see `enableLinks` (links.ts). */
  readonly currentStep?: Step | undefined;
  /** The elements to put into the sentence's slots. */
  readonly slots?: readonly Node[];
  /** Overrides a span's text. */
  readonly replaceText?: (span: Span) => string;
}

/** A sentence as nodes: matrices and tokens in the colour of their role, indices as subscripts. */
export function prose(sentence: Sentence, options: ProseOptions = {}): Node[] {
  const { plan, slots = [], replaceText = ({ text }: Span) => text } = options;
  return spansOf(sentence, plan !== undefined && hasColumns(plan)).flatMap((span) => {
    if (span.kind === 'slot') return slots[span.slot] ?? [];
    // Plain text can contain a cell's name, such as W_q[1, 2], so it is typeset too.
    if (span.kind === 'text') return typeset(replaceText(span));
    const shown = nodeOf(span, replaceText(span), plan);
    const to = targetOf(span, options);
    return to && plan ? linkButton(shown, to, plan) : shown;
  });
}

function nodeOf(span: Span, text: string, plan: Plan | undefined): Node {
  switch (span.kind) {
    case 'token':
      return h(
        'span',
        { class: span.unnamed ? roleClass(span.role) : `word ${roleClass(span.role)}` },
        span.unnamed ? span.text : span.token,
      );
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

/** The role of a symbol if the plan has its matrix. Other symbols have no colour. */
const roleOf = (span: SymbolSpan, plan: Plan | undefined): Role | undefined =>
  stepsOf(span, plan).length ? span.role : undefined;

function symbolNode(text: string, role: Role | undefined): Node {
  const nodes = symbolNodes(text);
  const colour = role && roleClass(role);
  if (nodes.length > 1) return h('var', { class: colour }, ...nodes);
  return colour ? h('span', { class: `symbol ${colour}` }, text) : document.createTextNode(text);
}

/** The target of a span's link; undefined if that is the current step. */
function targetOf(span: Span, { plan, currentStep }: ProseOptions): LinkTarget | undefined {
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
 * A link within a sentence. Its attributes hold the target, so that the same sentence about another cell compares as a different node. Its
 * accessible name begins with the visible text: hidden digits are not spoken, and voice control finds the link by what is seen.
 */
function linkButton(shown: Node, to: LinkTarget, plan: Plan): Node {
  const name = stepOf(plan, to.step)?.words.name ?? '';
  // A symbol with a subscript needs no label: its letters are its name, and the title names the target.
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
