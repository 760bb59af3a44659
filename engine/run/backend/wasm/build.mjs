// Compiles assembly/*.as to the bytes in bytes.ts: `node engine/run/backend/wasm/build.mjs`. `--check` only compares; a test does.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = dirname(fileURLToPath(import.meta.url));

// The sources end in .as: they are not TypeScript, and tsc, ESLint and Prettier would try.
const sourceOf = (name) => {
  try {
    return readFileSync(join(folder, 'assembly', name.replace(/\.ts$/, '.as')), 'utf8');
  } catch {
    return null;
  }
};

/** The module as bytes; `relaxed` with fused multiply-add. */
async function compile(relaxed) {
  const options = ['--outFile', 'kernels.wasm', '--runtime', 'stub', '--noAssert', '-O3', '--initialMemory', '1'];
  const features = ['--enable', 'simd', ...(relaxed ? ['--enable', 'relaxed-simd'] : [])];
  const binary = [];
  const stderr = asc.createMemoryStream();
  const { error } = await asc.main(['kernels.ts', ...options, ...features], {
    stderr,
    readFile: sourceOf,
    writeFile: (_, content) => void binary.push(content),
    listFiles: () => [],
  });
  if (error || !binary[0])
    throw new Error(`assembly/kernels.as: ${error?.message ?? 'no output'}\n${stderr.toString()}`);
  return Buffer.from(binary[0]);
}

const modules = [
  ['simd128', false, 'of WebAssembly, in hexadecimal'],
  ['relaxed', true, 'with relaxed SIMD'],
];

async function source() {
  const parts = modules.map(async ([name, relaxed, words]) => {
    const bytes = await compile(relaxed);
    return `\n/** ${bytes.length} bytes ${words}. */\nexport const ${name} =\n  '${bytes.toString('hex')}';\n`;
  });
  return `// Made by build.mjs from assembly/*.as; do not edit.\n${(await Promise.all(parts)).join('')}`;
}

// With --check it only says, by its exit code, whether bytes.ts is as it would be written.
const file = join(folder, 'bytes.ts');
const text = await source();
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('bytes.ts is not what assembly/*.as compile to: run build.mjs');
  process.exitCode = 1;
}
