import * as vscode from 'vscode';
import {
  fail,
  inStretches,
  ok,
  overBudget,
  planOf,
  specFromTextPaced,
  specFromJson,
  tokenizerOf,
  type Above,
  type Assembled,
  type AttentionSpec,
  type Problem,
  type Result,
  type SpecText,
  type ReadAs,
} from '../../engine/index';
import { checkView, type Explanation, type View } from '../../webview/protocol';
import { tokenizerSetting, type TokenizerSetting } from '../host';
import { nextTurn } from '../activation';
import type { ProgramAttention } from './program-place';

/** The result of reading a text: a spec that can be planned, notes, and the view that the text asks for. */
export type Read = Pick<Explanation, 'spec' | 'notes' | 'said' | 'beside' | 'checked'> & {
  readonly view?: View;
  /** It comes from a link or a lesson, which show what they ask for and no more. */
  readonly isFromElsewhere?: true;
  /** Ranges are in the text that was read. */
  readonly unfollowed?: readonly Problem[];
  /** Set if it is an attention of a program. */
  readonly attention?: ProgramAttention;
};

/** Reads a typed text. */
export async function readText(text: string, readAs?: ReadAs): Promise<Result<Read>> {
  return (await readLongText(text, undefined, () => false, readAs)) ?? fail();
}

/** Reads a text of any length, yielding to the event loop now and then. Undefined if cancelled. */
export async function readLongText(
  text: string,
  above: Above | undefined,
  isCancelled: () => boolean,
  readAs?: ReadAs,
): Promise<Result<Read> | undefined> {
  const json = readAs?.asText ? undefined : specFromJson(text);
  if (json) return json.ok ? savedSpec(json.value) : json;
  const read = await inStretches(specFromTextPaced(text, above, readAs), isCancelled);
  if (!read?.ok) return read;
  // The first plan of a session takes as long as everything else here.
  await nextTurn();
  return newSpec(read.value);
}

/** A saved spec as it is. An invalid view is left out, with a note. */
export function savedSpec({ spec, view }: SpecText): Result<Read> {
  const problems: Problem[] = [];
  if (view !== undefined) checkView(view, 'view', problems);
  const [first] = problems;
  if (view === undefined) return withPlan({ spec, notes: [] });
  return first
    ? withPlan({ spec, notes: [vscode.l10n.t('The view is left out: {0}.', first.message)] })
    : withPlan({ spec, notes: [], view: view as View });
}

/** A spec from a new text, with the tokenizer of the settings. */
const newSpec = ({ spec, notes, said, unfollowed }: Omit<Assembled, 'used'>): Result<Read> =>
  withPlan({
    spec: withTokenizer(spec, tokenizerSetting()),
    notes,
    ...(said ? { said } : {}),
    ...(unfollowed ? { unfollowed } : {}),
  });

function withTokenizer(spec: AttentionSpec, tokenizer: TokenizerSetting): AttentionSpec {
  const { start } = spec;
  return start.from === 'text' && start.tokenizer === 'words'
    ? { ...spec, start: { from: 'text', text: start.text, tokenizer } }
    : spec;
}

/** The reading if its spec can be planned and computed within the limits, else all problems. */
function withPlan(read: Read): Result<Read> {
  const plan = planOf(read.spec);
  // A text that an encoding splits has no plan yet: the page tokenizes it, in a worker.
  if (!plan.ok) return tokenizerOf(read.spec) ? ok(read) : plan;
  // Refused here, because the page would already have dropped the current explanation when it refuses.
  const problem = overBudget(plan.value, read.spec.dtype);
  return problem ? fail(problem) : ok(read);
}
