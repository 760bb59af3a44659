import { join } from 'node:path';
import { wasmKernels } from '../../../engine/run/backend/wasm';
import { measure, type Measured } from '../measure';
import { peakModule, peakProbe } from '../peak';
import type { Place } from '../peers';
import { checkOf, problemOf, wrongRow, type Attended } from '../plainAttention';
import { pythonName, startPython } from '../pythonPeer';
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
    const python = await numpyOf(place, n);
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

async function numpyOf({ folder, cache }: Place, n: number): Promise<Python> {
  const problem = problemOf(n, d);
  const { q, k, v } = problem;
  // Limits the BLAS to kernels from before AVX, that is to 128-bit registers.
  const limited = { OPENBLAS_CORETYPE: 'Nehalem', OPENBLAS_NUM_THREADS: '1' };
  const args = [join(folder, 'numpy-attention.py'), String(n), String(d)];
  const python = await startPython(args, join(cache, 'numpy'), { q, k, v }, limited);
  if (!python) return absent(`${pythonName()} has no NumPy, or does not start`);
  const { version } = python;
  const limitedTo = /; (Nehalem|Core2|Penryn|Prescott|Katmai|Dunnington|Atom) 1$/.test(version);
  const wrong = limitedTo
    ? wrongRow(problem, { weights: python.read('weights'), output: python.read('output') })
    : `its BLAS is no OpenBLAS limited to SSE and one thread: ${version}`;
  return { ...python, wrong };
}

const absent = (wrong: string): Python => ({
  wrong,
  version: 'no NumPy',
  run: async () => undefined,
  end: () => undefined,
});
