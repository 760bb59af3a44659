import * as vscode from 'vscode';
import {
  fail,
  inStretches,
  ok,
  overBudget,
  planOf,
  specFromTextPaced,
  specFromJson,
  specFromText,
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

/** What a text gave: a spec that can be planned, and what is looked at where the text says so. */
export type Read = Pick<Explanation, 'spec' | 'notes' | 'said'> & {
  readonly view?: View;
  /** With ranges in the text that was read. */
  readonly unfollowed?: readonly Problem[];
  /** Where it is an attention of a program. */
  readonly attention?: ProgramAttention;
};

/** What is typed is short enough to be read at a stretch. */
export function readText(text: string, taken?: ReadAs): Result<Read> {
  const json = specFromJson(text);
  if (json) return json.ok ? savedSpec(json.value) : json;
  const read = specFromText(text, undefined, taken);
  return read.ok ? newSpec(read.value) : read;
}

/** The same of a text of any length, with the thread given away now and then; undefined once it is cancelled. */
export async function readLongText(
  text: string,
  above: Above | undefined,
  isCancelled: () => boolean,
  taken?: ReadAs,
): Promise<Result<Read> | undefined> {
  const json = taken?.asText ? undefined : specFromJson(text);
  if (json) return json.ok ? savedSpec(json.value) : json;
  const read = await inStretches(specFromTextPaced(text, above, taken), isCancelled);
  if (!read?.ok) return read;
  // The first plan of a session takes as long as all else here.
  await nextTurn();
  return newSpec(read.value);
}

/** A spec that somebody saved, as it is; a view that is none is left out, with a note. */
export function savedSpec({ spec, view }: SpecText): Result<Read> {
  const problems: Problem[] = [];
  if (view !== undefined) checkView(view, 'view', problems);
  const [first] = problems;
  if (view === undefined) return planned({ spec, notes: [] });
  return first
    ? planned({ spec, notes: [vscode.l10n.t('The view is left out: {0}.', first.message)] })
    : planned({ spec, notes: [], view: view as View });
}

/** A new text's tokens are those of the setting. */
const newSpec = ({ spec, notes, said, unfollowed }: Omit<Assembled, 'used'>): Result<Read> =>
  planned({
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

/** What was read if its spec can be planned, or everything that is wrong with it. */
function planned(read: Read): Result<Read> {
  const plan = planOf(read.spec);
  // The page has the text cut by an encoding, in a worker.
  if (!plan.ok) return tokenizerOf(read.spec) ? ok(read) : plan;
  // The page would refuse it too, but only after it had given up what it showed.
  const problem = overBudget(plan.value, read.spec.dtype);
  return problem ? fail(problem) : ok(read);
}
