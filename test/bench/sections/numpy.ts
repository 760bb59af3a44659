import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wasmKernels } from '../../../engine/run/backend/wasm';
import { measure, type Measured } from '../measure';
import { peakModule, peakProbe } from '../peak';
import type { Place } from '../peers';
import { linesOf } from '../processLines';
import { checkOf, problemOf, wrongRow, type Attended } from '../plainAttention';
import type { Form, Section } from './index';

export const numpy: Section = {
  name: 'numpy',
  words:
    'attention, float32, d = 64, weights and output, one thread, against NumPy with OpenBLAS limited to SSE (EXPLAIN_ATTENTION_PYTHON: whose NumPy)',
  run,
};

const d = 64;

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const own = wasmKernels();
  const peak = peakProbe(await peakModule(own.build === 'relaxed'));
  for (const n of short ? [1024] : [512, 1024, 2048, 4096]) {
    const problem = problemOf(n, d);
    const python = await startPython(place, n);
    try {
      const { q, k, v } = problem;
      const ours = {
        name: 'ours, copied in',
        run: () => own.attention({ q, k, v, n, m: n, d, dv: d, scale: 1 / Math.sqrt(d) }, true),
        check:
          n <= 1024
            ? (r: unknown) => checkOf(problem)(r as Attended)
            : (r: unknown) => wrongRow(problem, r as Attended),
      };
      // Each run sends a line to the Python process and waits for its answer, which costs about 0.1 ms of the measured time.
      const theirs = { name: 'NumPy', run: python.run, check: () => python.wrong };
      const work = { name: `attention, n = ${n}`, amount: (2 * n * n * d) / 1e9, unit: 'GFMA', inputs: 1, peak };
      const notes = [`ours: the ${own.build} build`, python.version];
      yield await measure({ ...work, contenders: [ours, theirs], notes }, effort);
    } finally {
      python.end();
    }
  }
}

interface Python {
  run(): Promise<void>;
  /** What is wrong with its result, or with its BLAS. */
  readonly wrong: string | undefined;
  readonly version: string;
  end(): void;
}

async function startPython({ folder, cache }: Place, n: number): Promise<Python> {
  const problem = problemOf(n, d);
  const there = join(cache, 'numpy');
  mkdirSync(there, { recursive: true });
  for (const name of ['q', 'k', 'v'] as const) writeFileSync(join(there, `${name}.f32`), problem[name]);
  const program = process.env['EXPLAIN_ATTENTION_PYTHON'] ?? 'python3';
  // Limits the BLAS to kernels from before AVX, that is to 128-bit registers.
  const limited = { OPENBLAS_CORETYPE: 'Nehalem', OPENBLAS_NUM_THREADS: '1' };
  const child = spawn(program, [join(folder, 'numpy-attention.py'), String(n), String(d), there], {
    env: { ...process.env, ...limited },
  });
  const next = linesOf(child);
  const version = await next();
  if (version === undefined) return absent(`${program} has no NumPy, or does not start`);
  const limitedTo = /; (Nehalem|Core2|Penryn|Prescott|Katmai|Dunnington|Atom) 1$/.test(version);
  const read = (name: string): Float32Array => {
    const bytes = readFileSync(join(there, `${name}.f32`));
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  };
  const result = { weights: read('weights'), output: read('output') };
  const wrong = limitedTo
    ? wrongRow(problem, result)
    : `its BLAS is no OpenBLAS limited to SSE and one thread: ${version}`;
  return {
    version,
    wrong,
    run: async () => {
      child.stdin.write('\n');
      await next();
    },
    end: () => child.kill(),
  };
}

const absent = (wrong: string): Python => ({
  wrong,
  version: 'no NumPy',
  run: async () => undefined,
  end: () => undefined,
});
