import { t, fail, ok, type Result, type TextRange } from '../text';
import { hashSpec } from '../run';
import type { AttentionSpec, SpecHeads, SpecNumber } from '../spec';
import type { LessonBlock } from './block';
import { regionsOf } from './fences';
import { rangeAt, readJson } from './json';
import { readLesson, type Lesson } from './lesson';
import { statementsOf, type Question } from './question';
import { variantOf } from './variant';

/** A variant as Markdown, and as a lesson. */
export interface VariantText {
  readonly text: string;
  readonly lesson: Lesson;
}

/**
 * The lesson's Markdown with the variant's numbers in its blocks, as a student gets it; everything else is unchanged. Reading it gives exactly
 * the specs of `variantOf(lesson, seed)`. A Problem if that fails.
 */
export function variantText(lesson: Lesson, seed: number): Result<VariantText> {
  const variant = variantOf(lesson, seed);
  if (!variant.ok) return variant;
  const drawn = lesson.blocks.flatMap((was, i) => {
    const is = variant.value.blocks[i];
    return is && was.from === undefined && hashSpec(was.spec) !== hashSpec(is.spec) ? [{ was, is }] : [];
  });
  // Prefer the block's own notation; if reading it back does not give the same spec, write the whole spec as JSON.
  for (const write of [editInNotation, editAsSpec]) {
    const numbers = drawn.flatMap(({ was, is }) => write(lesson.source, was, is.spec));
    const edits = [...numbers, ...questionEdits(lesson, variant.value)].sort((a, b) => a.range.start - b.range.start);
    const text = applyEdits(lesson.source, edits);
    const again = readLesson(text, lesson.computed);
    const isSame = sameSpecs(again.lesson, variant.value) && sameQuestions(again.lesson, variant.value);
    if (!again.problems.length && isSame) return ok({ text, lesson: again.lesson });
  }
  return fail({ code: 'variant', message: t('seed {0}: the variant cannot be written as Markdown', seed) });
}

const sameSpecs = (a: Lesson, b: Lesson): boolean =>
  a.blocks.length === b.blocks.length && a.blocks.every((block, i) => hashSpec(block.spec) === hashSpec(b.blocks[i]?.spec)); // prettier-ignore

const sameQuestions = (a: Lesson, b: Lesson): boolean =>
  a.questions.every((question, i) => {
    const other = b.questions[i];
    return other && JSON.stringify(writtenOf(question)) === JSON.stringify(writtenOf(other));
  }); // prettier-ignore

