/**
 * Compares generated programs in our interpreter and in Python, with many more programs than the tests have:
 *     npx tsx test/precision/programs.ts [--from 1] [--count 5000] [--show 20]
 * Prints Markdown: the numbers of names that are right, refused with a message, or wrong, and the first wrong ones with their programs. PROGRAMS.md has
 * the figures of the last large run. Needs a Python with NumPy and PyTorch (the environment variable PYTHON, or Debian's).
 */
import { compareProgram, runPython } from '../engine/program-compare';
import { generatedPrograms } from '../engine/program-generator/index';

const option = (name: string, usual: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};

const [from, size, show] = [option('from', 1), option('count', 5000), option('show', 20)];
const python = process.env['PYTHON'] ?? '/usr/bin/python3';
const batch = 250;

const totals = { programs: 0, raised: 0, compared: 0, exact: 0, shapes: 0, refused: 0, wrong: 0, wrongPrograms: 0 };
const reasons = new Map<string, number>();
let shown = 0;

for (let first = from; first < from + size; first += batch) {
  const programs = generatedPrograms(first, Math.min(batch, from + size - first));
  const ran = runPython(
    python,
    programs.map(({ text }) => text),
  );
  for (const [i, { name, text }] of programs.entries()) {
    const expected = ran[i];
    if (!expected) throw new Error(`${name} has no result`);
    totals.programs++;
    if (expected.error !== null) totals.raised++;
    const { wrong, compared, exact, shapes, unknown } = compareProgram(text, expected, 'kinds');
    totals.compared += compared;
    totals.exact += exact;
    totals.shapes += shapes;
    totals.refused += unknown.length;
    totals.wrong += wrong.length;
    for (const reason of unknown.map((one) => one.replace(/^[^:]*: /, '')))
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (wrong.length === 0) continue;
    totals.wrongPrograms++;
    if (shown++ < show) console.log(`\n## ${name}\n\n${wrong.slice(0, 4).join('\n')}\n`);
  }
}

console.log(`\n| programs ${from} to ${from + size - 1} | |\n|---|---|`);
for (const [name, n] of Object.entries(totals)) console.log(`| ${name} | ${n} |`);
const most = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 30);
console.log('\n| refused because | names |\n|---|---|');
for (const [reason, n] of most) console.log(`| ${reason.replaceAll('|', '\\|')} | ${n} |`);
