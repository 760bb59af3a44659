/** What a result is compared with, from a review of the code: plain data that leaves the process which reads programs. */
import { t, type TextRange } from '../../text';
import type { AttentionSpec } from '../../spec';
import { edited, type RuleId } from '../doctor';
import { inCell, lineAt, lineStarts, type CellStart } from '../explain';
import type { NearestAnswer } from './attention';
import type { Reviewed } from './review';

export interface CodeFinding {
  readonly rule: RuleId;
  readonly line: CodeLine;
  readonly message: string;
  /** The line as it is with the mend. */
  readonly instead?: string;
  /** Whether it is a mistake; else a choice. */
  readonly isMistake: boolean;
}

export interface CodeLine {
  /** `line 24`, or `cell 3, line 2`. */
  readonly where: string;
  readonly code: string;
  readonly range: TextRange;
}

export interface CodeSide {
  readonly spec: AttentionSpec;
  readonly findings: readonly CodeFinding[];
  /** Standard attention of the code's queries, keys and values: of the mended code, where there is one. */
  readonly standard?: AttentionSpec;
  /** The attention of the mended code. */
  readonly mended?: AttentionSpec;
  /** Steps of the code that differ from standard attention of its own queries, keys and values, and the line of the first. */
  readonly differs: NearestAnswer['differs'];
  readonly departs?: CodeLine;
  /** What of it is taken as it is printed, in words: then a step has fewer digits than are printed of it. */
  readonly taken: readonly string[];
}

/** Undefined where the code has no attention that is explained. */
export function codeSideOf(text: string, { attention, findings, mended }: Reviewed, cells: readonly CellStart[] = []): CodeSide | undefined {
  if (attention.is !== 'found') return undefined;
  const { nearest } = attention;
  const starts = lineStarts(text);
  const lineOf = (range: TextRange): CodeLine => {
    const at = inCell(text, lineAt(starts, range.start), cells);
    const where = cells.length > 0 ? t('cell {0}, line {1}', at.cell, at.line) : t('line {0}', at.line);
    return { where, code: linesAt(text, range), range };
  };
  const standard = (mended?.nearest ?? nearest)?.spec;
  return {
    spec: attention.spec,
    findings: findings.map(({ rule, range, message, mend, severity }) => ({
      rule,
      // A helper of the code's own takes the axis from whoever calls it: the line to change is that of the mend.
      line: lineOf(mend?.edits[0]?.range ?? range),
      message,
      ...(mend && { instead: changedLines(text, mend.edits) }),
      isMistake: severity === 'warning' || severity === 'error',
    })),
    ...(standard && { standard }),
    ...(mended && { mended: mended.spec }),
    differs: nearest?.differs ?? [],
    ...(nearest?.first && { departs: lineOf(nearest.first) }),
    taken: attention.said ?? [],
  };
} // prettier-ignore

/** The first line of a range, without its indent. */
function linesAt(text: string, { start }: TextRange): string {
  const end = text.indexOf('\n', start);
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, end < 0 ? text.length : end).trim();
}

/** The lines that edits change, as they are then. */
function changedLines(text: string, edits: Parameters<typeof edited>[1]): string {
  const lines: string[] = [];
  for (const { range, text: to } of edits) {
    const from = text.lastIndexOf('\n', range.start - 1) + 1;
    const end = text.indexOf('\n', range.end);
    const whole = text.slice(from, end < 0 ? text.length : end);
    const local = { start: range.start - from, end: range.end - from };
    lines.push(edited(whole, [{ range: local, text: to }]).trim());
  }
  return lines.join('\n');
}
