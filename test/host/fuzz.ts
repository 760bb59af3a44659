// `npm run fuzz -- [part of a path …] [--times=20] [--seed=N]`: runs the random tests with other cases than `npm test`, and more of them. A failure
// prints its seed and its smallest case, which is then fixed and added as an ordinary test.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './paths';

/** Test files that use fast-check, directly or through a module beside them. */
function randomTests(names: readonly string[]): string[] {
  const folders = ['test/engine', 'test/extension/unit', 'test/webview'];
  const all = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const isRandom = (file: string): boolean =>
    /from '(?:fast-check|\.\/mutations)'/.test(readFileSync(join(root, file), 'utf8'));
  const tests = all.filter((file) => file.endsWith('.test.ts') && isRandom(file));
  return tests.filter((file) => names.length === 0 || names.some((name) => file.includes(name))).sort();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const files = randomTests(positionals);
if (!Number.isSafeInteger(seed) || !(Number(values.times) > 0) || files.length === 0)
  throw new Error(`${files.length} test files with random cases, seed ${seed}, ${values.times} times: nothing to run`);
const says = `seed ${seed}, ${values.times} times the cases of npm test, ${files.length} test files`;
console.log(says);
const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
const env = { ...process.env, FUZZ_SEED: String(seed), FUZZ_TIMES: values.times };
spawn(process.execPath, [mocha, '--import=tsx', ...files], { cwd: root, env, stdio: 'inherit' }).on('exit', (code) => {
  console.log(says);
  process.exitCode = code ?? 1;
});
