import type { Measured, Row } from './measure';

/** A comparison as aligned columns: median and minimum time, rate (from the median), time relative to the first contender (by rounds, and by minima), share of the machine's peak (from the minimum). */
export function tableOf({ name, unit, rows, notes, kept, ran, probe, peak }: Measured): string {
  const head = ['', 'median', 'minimum', `${unit}/s`, 'time ÷ ours', 'minima', ...(peak ? ['of peak'] : [])];
  const share = ({ rate, median, minimum }: Row): string => `${Math.round((100 * rate * median) / minimum / probe)} %`;
  const lines = [head, ...rows.map((row) => [...cellsOf(row), ...(peak ? [share(row)] : [])])];
  const widths = head.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  const table = lines.map((line) => line.map((cell, i) => pad(cell, widths[i] ?? 0, i === 0)).join('  '));
  if (!rows.length) return [name, ...notes].map((line) => `  ${line}`).join('\n');
  const title = `${name}  (${kept} of ${ran} rounds count; ${peak ? 'peak' : 'probe'} ${probe.toFixed(2)} GFMA/s)`;
  return [title, ...table, ...notes.map((note) => `note: ${note}`)].map((line) => `  ${line.trimEnd()}`).join('\n');
}

const cellsOf = ({ name, median, minimum, rate, ratio, leastRatio }: Row): string[] => [
  name,
  time(median),
  time(minimum),
  rate.toPrecision(3),
  ratio.toFixed(2),
  leastRatio.toFixed(2),
];

const time = (ms: number): string => (ms < 0.1 ? `${(1000 * ms).toPrecision(3)} µs` : `${ms.toPrecision(3)} ms`);

const pad = (cell: string, width: number, left: boolean): string => (left ? cell.padEnd(width) : cell.padStart(width));
