import { blocksOf, type Paced } from '../../text';
import { isKnownShape, isSample, readingPlaces, type Node, type OpenProgram } from '../../program';
import { readingFormulas } from '../formulas';
import { checkAttention, checkDocstrings, checkFormulas, checkNames } from './code';
import { checkFollowing, type Widths } from './follows';
import { checkLists } from './listed';
import { isIgnored, type Mark } from './mark';
import { codeOf, shownIn, type CodeOf, type Shown } from './outputs';
import { checkPrints } from './prints';
import { checkProse, type Stated } from './prose';
import { kindOf, printedMatrices, type Kind, type Printed } from './things';
import { valuesIn, type Values } from './values';

/** What does not hold, in the order of the text. A mark is computed, never guessed; what cannot be is left alone. */
export function* checkingDocument(text: string, languageId: string): Paced<readonly Mark[]> {
  const found = yield* readingFormulas(text, languageId);
  const matrices = printedMatrices(text);
  const code = codeOf(text);
  const shown = code ? shownIn(text, code) : [];
  const withCode = code && (yield* ofCode(text, code, shown, matrices));
  const inCode = (at: number): boolean => code?.blocks.some(({ start, end }) => start <= at && at < end) ?? false;
  const widths = widthsIn(text);
  const own = matrices.filter(({ range }) => !inCode(range.start));
  const matters = [
    ...(withCode?.marks ?? []),
    ...(code ? [] : checkFollowing(own, widths)),
    ...checkLists(text, own, widths),
  ];
  // Of numbers that are wrong themselves nothing is said twice.
  const isWrong = ({ at }: Stated): boolean => matters.some(({ rule, range }) => (rule === 'printed' || rule === 'follows') && range.start === at); // prettier-ignore
  const stated = (withCode?.stated ?? own.map(statedBy)).filter((one) => !isWrong(one));
  const marks = [
    ...checkFormulas(found),
    ...matters,
    ...checkProse({ text, prose: proseOf(text, code, shown), stated }),
  ];
  const blocks = blocksOf(text);
  return sorted(marks).filter((mark) => !isIgnored(text, mark, blocks));
}

/** One mark for a place: where two say that a thing is wrong, the first says why. */
function sorted(marks: readonly Mark[]): readonly Mark[] {
  const at = new Map<string, Mark>();
  for (const mark of marks) {
    const key = `${mark.rule} ${mark.range.start}`;
    if (!at.has(key)) at.set(key, mark);
  }
  return [...at.values()].sort((a, b) => a.range.start - b.range.start);
}

/** Sizes that the text writes for d_k, and numbers by which it says that scores are divided. */
function widthsIn(text: string): Widths {
  const all = (pattern: RegExp): readonly number[] => [...new Set([...text.matchAll(pattern)].map(([, digits]) => Number(digits)))].filter((x) => x > 0); // prettier-ignore
  return {
    dK: all(/\bd_\{?k\}?\$?\s*(?:=|is)\s*\$?(\d{1,6})(?![\d.]*\d)/g),
    divisors: all(/(?:\bdivid(?:e|es|ed|ing)\b[^.;\n]{0,50}?\bby|\bscores?\s*\/)\s+[`$]*(?:√\s*\d+\s*=\s*|√?d_k\s*=\s*)?(\d+(?:\.\d+)?)(?![\d.]*\d)/gi),
  };
} // prettier-ignore

/** The text without code and without what it printed. */
function proseOf(text: string, code: CodeOf | undefined, shown: readonly Shown[]): string {
  const blank = [...(code?.blocks ?? []), ...shown.filter(({ by }) => by === 'output').map(({ range }) => range)];
  let prose = text;
  for (const { start, end } of blank) prose = prose.slice(0, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ') + prose.slice(end); // prettier-ignore
  return prose.replace(/^[ \t]*(?:`{3,}|~{3,})[^\n]*/gm, (line) => ' '.repeat(line.length));
}

const statedBy = ({ kind, name, range, shape, numbers }: Printed): Stated => ({
  ...(kind && { kind }),
  ...(name === undefined ? {} : { name }),
  at: range.start,
  shape,
  numbers,
});

function* ofCode(
  text: string,
  code: CodeOf,
  shown: readonly Shown[],
  matrices: readonly Printed[],
): Paced<{ readonly marks: readonly Mark[]; readonly stated: readonly Stated[] }> {
  const open = yield* readingPlaces(code.text);
  const values = valuesIn(open.program, matrices);
  const prints = yield* checkPrints(text, shown, { code, program: open.program, values });
  const numbers = new Map([...values.written].map(([node, { numbers: all }]) => [node, all.map(({ value }) => value)]));
  const marks = [
    ...prints.marks,
    ...(yield* checkAttention(code, open, numbers)),
    ...checkNames(shown, code, open),
    ...checkDocstrings(code, open),
  ];
  const printed = matrices.filter(({ range }) => shown.some(({ range: own }) => own.start <= range.start && range.end <= own.end)); // prettier-ignore
  return { marks, stated: [...(yield* statedIn(open, values)), ...printed.map(statedBy)].sort((a, b) => a.at - b.at) };
}

/** What names of the module stand for, and the steps of its attentions. */
function* statedIn({ program, attentions }: OpenProgram, values: Values): Paced<readonly Stated[]> {
  const found: Stated[] = [];
  function* add(node: Node | undefined, at: number, about: Pick<Stated, 'kind' | 'name'>): Paced<void> {
    if (!node?.shape || !isKnownShape(node.shape)) return;
    const known = yield* values.of(node);
    const numbers = known && known.dense.data.length <= mostNumbers ? [...known.dense.data].map((value) => ({ value, slack: known.within })) : undefined; // prettier-ignore
    found.push({ ...about, at, shape: node.shape, ...(numbers && { numbers }) });
  }
  for (const { name, node, range, stack, standIn } of program.bindings)
    if (stack.length === 0 && !standIn) yield* add(node, range.start, about(name));
  for (const attention of attentions) {
    if (isSample(attention)) continue;
    const { parts, site } = attention;
    const steps: Partial<Record<Kind, Node | undefined>> = { scores: parts.scores, scaled: parts.scaled, weights: site.weights, output: parts.output }; // prettier-ignore
    for (const [kind, node] of Object.entries(steps) as [Kind, Node | undefined][]) yield* add(node, site.weights.range.start, { kind }); // prettier-ignore
  }
  return found;
}

function about(name: string): Pick<Stated, 'kind' | 'name'> {
  const kind = kindOf({ name });
  return { name, ...(kind && { kind }) };
}

const mostNumbers = 20_000;
