/** The Python in a text around a selection: without prompts, prose, what is printed, and the blocks around what is read. */
import { linesOf, wordPairs } from '../../parse';
import { t, type TextRange } from '../../text';

/** Python made of pieces of a text. */
export interface PythonText {
  readonly text: string;
  /** The offset in the text of an offset in the Python. */
  readonly toText: (offset: number) => number;
  /** The other way. */
  readonly toPython: (offset: number) => number;
  /** Names that are not known from an offset of the Python on, and why. */
  readonly lost: readonly LostName[];
  /** Offsets of the Python from which draws are not known: a loop's body is read once. */
  readonly loops: readonly Loop[];
}

interface LostName {
  readonly start: number;
  readonly name: string;
  readonly why: string;
  readonly range: TextRange;
}

interface Loop {
  readonly start: number;
  readonly range: TextRange;
}

interface Line extends TextRange {
  /** Where its code begins, behind a prompt. */
  readonly from: number;
  readonly indent: number;
  readonly isBlank: boolean;
}

export interface Reach {
  /** Where the selection or the place begins: the blocks around it are entered. */
  readonly at: number;
  /** The line above that is not complete belongs to the selection's statement and is left out. */
  readonly withoutLine: boolean;
  readonly end: number;
  /** The text begins inside of a program: what is indented at its start belongs to a block that cannot be seen. */
  readonly isCut: boolean;
  /** What is no Python. */
  readonly masked: readonly TextRange[];
  readonly placeOf: (offset: number) => string;
}

