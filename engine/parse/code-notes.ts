/** Notes on parts of a selection that the explanation leaves out, and problems of code without a matrix. */
import { t, type Problem, type TextRange } from '../text';
import type { Gathered } from './gather';
import type { ReadProgram } from './named';
import { roleOf } from './roles';
import type { Assembled } from './selection-parts';
import { type Language, followedSdpa, attentionCodeIn, isFused, unfollowedCodeNotes } from './code';

/** Most unknown names that are listed. */
const maxUnknownNames = 12;

/** Notes on what was not used: calls, classes, settings, and names whose values are not known. */
export function unfollowedNotes(text: string, gathered: Gathered, program: ReadProgram, read: Assembled): Problem[] {
  const written = gathered.sound.filter(({ derivation }) => derivation === undefined);
  const matrices = [...written, ...read.used].filter(({ name }) => !isFused(name ?? ''));
  const byRole = new Map(gathered.sound.flatMap((m) => (m.role ? [[m.role, m] as const] : [])));
  const call = read.spec.start.from === 'text' ? undefined : followedSdpa(text, byRole);
  const settings = program.own.flatMap((name) => settingOf(program, name) ?? []);
  const code = unfollowedCodeNotes(text, [
    // With its name: `attn_mask = [[0, 1]]` is a setting elsewhere.
    ...matrices.map(({ range, nameRange = range }) => ({
      start: Math.min(nameRange.start, range.start),
      end: range.end,
    })),
    ...(call ? [call.range] : []),
    ...settings,
  ]);
  const named = (range: TextRange): boolean =>
    code.some((other) => other.range && other.range.start < range.end && range.start < other.range.end);
  const isCall = (range: TextRange): boolean =>
    call !== undefined && range.start <= call.range.start && call.range.end <= range.end;
  const lost = (gathered.unknownNames ?? []).filter(
    ({ problem: { range } }) => range && !named(range) && !isCall(range),
  );
  const notes = lost.slice(0, maxUnknownNames).map(({ name, problem }) => ({
    code: roleOf(name) ? 'unknown-matrix' : 'not-followed',
    message: t('{0} is not followed: {1}.', name, problem.message),
    ...(problem.range ? { range: problem.range } : {}),
  }));
  return [...code, ...notes, ...blockOptionNotes(text)].sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));
}

/** The opening line of a lesson's block, with what stands behind the language. */
const blockOptions = /^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*attention[ \t]+(\S[^\r\n]*)/gm;

/** Notes on options of attention blocks in Markdown: a selection or a file is read for its matrices alone. */
const blockOptionNotes = (text: string): readonly Problem[] =>
  [...text.matchAll(blockOptions)].slice(0, maxUnknownNames).map(({ index, 0: line, 1: options = '' }) => ({
    code: 'not-followed',
    message: t('The options of this attention block are not used here: {0}. Lessons and the preview use them.', options.slice(0, 80)), // prettier-ignore
    range: { start: index + line.length - options.length, end: index + line.length },
  }));

/** The range of a number assigned to a setting that has notes elsewhere (`withHeads`, `withScale`, `withMask`). */
function settingOf(program: ReadProgram, name: string): TextRange | undefined {
  if (!/^(?:self\.)?(?:h|n_heads?|num_heads|nheads?|heads|scal(?:e|ing)|scale_factor|is_causal|causal)$/.test(name))
    return undefined;
  return program.meaningOf(name)?.kind === 'number' ? program.rangeOf(name) : undefined;
}

/** Problems of code without known matrices: what the code is, and its parts. `line` gives the document's line of an offset. */
export function codeProblems(
  text: string,
  language: Language | undefined,
  cause: Problem | undefined,
  line: (offset: number) => number,
): Problem[] {
  const found = attentionCodeIn(text);
  const shown = found.slice(0, 8).map(({ what, range }) => placed(what, range, line));
  const is = language === undefined ? t('this is code') : t('this is {0} code', language);
  const why = cause
    ? t('{0}, and none of its matrices is known: {1}', is, cause.message)
    : t('{0}, and none of its matrices is known', is);
  const message = shown.length === 0 ? why : t('{0}; not followed: {1}', why, shown.join(', '));
  return [
    {
      code: 'code',
      message,
      hint: t('Run the code, print its matrices and select what is printed; or explain it as text.'),
      range: { start: 0, end: text.length },
    },
  ];
}

function placed(what: string, { start, end }: TextRange, line: (offset: number) => number): string {
  const [first, last] = [line(start), line(end)];
  return first === last ? t('{0} (line {1})', what, first) : t('{0} (lines {1} to {2})', what, first, last);
}
