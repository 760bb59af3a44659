import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const candidates = [process.env['PYTHON'], '/usr/bin/python3', 'python3', 'python'].filter((c) => c !== undefined);

/**
 * The first candidate that imports every module (PYTHON from the environment, Debian's, the one on the path). Without
 * one, the running suite or test is skipped and the reason printed.
 */
export function pythonOrSkip(running: Mocha.Context, ...modules: readonly string[]): string {
  const names = modules.join(', ');
  const script = `import ${names}; print(*(f"{m.__name__} {m.__version__}" for m in (${names},)), sep=", ")`;
  for (const command of candidates) {
    const { status, stdout } = spawnSync(command, ['-c', script], { encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) continue;
    console.log(`      compared with ${stdout.trim()}`);
    return command;
  }
  console.log(`      skipped: no Python with ${modules.join(' and ')} (tried ${candidates.join(', ')})`);
  return running.skip();
}

/** Runs a program of this folder with text or little-endian float64 on its standard input; gives the float64 on its standard output. */
export function runReference(
  command: string,
  program: string,
  args: readonly string[],
  input: Float64Array | string,
): Float64Array {
  const { status, stdout, stderr, error } = spawnSync(command, [join(__dirname, program), ...args], {
    input: typeof input === 'string' ? input : new Uint8Array(input.buffer, input.byteOffset, input.byteLength),
    maxBuffer: 1 << 28,
    timeout: 120000,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.toString()}`);
  return new Float64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
}

/** Distance in units in the last place of `expected`: the spacing of float64 at that value. Infinite for NaN against a number. */
export function ulps(actual: number, expected: number): number {
  if (Object.is(actual, expected)) return 0;
  if (actual === expected || !Number.isFinite(actual) || !Number.isFinite(expected)) return Infinity;
  return Math.abs(actual - expected) / spacing(expected);
}

function spacing(x: number): number {
  let exponent = Math.max(Math.floor(Math.log2(Math.abs(x))), -1022);
  if (exponent > -1022 && 2 ** exponent > Math.abs(x)) exponent--;
  return 2 ** Math.max(exponent - 52, -1074);
}