const prompt = /^[ \t]*(?:(?:>>>|\.\.\.)(?: |$)|In \[\d*\]: )/;
const header = /^(?:if|elif|else|for|while|def|class|try|except|finally|with|async)\b/;
/** A block that does not run once. */
const runsOften = /^(?:async\s+)?(?:for|while|def)\b/;
const fence = /^[ \t]*(?:```|~~~)/;

function linesIn(text: string, end: number): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < end;) {
    const next = /\r\n|\r|\n/g;
    next.lastIndex = start;
    const found = next.exec(text);
    const stop = Math.min(found?.index ?? end, end);
    const line = text.slice(start, stop);
    const from = start + (prompt.exec(line)?.[0].length ?? 0);
    const indent = text.slice(from, stop).search(/\S/);
    lines.push({ start, end: stop, from, indent: Math.max(0, indent), isBlank: indent < 0 });
    start = found && found.index < end ? found.index + found[0].length : end;
  }
  return lines;
}

export function pythonText(text: string, reach: Reach): PythonText {
  const lines = linesIn(text, reach.end);
  const prose = proseIn(text, reach.end);
  const own = lines.findIndex(({ end, isBlank }) => end >= reach.at && !isBlank);
  const headers = enclosing(text, lines, own, reach);
  const lost: LostName[] = [];
  const loops: Loop[] = [];
  const pieces: { readonly python: number; readonly text: number; readonly length: number }[] = [];
  let [python, dedent, isCut] = ['', headers.size === 0 ? 0 : -1, reach.isCut];
  const isOwnIndented = headers.size === 0 && (lines[own]?.indent ?? 0) > 0;
  const isInLine = reach.withoutLine && !'\r\n'.includes(text.charAt(reach.at - 1) || '\n');
  const masks = [...reach.masked].sort((a, b) => a.start - b.start);
  let mask = 0;
  for (const [i, line] of lines.entries()) {
    while ((masks[mask]?.end ?? Infinity) <= line.start) mask++;
    isCut &&= line.isBlank || line.indent > 0;
    const content = text.slice(line.from, line.end);
    if (isCut) {
      for (const name of targetsOf(content)) lost.push({ start: python.length, name, why: t('{0} is assigned in a block that begins too far above', name), range: line }); // prettier-ignore
      python += '\n';
      continue;
    }
    if (headers.has(i)) {
      const block = blockOf(lines, i);
      lost.push(...lostIn(text, line, block, reach.placeOf, python.length));
      if (/^(?:async\s+)?(?:for|while)\b/.test(content.trim())) loops.push({ start: python.length, range: line });
      dedent = block[0]?.indent ?? dedent;
      python += '\n';
      continue;
    }
    if (isOwnIndented && i === own) dedent = line.indent;
    const isLeftOut = isInLine && line.start < reach.at && line.end >= reach.at;
    const from = isLeftOut ? reach.at : line.from;
    const isPlain = fence.test(content) || prose.has(line.start);
    if (line.isBlank || isPlain || from >= line.end) {
      python += '\n';
      continue;
    }
    const start = isLeftOut ? from : line.from + Math.min(Math.max(0, dedent), line.indent);
    const spaces = isLeftOut ? (/^[ \t]*/.exec(text.slice(start, line.end))?.[0].length ?? 0) : 0;
    pieces.push({ python: python.length, text: start + spaces, length: line.end - start - spaces });
    python += `${unmasked(text, { start: start + spaces, end: line.end }, masks, mask)}\n`;
  }
  return {
    text: python,
    lost,
    loops,
    toText: (offset) => {
      const piece = pieces[lastIndex(pieces.length, (i) => (pieces[i]?.python ?? 0) <= offset)];
      return piece ? piece.text + Math.min(offset - piece.python, piece.length) : offset;
    },
    toPython: (offset) => {
      const piece = pieces[lastIndex(pieces.length, (i) => (pieces[i]?.text ?? 0) <= offset)];
      return piece ? piece.python + Math.min(offset - piece.text, piece.length + 1) : 0;
    },
  };
}

/** The last of so many that holds, where those that hold come first. */
function lastIndex(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Starts of lines that are sentences. */
function proseIn(text: string, end: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { start, code: line } of linesOf(text.slice(0, end))) if (wordPairs(line.replace(prompt, '')) > 0) found.add(start); // prettier-ignore
  return found;
}

function unmasked(text: string, { start, end }: TextRange, masks: readonly TextRange[], first: number): string {
  let line = text.slice(start, end);
  for (let i = first; (masks[i]?.start ?? Infinity) < end; i++) {
    const { start: from, end: to } = masks[i] as TextRange;
    const [a, b] = [Math.max(0, from - start), Math.min(end, to) - start];
    if (b > a) line = line.slice(0, a) + ' '.repeat(b - a) + line.slice(b);
  }
  return line;
}

/** Headers of the blocks around a line, by their number. */
function enclosing(text: string, lines: readonly Line[], at: number, reach: Reach): ReadonlySet<number> {
  const found = new Set<number>();
  const leftOut = reach.withoutLine ? text.lastIndexOf('\n', reach.at - 1) + 1 : -1;
  const own = lines[at];
  let indent = own?.indent ?? 0;
  // A place in a header is one of its block: its names are those of a parameter, or of a loop.
  if (own && !reach.withoutLine && runsOften.test(text.slice(own.from + indent, own.end))) found.add(at);
  for (let i = at - 1; i >= 0 && indent > 0; i--) {
    const line = lines[i];
    if (!line || line.isBlank || line.indent >= indent || line.start === leftOut) continue;
    if (!header.test(text.slice(line.from + line.indent, line.end))) continue;
    found.add(i);
    indent = line.indent;
  }
  return found;
}

/** The lines below a header that are indented more. */
function blockOf(lines: readonly Line[], at: number): readonly Line[] {
  const { indent = 0 } = lines[at] ?? {};
  const block: Line[] = [];
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] as Line;
    if (line.isBlank) continue;
    if (line.indent <= indent) break;
    block.push(line);
  }
  return block;
}

/** What a loop or a function assigns differs from run to run. */
function lostIn(
  text: string,
  line: Line,
  block: readonly Line[],
  placeOf: Reach['placeOf'],
  start: number,
): readonly LostName[] {
  const content = text.slice(line.from + line.indent, line.end);
  const [word = ''] = /^(?:async|for|while|def)\b/.exec(content) ?? [];
  if (word === '') return [];
  const parameters = word === 'def' ? (/\((.*)/.exec(content)?.[1] ?? '') : word === 'while' ? '' : content.replace(/\bin\b.*/, '').slice(3); // prettier-ignore
  const names = [
    ...(parameters.match(/[\p{L}_][\p{L}\d_]*/gu) ?? []),
    ...block.flatMap(({ from, end }) => targetsOf(text.slice(from, end))),
  ];
  const place = placeOf(line.from);
  return [...new Set(names)].map((name) => ({
    start,
    name,
    why: t('{0} differs from run to run of the {1} in {2}', name, word, place),
    range: { start: line.from + line.indent, end: line.end },
  }));
}

const targets =
  /^[ \t]*((?:[\p{L}_][\p{L}\d_.]*[ \t]*,[ \t]*)*[\p{L}_][\p{L}\d_.]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?::[^=\n]*)?(?:[-+*/@]|\*\*)?=(?!=)/u;

const targetsOf = (line: string): readonly string[] =>
  targets.exec(line.slice(0, 400))?.[1]?.split(/[ \t]*,[ \t]*/) ?? [];
