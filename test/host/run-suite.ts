// Runs the extension's test suite in a real VS Code by `runTests`. A separate program, so that test.ts can read its output.
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { buildSuite, suiteFolder } from './build-suite';
import { copyExamples, root } from './paths';
import { resolveVSCode } from './vscode';

async function main(): Promise<void> {
  const files = await buildSuite();
  const host = await resolveVSCode();
  console.log(`host: ${host.words}`);
  console.log(`${files} test files`);
  await runTests({
    vscodeExecutablePath: host.executable,
    launchArgs: [...host.args, copyExamples(), '--disable-extensions'],
    extensionDevelopmentPath: root,
    extensionTestsPath: join(suiteFolder, 'index.js'),
    extensionTestsEnv: {
      EXPLAIN_ATTENTION_TEST: '1',
      // A pattern of file names: only these tests are run.
      EXPLAIN_ATTENTION_ONLY: process.env['EXPLAIN_ATTENTION_ONLY'] ?? '',
    },
  });
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  // A request to an update server that does not answer may still be pending.
  .finally(() => process.exit());
