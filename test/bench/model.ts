// `npm run bench model`: 200 tokens through a model of GPT-2's size (random numbers) from a folder, as the editor's worker and the terminal run it, on one thread
// and on two; then onnxruntime-web on the same weights, on one thread, in turn with ours; then PyTorch on one thread, where python3 has it.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  diskFolder,
  modelKernels,
  openCheckpoint,
  runForward,
  startSecondThread,
  type SecondThread,
} from '../../engine/checkpoint';
import { gpt2Graph, type Places } from './model-onnx';
import { modelOf, weightsFile } from './onnx';
import { peer } from './peers';
import { median } from './measure';
import { pythonName } from './pythonPeer';

/** Where the peers are installed, and the bundle of model-peak.ts. */
const [, , bench = '', peakProgram = ''] = process.argv;
const [width, heads, layers, vocabulary, context, tokens] = [768, 12, 12, 50257, 1024, 200];
const ids = Array.from({ length: tokens }, (_, i) => (i * 7919) % vocabulary);

const layerShapes = {
  'ln_1.weight': [width], 'ln_1.bias': [width], 'attn.c_attn.weight': [width, 3 * width], 'attn.c_attn.bias': [3 * width], 'attn.c_proj.weight': [width, width], 'attn.c_proj.bias': [width],
  'ln_2.weight': [width], 'ln_2.bias': [width], 'mlp.c_fc.weight': [width, 4 * width], 'mlp.c_fc.bias': [4 * width], 'mlp.c_proj.weight': [4 * width, width], 'mlp.c_proj.bias': [width],
} as const; // prettier-ignore

