import * as vscode from 'vscode';
import { ok, type AttentionSpec, type CodeSpec, type Problem, type Result, type TextRange } from '../../engine/index';
import type { CodeReader } from '../explain';
import { codeOf, inDocument, type Code } from './code';

/** What reads programs, elsewhere than in the extension host: the attention at a place of one. */
export type AttentionReader = (text: string, at: TextRange) => Promise<Result<CodeSpec> | undefined>;

export const codeReader =
  (read: AttentionReader): CodeReader =>
  async (document, { start, end }) => {
    const code = codeOf(document);
    const found = code && (await read(code.text, { start: code.start + start, end: code.start + end }));
    if (!code || !found) return undefined;
    if (!found.ok) return { ok: false, problems: found.problems.map((problem) => placed(code, problem)) };
    const { spec, labels, which, notes } = found.value;
    const others = labels.length > 1 ? [vscode.l10n.t('attention {0} of {1}: {2}', which + 1, labels.length, labels[which] ?? '')] : []; // prettier-ignore
    return ok({
      spec: inOwnLines(code, spec),
      notes: others,
      unfollowed: notes.map((problem) => placed(code, problem)),
    });
  };

/** What stands in another cell has no place in this one. */
function placed(code: Code, { range, ...problem }: Problem): Problem {
  const own = range && inDocument(code, range);
  return own ? { ...problem, range: own } : problem;
}

/** Lines and ranges of steps are those of the cell; steps of other cells have none. */
function inOwnLines(code: Code, spec: AttentionSpec): AttentionSpec {
  const { start } = spec;
  if (start.from !== 'program' || code.start === 0) return spec;
  const above = code.text.slice(0, code.start).split('\n').length - 1;
  const steps = start.steps.map((step) => {
    const { line, range, ...rest } = step as typeof step & { line?: number; range?: readonly number[] };
    const own = range && inDocument(code, { start: range[0] ?? 0, end: range[1] ?? 0 });
    if (!own || line === undefined) return rest as typeof step;
    return { ...rest, line: line - above, range: [own.start, own.end] } as typeof step;
  });
  return { ...spec, start: { ...start, steps } };
}
