// Python files whose attention is explained: `FILE.py`, or `FILE.py:24` for the attention on that line.
import { existsSync } from 'node:fs';
import type { Assembled } from '../index';
import { readingAttention } from '../program';
import { hasAttentionCode } from '../python';
import { t, finish, fail, ok, type Result, type TextRange } from '../text';
import type { Arguments } from './arguments';
import { importsBeside } from './imports';

const atLine = /^(.+\.py):(\d+)$/;

/** The file's path without `:line`, unless a file of that exact name exists. */
export function pathOf(input: string): string {
  const path = atLine.exec(input)?.[1];
  return path !== undefined && !existsSync(input) ? path : input;
}

/**
 * The attention of a Python file; undefined if the file is not Python, has none, or a field is set with `--set`: that cannot change the steps
 * of code. The caller then looks for literals.
 */
export function attentionOfPython(
  { input = '', set }: Arguments,
  text: string,
): Result<Omit<Assembled, 'used'>> | undefined {
  const line = pathOf(input) === input ? undefined : Number(atLine.exec(input)?.[2]);
  if (!pathOf(input).endsWith('.py') || set.length || !hasAttentionCode(text)) return undefined;
  const at = line === undefined ? undefined : lineRange(text, line);
  if (line !== undefined && !at) return fail({ code: 'line', message: t('there is no line {0}', line) });
  const found = finish(readingAttention(text, at, { files: importsBeside(pathOf(input)) }));
  if (!found) return undefined;
  if (!found.ok) return found;
  const { spec, all, which, notes } = found.value;
  const list = all.length > 1 ? [t('attention {0} of {1}: {2}', which + 1, all.length, all[which]?.label)] : [];
  return ok({ spec, notes: list, unfollowed: notes });
}

/** A note for a Python file with words of attention whose literals are explained instead: why its code is not. */
export function noAttentionNotes({ input = '', set }: Arguments, text: string): readonly string[] {
  if (!pathOf(input).endsWith('.py') || !hasAttentionCode(text)) return [];
  return set.length
    ? [t('No field can be set of what code does: its matrices are explained as they stand.')]
    : [t('No attention was found in what this code computes: its matrices are explained as they stand.')];
}

function lineRange(text: string, line: number): TextRange | undefined {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}
