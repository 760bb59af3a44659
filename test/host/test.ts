// `npm test`: every suite, or the named ones (`npm test -- engine webview`). Ends with one table and `N passed, N failed`.
import { type Outcome, strayTests, type Suite, suites } from './suites';

interface Row extends Outcome {
  name: string;
  seconds: number;
}

/** The named suites with those that they need, in the order of the list. All if none is named. */
function choose(names: string[]): Suite[] {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length)
    throw new Error(`no suite ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}`);
  const needed = suites.filter(({ name }) => names.includes(name)).flatMap(({ needs = [] }) => needs);
  return names.length ? suites.filter(({ name }) => names.includes(name) || needed.includes(name)) : suites;
}

async function runSuite(suite: Suite): Promise<Row> {
  console.log(`\n${suite.name}: ${suite.words}`);
  const start = Date.now();
  const outcome = await suite.run().catch((error: unknown): Outcome => {
    const why = error instanceof Error ? error.message : String(error);
    console.error(why);
    return { passed: 0, failed: 1, skipped: 0, notes: [why] };
  });
  return { ...outcome, name: suite.name, seconds: (Date.now() - start) / 1000 };
}

function print(rows: Row[]): void {
  console.log(`\n${'suite'.padEnd(10)}  passed  failed  skipped     time`);
  for (const { name, passed, failed, skipped, seconds, notes } of rows) {
    const cells = [passed, failed, skipped].map((count, i) => String(count).padStart([6, 6, 7][i] ?? 0)).join('  ');
    console.log(`${name.padEnd(10)}  ${cells}  ${seconds.toFixed(1).padStart(5)} s`);
    for (const note of notes) console.log(note.replace(/^/gm, '  '));
  }
}

async function main(names: string[]): Promise<void> {
  const stray = strayTests();
  if (stray.length) throw new Error(`no suite runs ${stray.join(', ')}: see suites.ts`);
  const rows: Row[] = [];
  for (const suite of choose(names)) rows.push(await runSuite(suite));
  print(rows);
  const sum = (of: 'passed' | 'failed' | 'skipped') => rows.reduce((total, row) => total + row[of], 0);
  const skipped = sum('skipped') ? `, ${sum('skipped')} skipped` : '';
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  process.exitCode = sum('failed') ? 1 : 0;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  console.log('\n0 passed, 1 failed');
  process.exitCode = 1;
});
