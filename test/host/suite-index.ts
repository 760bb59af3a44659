// The entry that VS Code calls in its extension host: runs mocha on every bundled *.test.js beside this file (build-suite.ts).
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import report from './reporter';

export async function run(): Promise<void> {
  // Not bundled, because mocha loads its own parts at run time.
  const { default: Mocha } = await import('mocha');
  // The types ask for a subclass of mocha's Base, but mocha only calls it with `new`.
  const reporter = report as unknown as Mocha.ReporterConstructor;
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, forbidOnly: true, reporter });
  const only = process.env['EXPLAIN_ATTENTION_ONLY'] ?? '';
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.js') && new RegExp(only).test(file),
  );
  for (const file of files.sort()) mocha.addFile(join(__dirname, file));
  if (files.length === 0) throw new Error(`no *.test.js in ${__dirname}`);
  const failures = await new Promise<number>((done) => mocha.run(done));
  if (failures > 0) throw new Error(`${failures} failed`);
}