/** The fields of a question's block, in one order. */
function writtenOf(question: Question): Readonly<Record<string, unknown>> {
  const { range: _, dealt: __, ...fields } = question;
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes each question as it was dealt. One without alternatives stays as it is written; its statements are put into their places. */
function questionEdits(lesson: Lesson, variant: Lesson): readonly Edit[] {
  const line = /\r\n?|\n/.exec(lesson.source)?.[0] ?? '\n';
  return lesson.questions.flatMap((was, i): readonly Edit[] => {
    const is = variant.questions[i];
    if (!is?.dealt) return is ? orderEdits(lesson, was, is) : [];
    const { kind, id, prompt, about, range: _, dealt: __, ...rest } = is;
    const body = `${showFields({ id, kind, about, prompt, ...rest })}\n`;
    return [{ range: bodyOf(lesson.source, was), text: withLines(body, line) }];
  });
}

/** Puts each statement, as it is written, into its place in the variant. */
function orderEdits(lesson: Lesson, was: Question, is: Question): readonly Edit[] {
  const [before, after] = [statementsOf(was), statementsOf(is)];
  const json = before.length > 0 ? readJson(lesson.source, bodyOf(lesson.source, was)) : undefined;
  if (!json?.ok) return [];
  const path = was.kind === 'find-wrong-step' ? 'steps' : 'options';
  const places = before.map((_, at) => rangeAt(json.value, `${path}[${at}]`));
  return after.flatMap((statement, at) => {
    const [range, from] = [places[at], places[before.indexOf(statement)]];
    return range && from && range !== from ? [{ range, text: lesson.source.slice(from.start, from.end) }] : [];
  });
}

interface Edit {
  readonly range: TextRange;
  readonly text: string;
}

/** Applies edits that are in order and do not overlap. */
function applyEdits(source: string, edits: readonly Edit[]): string {
  let at = 0;
  let out = '';
  for (const { range, text } of edits) {
    out += source.slice(at, range.start) + text;
    at = range.end;
  }
  return out + source.slice(at);
}

/** Changes the seed in the opening line and the numbers of the body, in the body's own notation. */
function editInNotation(source: string, was: LessonBlock, spec: AttentionSpec): readonly Edit[] {
  const body = bodyOf(source, was);
  const written = source.slice(body.start, body.end);
  const line = /\r\n?|\n/.exec(source)?.[0] ?? '\n';
  if (/^\s*\{/.test(written)) return [{ range: body, text: withLines(jsonBody(source, body, was, spec), line) }];
  const info = { range: was.info, text: withSeed(source.slice(was.info.start, was.info.end), was, spec) };
  if (spec.start.from === 'text') return [info];
  return [info, { range: body, text: withLines(matrixBody(written, spec), line) }];
}

/** Writes the whole spec as JSON, including the settings of the opening line, which then change nothing. */
function editAsSpec(source: string, was: LessonBlock, spec: AttentionSpec): readonly Edit[] {
  const info = { range: was.info, text: withSeed(source.slice(was.info.start, was.info.end), was, spec) };
  const line = /\r\n?|\n/.exec(source)?.[0] ?? '\n';
  return [info, { range: bodyOf(source, was), text: withLines(`${showFields({ ...spec })}\n`, line) }];
}

const withLines = (text: string, line: string): string => (line === '\n' ? text : text.replaceAll('\n', line));

/** The range between the line of the opening fence and the closing fence. */
function bodyOf(source: string, { range }: { readonly range: TextRange }): TextRange {
  const { regions } = regionsOf(source.slice(range.start, range.end));
  const fence = regions.find((r) => r.kind === 'fence');
  const body = fence?.body ?? { start: 0, end: 0 };
  return { start: range.start + body.start, end: range.start + body.end };
}

/** The opening line with the seed of random numbers; replaces an earlier seed. */
function withSeed(info: string, was: LessonBlock, { random }: AttentionSpec): string {
  if (random.seed === was.spec.random.seed) return info;
  const rest = info.replace(/(?<![ \t])[ \t]+random\.seed=\S+/g, '').trimEnd();
  return `${rest} random.seed=${random.seed}`;
}

/** The block's JSON with other numbers, containing only the fields that were written. */
function jsonBody(source: string, body: TextRange, was: LessonBlock, spec: AttentionSpec): string {
  const json = readJson(source, body);
  const given = json.ok ? (json.value.value as Readonly<Record<string, unknown>>) : {};
  const { start, embedding, random } = spec;
  const seed = random.seed === was.spec.random.seed ? {} : { random };
  const drawn = 'embedding' in given ? { start, embedding, ...seed } : { start, ...seed };
  return `${showFields({ ...given, ...drawn })}\n`;
}

const isMatrix = (value: unknown): value is SpecHeads => Array.isArray(value) && Array.isArray(value[0]);

/** JSON with one field on each line; likewise within `start` and `embedding`, which contain the matrices. */
function showFields(fields: Readonly<Record<string, unknown>>, indent = '  '): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const holds = typeof value === 'object' && value !== null && Object.values(value).some(isMatrix);
    const deeper = holds && !Array.isArray(value);
    const shown = deeper
      ? showFields(value as Record<string, unknown>, `${indent}  `)
      : isRecords(value)
        ? showList(value, indent)
        : showValue(value);
    return [`${indent}${JSON.stringify(name)}: ${shown}`];
  });
  return `{\n${lines.join(',\n')}\n${indent.slice(2)}}`;
}

const isRecords = (value: unknown): value is readonly object[] => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)); // prettier-ignore
/** Statements, one on each line. */
const showList = (all: readonly object[], indent: string): string =>
  `[\n${all.map((one) => `${indent}  ${showValue(one)}`).join(',\n')}\n${indent}]`;

const showValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${(value as unknown[]).map(showValue).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{ ${Object.entries(value)
          .map(([name, v]) => `${JSON.stringify(name)}: ${showValue(v)}`)
          .join(', ')} }`
      : JSON.stringify(value);

/** `Q = [[1, 2], [0, 1]]`, one line for each matrix, keeping names and the lines that do not vary. */
function matrixBody(written: string, { start }: AttentionSpec): string {
  const named: Readonly<Record<string, SpecHeads | undefined>> =
    start.from === 'qkv' ? { q: start.q, k: start.k, v: start.v } : start.from === 'x' ? { x: start.x, context: start.context } : {};
  return written.replace(assignment, (whole, before: string, name: string, end: string) => {
    const values = named[name.toLowerCase()];
    return values ? `${before}${showMatrix(values)}${end}` : whole;
  });
} // prettier-ignore

// A name at the beginning of a line and everything up to the next one: `Q = [[1, 2],⏎ [0, 1]]`.
const assignment = /^([ \t]*([A-Za-z]\w*)[ \t]*=[ \t]*)[^\n=]*(?:\n(?![ \t]*[A-Za-z]\w*[ \t]*=)[^\n=]*)*?(\n?)(?=\n[ \t]*[A-Za-z]\w*[ \t]*=|(?![^]))/gm; // prettier-ignore

const showMatrix = (values: SpecHeads): string =>
  `[${(values as readonly (readonly (SpecNumber | readonly SpecNumber[])[])[]).map((row) => showValue(row)).join(', ')}]`; // prettier-ignore
