// `npm run newest`: packs the extension, installs it in the newest VS Code that is known here (code-server.ts), and runs the tests of the package there.
// It is not part of `npm test`: it downloads another VS Code and another Node (about 300 MB unpacked), once.
import { join } from 'node:path';
import { root } from './paths';
import { run } from './processes';

async function main(): Promise<void> {
  // Before the tests, whose time is limited. What code-server.ts names depends on the variable when it is loaded.
  process.env['EXPLAIN_ATTENTION_VSCODE'] = 'newest';
  await (await import('./code-server')).installCodeServer();
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const { code } = await run(process.execPath, [mocha, '--import=tsx', join(root, 'test/host/vsix.test.ts')], {
    cwd: root,
    echo: true,
    limit: 2400,
  });
  process.exitCode = code === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
