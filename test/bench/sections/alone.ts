import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Errand, Found } from '../alone';
import { median, probe, remarks, rowsOf, type Measured } from '../measure';
import type { Place } from '../peers';
import { engineNames } from '../tensorPeers';
import type { Form, Section } from './index';

export const cold: Section = {
  name: 'cold',
  words:
    'import, initialise and first attention (n = 16, d = 64), each in a process of its own; against onnxruntime-web, tfjs, jax-js',
  run: runCold,
};

export const memory: Section = {
  name: 'memory',
  words:
    'what a process grows by for attention at n = 4096, d = 64, weights and output; against onnxruntime-web, tfjs, jax-js',
  run: runMemory,
};

const names = ['ours', ...engineNames] as const;

/** Each round starts each engine once, in alternation. */
async function* runCold(place: Place, { short }: Form): AsyncGenerator<Measured> {
  const ask = await asker(place);
  const [rounds, notes, probes]: [number[][], string[], number[]] = [[], [], []];
  for (let i = 0; i < (short ? 5 : 15); i++) {
    const times = names.map(() => NaN);
    probes.push(probe());
    for (let j = 0; j < names.length; j++) {
      const which = (i + j) % names.length;
      times[which] = (await ask(names[which] ?? 'ours', 'cold', 16)).milliseconds;
    }
    rounds.push(times);
  }
  const rows = rowsOf(names, rounds, 1);
  const [kept, best] = [rounds.length, Math.max(...probes)];
  yield {
    name: 'from import to first attention',
    unit: 'starts',
    rows,
    notes,
    kept,
    ran: kept,
    probe: best,
    peak: false,
  };
}

async function* runMemory(place: Place, { short }: Form): AsyncGenerator<Measured> {
  const ask = await asker(place);
  const [n, notes]: [number, string[]] = [4096, []];
  const weights = 4 * n * n;
  let ours = NaN;
  for (const name of names) {
    const grown: number[] = [];
    let note: string | undefined;
    for (let i = 0; i < (short ? 1 : 3); i++) {
      const found = await ask(name, 'memory', n);
      grown.push(found.bytes);
      note = found.note;
    }
    const bytes = median(grown);
    if (name === 'ours') ours = bytes;
    const times = `${(bytes / weights).toFixed(2)} times the weights`;
    const beside = name === 'ours' ? note : `${(bytes / ours).toFixed(2)} times ours`;
    notes.push(`${name}: ${(bytes / 1e6).toFixed(0)} MB, ${times}${beside === undefined ? '' : `; ${beside}`}`);
  }
  yield remarks(`memory, n = ${n}`, notes);
}

type Ask = (engine: Errand['engine'], task: Errand['task'], n: number) => Promise<Found>;

async function asker(place: Place): Promise<Ask> {
  const [alone, kernels] = [join(place.cache, 'alone.mjs'), join(place.cache, 'kernels.mjs')];
  const options = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' } as const;
  await build({ ...options, entryPoints: [join(place.folder, 'alone.ts')], outfile: alone });
  // Built with the options of the shipped bundle.
  const own = join(place.folder, '../../engine/run/backend/wasm/index.ts');
  await build({ ...options, entryPoints: [own], outfile: kernels, minify: true });
  return async (engine, task, n) => {
    const errand: Errand = { engine, task, n, place, kernels };
    const { stdout } = await promisify(execFile)(process.execPath, [alone, JSON.stringify(errand)]);
    // Some peers print a banner before the result.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Found;
  };
}
