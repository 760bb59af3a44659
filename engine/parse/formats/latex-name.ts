import type { TextRange } from '../../text';
import type { Before } from '../name-before';
import { roleOf } from '../roles';
import { code, isNewline, isSpace, type Scanner } from '../scanner';

interface LatexBefore {
  /** Start of the literal, with its `\left[`. */
  readonly start: number;
  readonly before: Before;
  /** A factor before the matrix: `\frac{1}{2}`, another matrix. */
  readonly expression?: TextRange;
}

const nothing: Before = { how: 'none', startsStatement: false };

/** How far before a matrix its name is searched for. */
const reach = 120;

/** The name in `\mathbf{Q} = \left[`, `W^Q &= `, `W_{q} := ` before the environment at `start`. */
export function latexBefore(s: Scanner, start: number): LatexBefore {
  const floor = Math.max(0, start - reach);
  s.steps += reach;
  // In a string of another language, the command has two backslashes.
  const escaped = start > floor && s.text.charCodeAt(start - 1) === code.backslash ? 1 : 0;
  const from = beforeLeft(s.text, start - escaped, floor);
  const lead = skipBack(s.text, from, floor);
  const equals = equalsBefore(s.text, lead, floor);
  if (equals === undefined) {
    const factor = lead > floor && factorEnds(s.text, lead, floor);
    const expression = factor ? { start: lead - 1, end: lead } : undefined;
    return { start: from, before: nothing, ...(expression ? { expression } : {}) };
  }
  return { start: from, before: nameOf(s.text, equals, floor) };
}

/** Skips back over `\left[`, `\left(`, `\bigl[` or a bare bracket around an array. */
function beforeLeft(text: string, start: number, floor: number): number {
  const match = /(?:\\(?:left|[bB]igg?l?)\s*(?:\\?[[({|.]|\\l?[vV]ert|\\lbrack)|(?<==\s*)[[(])\s*$/.exec(
    text.slice(floor, start),
  );
  return match ? floor + match.index : start;
}

/** Skips back over blanks and one line break; an empty line ends the formula. */
function skipBack(text: string, from: number, floor: number): number {
  let [at, lines] = [from, 0];
  while (at > floor && isSpace(text.charCodeAt(at - 1)) && lines < 2) {
    if (text.charCodeAt(at - 1) === 10) lines++;
    at--;
  }
  return at;
}

/** Offset of the equals sign that ends before `end`, including an alignment `&` and a colon. */
function equalsBefore(text: string, end: number, floor: number): number | undefined {
  const match = /(?:&\s*)?:?(?:=|\\coloneqq|\\triangleq|\\approx)\s*&?\s*$/.exec(text.slice(floor, end));
  return match ? floor + match.index : undefined;
}

/** Whether a factor or summand ends at `end`, rather than a bracket, dollar, comma or word of a sentence. */
function factorEnds(text: string, end: number, floor: number): boolean {
  const c = text.charAt(end - 1);
  if ('+-*/·×^_'.includes(c)) return true;
  if (/\\(?:cdot|times|otimes|odot|pm)$/.test(text.slice(Math.max(floor, end - 8), end))) return true;
  if (/\\end\{\w*matrix\*?\}$/.test(text.slice(Math.max(floor, end - 24), end))) return true;
  return (
    /(?:[\d}]|\$[^$]*[A-Za-z])$/.test(text.slice(Math.max(floor, end - 20), end)) &&
    !/\\begin\{\w+\*?\}$|\\\w+\{[^{}]*\}$/.test(text.slice(floor, end))
  );
}

const accents =
  /\\(?:mathbf|mathrm|mathit|mathsf|mathcal|boldsymbol|bm|vec|text|textbf|operatorname|hat|tilde|bar|overline|underline)(?![A-Za-z])\s*/g;

const nameBefore =
  /(?:^|[\s$&,;({[=]|\\\\|\\\[|\\\(|\\quad|\\qquad|\\,)((?:\\(?!q?quad)[A-Za-z]+\s*)?\{?[A-Za-z](?:[\w^{}'\\*()]|(?<=[_^]) )*)$/;

function nameOf(text: string, equals: number, floor: number): Before {
  const before = text.slice(floor, equals).trimEnd();
  const written = nameBefore.exec(before)?.[1];
  const name = written === undefined ? '' : plainName(written);
  if (written === undefined || name === '') return nothing;
  const end = floor + before.length;
  return { how: 'assigned', name, range: { start: end - written.length, end }, startsStatement: true, ...roleOf(name) };
}

/** `W_Q` for `\mathbf{W}^{Q}`, `x_1` for `x_{1}`; anything else stays: `K^\top`. */
function plainName(written: string): string {
  const name = written.replace(accents, '').replace(/[{}\s]/g, '');
  const power = /^([A-Za-z]+)\^([QKVOqkvo])$/.exec(name);
  return power ? `${power[1]}_${power[2]}` : name;
}

interface LatexAfter {
  /** End of the literal, with its `\right]`. */
  readonly end: number;
  readonly expression?: TextRange;
}

const right = /^\s*(?:\\(?:right|[bB]igg?r?)\s*(?:\\?[\])}|.]|\\r?[vV]ert|\\rbrack)|(?<=\})[\])])/;
const operation =
  /^(?:\^(?:\{[^{}]{0,20}\}|\\\w+|\w|\*)|_(?:\{[^{}]{0,20}\}|\w)|\s*(?:[-+*/·×]|\\(?:cdot|times|otimes|odot|left|begin|mathbf|frac)(?![A-Za-z]))|\s*[A-Z](?![a-z]))/;

/** What follows `\end{…}`: the bracket of `\left`, and an operation that is not evaluated (`^\top`, `\cdot W`, another matrix). */
export function latexAfter(s: Scanner, from: number): LatexAfter {
  const close = right.exec(s.text.slice(from, from + 40));
  s.steps += reach;
  const end = from + (close?.[0].length ?? 0);
  const rest = s.text.slice(end, end + 40).replace(/^[ \t]+/, ' ');
  const match = operation.exec(lineOf(rest));
  if (!match) return { end };
  return { end, expression: { start: end, end: end + match[0].length } };
}

function lineOf(text: string): string {
  for (let i = 0; i < text.length; i++) if (isNewline(text.charCodeAt(i))) return text.slice(0, i);
  return text;
}

/** Whether a bracket belongs to `\[` or `\left[` and so is no index. */
export const opensFormula = (text: string, open: number): boolean =>
  /\\(?:left|[bB]igg?l?)?$/.test(text.slice(Math.max(0, open - 6), open));
