// `npm run thorough -- [part of a path …]`: runs the test files of which `npm test` takes a sample (thorough.ts), with all of their cases, and writes
// what passed into test/THOROUGH.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths';
import { run } from './processes';
import { readCounts } from './reporter';

const results = join(root, 'test/THOROUGH.md');

/** Test files that have more cases than they run. */
function sampled(names: readonly string[]): string[] {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.test.ts') && !name.includes('/node_modules/'));
  const asks = (file: string): boolean => /host\/thorough'|\/axe'/.test(readFileSync(join(root, file), 'utf8'));
  return all.filter((file) => asks(file) && (!names.length || names.some((name) => file.includes(name)))).sort();
}

/** Runs one file. Its line of the table, and whether all of it passed. */
async function runOne(file: string): Promise<{ readonly line: string; readonly good: boolean }> {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--import=tsx', '--timeout=3600000', '--reporter', join(root, 'test/host/reporter.ts'), file];
  const start = Date.now();
  const { code, output } = await run(process.execPath, args, {
    cwd: root,
    env: { ...process.env, THOROUGH: '1' },
    echo: true,
    limit: 3600,
  });
  const { passed, failed } = readCounts(output) ?? { passed: 0, failed: 1 };
  const seconds = Math.round((Date.now() - start) / 1000);
  return { line: `| \`${file}\` | ${passed} | ${failed} | ${seconds} |`, good: code === 0 && failed === 0 };
}

/** The table with new lines in place of those of the same files. */
function written(lines: readonly string[]): string {
  const before = readFileSync(results, 'utf8').split('\n');
  const head = before.slice(0, before.findIndex((line) => line.startsWith('|---')) + 1);
  const kept = before.filter((line) => /^\| `/.test(line) && !lines.some((one) => fileOf(one) === fileOf(line)));
  return `${[...head, ...[...kept, ...lines].sort()].join('\n')}\n`;
}

const fileOf = (line: string): string => line.split('`')[1] ?? '';

async function main(names: readonly string[]): Promise<void> {
  const files = sampled(names);
  if (files.length === 0) throw new Error(`no test file of ${names.join(', ')} has more cases than it runs`);
  const rows = [];
  for (const file of files) rows.push(await runOne(file));
  writeFileSync(results, written(rows.map(({ line }) => line)));
  process.exitCode = rows.every(({ good }) => good) ? 0 : 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
