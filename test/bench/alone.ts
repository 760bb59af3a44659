// A child process that loads a single engine (sections/alone.ts). It measures the time from importing the engine to the first attention, or the memory
// that a large attention needs. Prints one line of JSON.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { WasmKernels } from '../../engine/run/backend/wasm';
import { checkOf, problemOf, wrongRow, type Attended, type Problem } from './plainAttention';
import type { Place } from './peers';
import { nodeSources } from './tensorEngines';
import { startEngine, type EngineName } from './tensorPeers';

export interface Errand {
  readonly engine: 'ours' | EngineName;
  readonly task: 'cold' | 'memory';
  readonly n: number;
  readonly place: Place;
  /** The bundle of our kernels. */
  readonly kernels: string;
}
export interface Found {
  readonly milliseconds: number;
  /** Peak growth of the process's memory during the computation, in bytes. */
  readonly bytes: number;
  readonly note?: string;
}

const d = 64;

interface Started {
  attention(problem: Problem): Promise<{ run: () => unknown; read: (result: unknown) => Attended }>;
  readonly bytes?: () => number;
}

async function start({ engine, place, kernels }: Errand): Promise<Started> {
  if (engine !== 'ours') return startEngine(engine, nodeSources(place));
  const module = (await import(pathToFileURL(kernels).href)) as { kernels(): WasmKernels };
  const own = module.kernels();
  return {
    attention: async ({ n, ...given }) => ({
      run: () => own.attention({ ...given, n, m: n, dv: d, scale: 1 / Math.sqrt(d) }, true),
      read: (result) => result as Attended,
    }),
    bytes: own.bytes,
  };
}

async function cold(errand: Errand): Promise<Found> {
  const problem = problemOf(errand.n, d);
  const begin = performance.now();
  const started = await start(errand);
  const { run, read } = await started.attention(problem);
  const attended = read(await run());
  const milliseconds = performance.now() - begin;
  right(checkOf(problem)(attended));
  return { milliseconds, bytes: 0 };
}

async function memory(errand: Errand): Promise<Found> {
  const problem = problemOf(errand.n, d);
  const started = await start(errand);
  const small = await started.attention(problemOf(16, d));
  right(checkOf(problemOf(16, d))(small.read(await small.run())));
  const before = process.memoryUsage().rss;
  const begin = performance.now();
  const { run, read } = await started.attention(problem);
  const result = await run();
  const milliseconds = performance.now() - begin;
  const bytes = mostHeld() - before;
  right(wrongRow(problem, read(result)));
  const own = started.bytes?.();
  return { milliseconds, bytes, ...(own !== undefined && { note: `its own memory ${(own / 1e6).toFixed(1)} MB` }) };
}

/** Peak memory of this process in bytes. On Linux it is read from /proc, because a child process inherits the `maxRSS` of its parent. */
function mostHeld(): number {
  const { maxRSS } = process.resourceUsage();
  if (process.platform !== 'linux') return 1024 * maxRSS;
  return 1024 * Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? maxRSS);
}

function right(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Error(wrong);
}

const errand = JSON.parse(process.argv[2] ?? '{}') as Errand;
const found = await (errand.task === 'cold' ? cold(errand) : memory(errand));
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
