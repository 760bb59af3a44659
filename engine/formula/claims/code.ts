/** What a document’s code does otherwise than the document means: attention that is none, names that no cell defines, shapes that a docstring says, products that do not fit. */
import { t, type Paced, type Problem, type TextRange } from '../../text';
import { diagnosing, isKnownShape, type OpenProgram, type Written } from '../../program';
import type { Formulas } from '../formulas';
import type { Mark } from './mark';
import type { CodeOf, Shown } from './outputs';
import { boundAs } from './prints';

/** Attention that is none, with the document’s numbers. */
export function* checkAttention({ text }: CodeOf, { program, attentions }: OpenProgram, numbers: Written): Paced<readonly Mark[]> {
  const { findings } = yield* diagnosing(text, program, attentions, {}, numbers);
  return findings.flatMap(({ severity, range, message, mend }): Mark[] =>
    severity === 'warning'
      ? [{ rule: 'code', range, message, ...(mend && { instead: `${mend.title}: ${mend.edits.map((edit) => edit.text).join('; ')}` }) }]
      : [],
  );
} // prettier-ignore

const undefinedName = /^NameError: name '([^']+)' is not defined$/;

/** A cell of a notebook that printed cannot have met a name that no cell defines. */
export function checkNames(shown: readonly Shown[], { isNotebook, text }: CodeOf, { program }: OpenProgram): readonly Mark[] {
  const { notes } = program;
  const unread = notes.find(({ kind }) => kind === 'skipped' || kind === 'stopped')?.range.start ?? Infinity;
  if (!isNotebook || /^[ \t]*(?:from\s+\S+\s+import\s+\*|[%!])/m.test(text)) return [];
  return notes.flatMap(({ kind, text: words, range }): Mark[] => {
    const name = kind === 'error' ? undefinedName.exec(words)?.[1] : undefined;
    const printed = shown.find(({ cell, by }) => by === 'output' && cell.start <= range.start && range.start < cell.end);
    if (name === undefined || !printed || range.start > unread || /Error\b/.test(printed.text)) return [];
    const places = [...text.slice(range.start, range.end).matchAll(new RegExp(`(?<![\\w.])${name}(?!\\w)`, 'g'))];
    const at = range.start + (places[0]?.index ?? 0);
    const message = t('No cell above defines {0}: run in this order, this cell stops here, and does not print what is shown below it.', name);
    return [{ rule: 'name', range: places.length > 0 ? { start: at, end: at + name.length } : range, message }];
  });
} // prettier-ignore

/** A product that fits neither with queries in rows nor with queries in columns. */
export const checkFormulas = ({ formulas }: Formulas): readonly Mark[] =>
  formulas.flatMap(({ status, problems: [first] }) => (status === 'refused' && first?.code === 'values-first' ? [markOf(first)] : [])); // prettier-ignore

const markOf = ({ message, hint, range }: Problem): Mark => ({ rule: 'formula', range: range ?? { start: 0, end: 0 }, message: `${message}.`, ...(hint === undefined ? {} : { instead: hint }) }); // prettier-ignore

// --- docstrings ---------------------------------------------------------------------

const definition =
  /^[ \t]*def[ \t]+(\w+)[ \t]*\(([^()]*(?:\([^()]*\)[^()]*)*)\)[^:\n]*:[ \t]*\r?\n[ \t]*(?:r|R)?("""|''')/gm;
const said =
  /^[ \t]*(\w+)[ \t]*(?:\([^)\n]*\))?[ \t]*:[^\n]*?(?:(?:is|of shape|shape|a|an)[ \t]+[([]?)([A-Za-z]\w{0,7}|\d+)[ \t]*(?:x|×|,)[ \t]*([A-Za-z]\w{0,7}|\d+)[)\]]?(?=[ \t]+(?:matrix|tensor|array|vector)|[ \t]*[,.;]|[ \t]*\r?$)/gm;

/** What a docstring says of its arguments’ shapes, beside those that the document calls it with. */
export function checkDocstrings({ text }: CodeOf, { program }: OpenProgram): readonly Mark[] {
  return [...text.matchAll(definition)].flatMap(({ 0: head, 1: name = '', 2: list = '', 3: quotes = '"""', index }) => {
    const from = index + head.length;
    const end = text.indexOf(quotes, from);
    const parameters = list.split(',').map((one) => /^\s*(\w+)/.exec(one)?.[1] ?? '');
    const calls = callsOf(text, name, end);
    return end < 0 || calls.length === 0 ? [] : [...text.slice(from, end).matchAll(said)].flatMap((found) => saidWrong(found, from, parameters, calls));
  });

  function saidWrong(found: RegExpExecArray, from: number, parameters: readonly string[], calls: readonly Call[]): readonly Mark[] {
    const [whole, name = '', rows = '', columns = ''] = found;
    const at = parameters.indexOf(name);
    const seen = calls.flatMap(({ args, start }) => {
      const shape = at < 0 ? undefined : boundAs(program, args[at] ?? '', start)?.shape;
      const [n, m] = [sizeOf(rows, start), sizeOf(columns, start)];
      return shape?.length === 2 && isKnownShape(shape) && n !== undefined && m !== undefined ? [{ start, shape, n, m }] : [];
    });
    const [first] = seen;
    if (!first || seen.some(({ shape: [a, b], n, m }) => a === n && b === m)) return [];
    const place = from + found.index + whole.indexOf(name);
    const [a, b] = first.shape;
    const words = /^\d+$/.test(rows + columns) ? `${rows}×${columns}` : `${rows}×${columns} = ${first.n}×${first.m}`;
    return [{
      rule: 'shape', range: { start: place, end: from + found.index + whole.length }, because: { start: first.start, end: first.start },
      message: t('{0} is said to be {1}; the call in line {2} gives it {3}×{4}.', name, words, text.slice(0, first.start).split('\n').length, a ?? 0, b ?? 0),
      instead: a === first.m && b === first.n ? t('It would be {0}×{1}.', columns, rows) : t('It would be {0}×{1}.', a ?? 0, b ?? 0),
    }];
  }

  function sizeOf(word: string, before: number): number | undefined {
    if (/^\d+$/.test(word)) return Number(word);
    const bound = program.bindings.findLast(({ name, range, stack }) => name === word && range.start < before && stack.length === 0)?.value;
    return bound?.kind === 'int' ? Number(bound.value) : undefined;
  }
} // prettier-ignore

interface Call extends TextRange {
  readonly args: readonly string[];
}

/** Calls with names alone. */
const callsOf = (text: string, name: string, from: number): readonly Call[] =>
  [...text.slice(from).matchAll(new RegExp(`(?<!def[ \\t]+)(?<![\\w.])${name}[ \\t]*\\(([\\w, \\t]*)\\)`, 'g'))].map(({ 0: whole, 1: list = '', index }) => ({
    start: from + index, end: from + index + whole.length, args: list.split(',').map((one) => one.trim()),
  })); // prettier-ignore
