/** Writes the results of a run over many files as Markdown. */
import type { Judged } from '../wild';
import type { CellVerdict, Verdict } from './judge';

const verdicts: readonly Verdict[] = ['explained', 'found', 'refused', 'silent'];

function counted<Item>(items: readonly Item[], key: (item: Item) => string): readonly (readonly [string, Item[]])[] {
  const found = new Map<string, Item[]>();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return [...found].sort((a, b) => b[1].length - a[1].length);
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function cellTable(cells: readonly CellVerdict[]): string {
  const row = (name: string, of: readonly CellVerdict[]): string =>
    `| ${name} | ${of.length} | ${verdicts.map((verdict) => of.filter((cell) => cell.verdict === verdict).length).join(' | ')} | ${percent(of.filter(({ verdict }) => verdict === 'explained').length, of.length)} |`;
  const kinds = counted(cells, ({ kind }) => kind).map(([kind, of]) => row(kind, of));
  return [
    `| cells with | all | ${verdicts.join(' | ')} | explained |`,
    `|---|---|${verdicts.map(() => '---|').join('')}---|`,
    ...kinds,
    row('all', cells),
  ].join('\n');
}

const at = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);

function timeTable(files: readonly Judged[]): string {
  const times = files.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const pauses = files.map(({ longestPause }) => longestPause).sort((a, b) => a - b);
  const row = (name: string, of: readonly number[]): string =>
    `| ${name} | ${at(of, 0.5)} | ${at(of, 0.95)} | ${at(of, 1)} |`;
  return [
    '| milliseconds | median | 95 % | longest |',
    '|---|---|---|---|',
    row('a file', times),
    row('without a place to stop', pauses),
  ].join('\n');
}

export function tables(files: readonly Judged[]): string {
  const cells = files.flatMap((file) => file.cells);
  const lines = cells.flatMap((cell) => cell.lines);
  const printed = files.flatMap((file) => file.printed);
  const shapes = lines.filter(({ is }) => is !== 'other');
  const repositories = new Set(files.map(({ path }) => path.split('/').slice(0, 2).join('/')));
  const causes = counted(
    cells.filter(({ verdict }) => verdict !== 'explained'),
    ({ cause }) => cause,
  ).slice(0, 25);
  const unknown = counted(
    lines.filter(({ is }) => is === 'unknown'),
    ({ why = 'no reason is given' }) => why,
  ).slice(0, 25);
  const open = counted(
    printed.filter(({ is }) => is === 'open'),
    ({ why = '' }) => why,
  ).slice(0, 12);
  const table = (name: string, rows: readonly (readonly [string, readonly unknown[]])[]): string =>
    `| ${name} | |\n|---|---|\n${rows.map(([reason, of]) => `| ${reason.replaceAll('|', '\\|').replaceAll('\n', ' ')} | ${of.length} |`).join('\n')}`;
  return [
    `${files.length} files (${files.filter(({ path }) => path.endsWith('.ipynb')).length} notebooks) of ${repositories.size} repositories; ${files.filter(({ fault }) => fault).length} faults, ${files.filter(({ stopped }) => stopped).length} stopped.`,
    cellTable(cells),
    `Lines in attention code that compute: ${shapes.length}; with a shape ${percent(shapes.filter(({ is }) => is === 'shape').length, shapes.length)}, unknown ${shapes.filter(({ is }) => is === 'unknown').length}, not reached ${shapes.filter(({ is }) => is === 'unreached').length}; a comment disagrees with ${shapes.filter(({ disagrees }) => disagrees).length}.`,
    `Printed matrices: ${printed.length}; reproduced ${printed.filter(({ is }) => is === 'reproduced').length}, read from the output ${printed.filter(({ is }) => is === 'read').length}, not known ${printed.filter(({ is }) => is === 'open').length}, other numbers ${printed.filter(({ is }) => is === 'other').length}.`,
    `Explained without a step for scores, weights or output: ${cells.filter(({ lacks }) => lacks).length}.`,
    timeTable(files),
    table('not explained because', causes),
    table('lines without a shape because', unknown),
    table('printed matrices not known because', open),
  ].join('\n\n');
}

export function details(files: readonly Judged[], what: string): string {
  const lines: string[] = [];
  for (const { path, cells, printed, fault, milliseconds, characters, stopped } of files) {
    if (fault) lines.push(`FAULT ${path}: ${fault}`);
    if (what === 'slow' && (milliseconds > 500 || stopped))
      lines.push(`${milliseconds.toFixed(0)} ms, ${characters} characters${stopped ? ', stopped' : ''}: ${path}`);
    for (const cell of cells) {
      if (what === 'lacks' && cell.lacks) lines.push(`${path}:${cell.line} [${cell.kind}] without ${cell.lacks}`);
      if (cell.verdict === what) lines.push(`${path}:${cell.line} [${cell.kind}] ${cell.cause}`);
      for (const line of what === 'shapes' ? cell.lines : []) {
        if (line.disagrees) lines.push(`${path}:${line.line} ${line.disagrees} | ${line.text}`);
        if (line.is === 'unknown' || line.is === 'unreached')
          lines.push(`${path}:${line.line} ${line.is} (${line.why ?? ''}) | ${line.text}`);
      }
    }
    for (const { is, text, why } of what === 'printed' ? printed : [])
      if (is === 'open' || is === 'other') lines.push(`${path} ${is} ${why ?? ''} | ${text}`);
  }
  return lines.join('\n');
}