/** Writes config.json and model.safetensors (498 MB) tensor by tensor. Gives where the file has them. */
function writeFolder(folder: string): Places {
  const config = { model_type: 'gpt2', n_embd: width, n_head: heads, n_layer: layers, n_positions: context, vocab_size: vocabulary }; // prettier-ignore
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const own = Array.from({ length: layers }, (_, i) => Object.entries(layerShapes).map(([name, shape]) => [`h.${i}.${name}`, shape] as const)).flat(); // prettier-ignore
  const shapes = [['wte.weight', [vocabulary, width]], ['wpe.weight', [context, width]], ...own, ['ln_f.weight', [width]], ['ln_f.bias', [width]]] as const; // prettier-ignore
  const sizes = shapes.map(([, shape]) => shape.reduce((a: number, b: number) => a * b, 4));
  let end = 0;
  const header = Object.fromEntries(shapes.map(([name, shape], i) => [name, { dtype: 'F32', shape, data_offsets: [end, (end += sizes[i] ?? 0)] }])); // prettier-ignore
  const json = JSON.stringify(header);
  // Numbers begin at a multiple of eight.
  const text = Buffer.from(json + ' '.repeat((8 - (json.length % 8)) % 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(join(folder, 'model.safetensors'), 'w');
  for (const part of [length, text]) writeSync(file, part);
  let seed = 1;
  shapes.forEach(([name], i) => {
    const values = new Float32Array((sizes[i] ?? 0) / 4);
    const around = name.includes('ln_') && name.endsWith('.weight') ? 1 : 0;
    for (let j = 0; j < values.length; j++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      values[j] = around + (seed / 2 ** 32 - 0.5) / 15;
    }
    writeSync(file, new Uint8Array(values.buffer));
  });
  // Or the disk is written while the first rounds are measured.
  fsyncSync(file);
  closeSync(file);
  const places = shapes.map(([name, shape]) => [name, { shape, at: 8 + text.length + (header[name]?.data_offsets[0] ?? 0) }] as const);
  return Object.fromEntries(places);
} // prettier-ignore

interface Ran {
  readonly ms: number;
  readonly processor: number;
  readonly first: number;
  readonly logits: Float32Array;
  /** Of products of 2²⁵ multiply-adds and more: milliseconds, and 10⁹ multiply-adds. */
  readonly large: { ms: number; work: number };
}

async function ours(place: string, kernels: ReturnType<typeof modelKernels>, second?: SecondThread): Promise<Ran> {
  const folder = diskFolder({ open, stat }, place);
  const begun = { at: performance.now(), cpu: process.cpuUsage() };
  const opened = await openCheckpoint(folder);
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  let first = 0;
  const large = { ms: 0, work: 0 };
  const timed: typeof kernels = {
    ...kernels,
    matmul(of) {
      const start = performance.now();
      const result = kernels.matmul(of);
      const work = of.n * of.k * of.m;
      if (work >= 1 << 25) [large.ms, large.work] = [large.ms + performance.now() - start, large.work + work / 1e9];
      return result;
    },
  };
  const result = await runForward(opened.value.architecture, opened.value.weights, ids, {
    kernels: timed,
    ...(second && { second }),
    onAttention: () => void (first ||= performance.now() - begun.at),
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const { user, system } = process.cpuUsage(begun.cpu);
  const ms = performance.now() - begun.at;
  await folder.close();
  return { ms, processor: (user + system) / 1000, first, logits: result.value.logits?.[0] ?? new Float32Array(), large };
} // prettier-ignore

interface Ort {
  readonly env: { readonly wasm: { numThreads: number } };
  readonly Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => { readonly data: Float32Array };
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<{ run(feeds: object): Promise<Record<string, { readonly data: Float32Array }>> }> };
} // prettier-ignore

/** A pass of onnxruntime-web on the same weights, which it holds in its memory. */
async function startOnnx(place: string, places: Places): Promise<() => Promise<Float32Array>> {
  const ort = await peer<Ort>({ folder: bench, cache: '' }, 'onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  const file = readFileSync(join(place, 'model.safetensors'));
  const model = modelOf(gpt2Graph({ width, heads, layers, vocabulary, tokens }, places));
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    externalData: [{ path: weightsFile, data: file }],
  });
  const row = (name: string, i: number): Float32Array => new Float32Array(file.buffer, file.byteOffset + (places[name]?.at ?? 0) + 4 * width * i, width); // prettier-ignore
  const x = new Float32Array(tokens * width);
  const mask = new Float32Array(tokens * tokens);
  ids.forEach((id, i) => {
    const [token, position] = [row('wte.weight', id), row('wpe.weight', i)];
    for (let c = 0; c < width; c++) x[i * width + c] = (token[c] ?? NaN) + (position[c] ?? NaN);
    mask.fill(-Infinity, i * tokens + i + 1, (i + 1) * tokens);
  });
  const feeds = { x: new ort.Tensor('float32', x, [tokens, width]), mask: new ort.Tensor('float32', mask, [tokens, tokens]) }; // prettier-ignore
  return async () => (await session.run(feeds))['logits']?.data ?? new Float32Array();
}

const measuredPeak = (): number => Number(execFileSync(process.execPath, [peakProgram], { encoding: 'utf8' }));

/** PyTorch on the same folder: undefined where there is none. */
function byTorch(place: string): { readonly torch: string; readonly ms: readonly number[]; readonly logits: readonly number[] } | undefined {
  writeFileSync(join(place, 'ids.json'), JSON.stringify(ids));
  // Debian's own, where the first python3 has no PyTorch.
  for (const python of [pythonName(), '/usr/bin/python3']) {
    const { status, stdout } = spawnSync(python, [join(bench, 'model-torch.py'), place, join(place, 'ids.json')], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (status === 0) return JSON.parse(stdout) as ReturnType<typeof byTorch>;
  }
  return undefined;
} // prettier-ignore

const apart = (one: Float32Array, other: Float32Array): number => {
  const most = one.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0);
  return one.reduce((largest, x, i) => Math.max(largest, Math.abs(x - (other[i] ?? NaN))), 0) / most;
};

const whole = (ms: number): string => `${Math.round(ms)} ms`;

async function main(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'bench-model-'));
  try {
    const places = writeFolder(place);
    const kernels = modelKernels();
    for (let round = 1; round <= 3; round++) {
      const { ms, processor, first } = await ours(place, kernels);
      const { maxRSS } = process.resourceUsage();
      console.log(`one thread, round ${round}: ${whole(ms)}, ${whole(processor)} of processor; first layer's heads after ${whole(first)}; ${Math.round(maxRSS / 1000)} MB at most, ${kernels.build}`); // prettier-ignore
    }
    const second = startSecondThread(join(bench, '../../dist/model.js'));
    const peaks = [measuredPeak()];
    const run = await startOnnx(place, places);
    const rounds: { one: Ran; two?: Ran; onnx: number }[] = [];
    let theirs = await run();
    for (let round = 0; round < 7; round++) {
      const one = await ours(place, kernels);
      const two = second && (await ours(place, kernels, second));
      if (two && Buffer.compare(Buffer.from(one.logits.buffer), Buffer.from(two.logits.buffer)) !== 0) throw new Error('two threads give other numbers than one'); // prettier-ignore
      const start = performance.now();
      theirs = await run();
      rounds.push({ one, ...(two && { two }), onnx: performance.now() - start });
    }
    second?.end();
    peaks.push(measuredPeak());
    const peak = Math.max(...peaks);
    const distance = apart(theirs, (rounds[0] as (typeof rounds)[0]).one.logits);
    if (!(distance < 1e-4)) throw new Error(`onnxruntime-web's scores are apart by ${distance} of the largest`);
    const shares = rounds.map(({ one: { large } }) => large.work / (large.ms / 1000) / peak);
    const ratio = (of: (round: (typeof rounds)[0]) => number): string => `${median(rounds.map(of)).toFixed(2)}× (${Math.min(...rounds.map(of)).toFixed(2)} to ${Math.max(...rounds.map(of)).toFixed(2)})`; // prettier-ignore
    console.log(`seven rounds in turn: one thread ${whole(median(rounds.map(({ one }) => one.ms)))} with its files read; onnxruntime-web, one thread, weights loaded before, ${whole(median(rounds.map(({ onnx }) => onnx)))}: ours is ${ratio(({ one, onnx }) => onnx / one.ms)} as fast`); // prettier-ignore
    if (second) console.log(`two threads ${whole(median(rounds.map(({ two }) => two?.ms ?? NaN)))}: ${ratio(({ one, two }) => one.ms / (two?.ms ?? NaN))} as fast as one, the same bits`); // prettier-ignore
    console.log(`products of 2^25 multiply-adds and more: ${(100 * median(shares)).toFixed(0)} % of the 128-bit peak of a product and a sum (${(100 * Math.min(...shares)).toFixed(0)} to ${(100 * Math.max(...shares)).toFixed(0)}), which is ${peak.toFixed(1)} GFMA/s`); // prettier-ignore
    const torch = byTorch(place);
    if (!torch) console.log('PyTorch: python3 has none');
    else {
      const [own, theirsMs] = [median(rounds.map(({ one }) => one.ms)), median(torch.ms)];
      const far = apart(Float32Array.from(torch.logits), (rounds[0] as (typeof rounds)[0]).one.logits);
      if (!(far < 1e-4)) throw new Error(`PyTorch's scores are apart by ${far} of the largest`);
      console.log(`PyTorch ${torch.torch}, one thread, weights loaded before, after these rounds: ${whole(theirsMs)}: ours is ${(theirsMs / own).toFixed(2)}× as fast with its files read; scores apart by ${far.toExponential(1)} of the largest`); // prettier-ignore
    }
    console.log(`scores of the last token: apart by ${distance.toExponential(1)} of the largest`);
  } finally {
    rmSync(place, { recursive: true });
  }
}

void main();
