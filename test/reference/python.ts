import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A Python that has the modules a live comparison needs, or why there is none (for a visible skip). */
export type Python =
  | { readonly found: true; readonly command: string; readonly versions: string }
  | { readonly found: false; readonly reason: string };

const candidates = [process.env['PYTHON'], '/usr/bin/python3', 'python3', 'python'].filter((c) => c !== undefined);

/** The first candidate that imports every module: PYTHON from the environment, Debian's, the one on the path. */
export function findPython(...modules: readonly string[]): Python {
  const script = `import ${modules.join(',')}; print(', '.join(m.__name__ + ' ' + m.__version__ for m in (${modules.join(',')},)))`;
  for (const command of candidates) {
    const { status, stdout } = spawnSync(command, ['-c', script], { encoding: 'utf8', timeout: 60000 });
    if (status === 0) return { found: true, command, versions: stdout.trim() };
  }
  return { found: false, reason: `no Python with ${modules.join(' and ')} (tried ${candidates.join(', ')})` };
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
