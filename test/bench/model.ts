// `npm run bench model`: 200 tokens through a model of GPT-2's size (random numbers) from a folder, as the editor's worker and the terminal run it.
import { mkdtempSync, openSync, closeSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFolder, modelKernels, openCheckpoint, runForward } from '../../engine/checkpoint';

const [width, layers, vocabulary, context, tokens] = [768, 12, 50257, 1024, 200];

const layerShapes = {
  'ln_1.weight': [width], 'ln_1.bias': [width], 'attn.c_attn.weight': [width, 3 * width], 'attn.c_attn.bias': [3 * width], 'attn.c_proj.weight': [width, width], 'attn.c_proj.bias': [width],
  'ln_2.weight': [width], 'ln_2.bias': [width], 'mlp.c_fc.weight': [width, 4 * width], 'mlp.c_fc.bias': [4 * width], 'mlp.c_proj.weight': [4 * width, width], 'mlp.c_proj.bias': [width],
} as const; // prettier-ignore

/** Writes config.json and model.safetensors (498 MB) tensor by tensor. */
function writeFolder(folder: string): void {
  const config = { model_type: 'gpt2', n_embd: width, n_head: 12, n_layer: layers, n_positions: context, vocab_size: vocabulary }; // prettier-ignore
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const own = Array.from({ length: layers }, (_, i) => Object.entries(layerShapes).map(([name, shape]) => [`h.${i}.${name}`, shape] as const)).flat(); // prettier-ignore
  const shapes = [['wte.weight', [vocabulary, width]], ['wpe.weight', [context, width]], ...own, ['ln_f.weight', [width]], ['ln_f.bias', [width]]] as const; // prettier-ignore
  const sizes = shapes.map(([, shape]) => shape.reduce((a: number, b: number) => a * b, 4));
  let end = 0;
  const header = Object.fromEntries(shapes.map(([name, shape], i) => [name, { dtype: 'F32', shape, data_offsets: [end, (end += sizes[i] ?? 0)] }])); // prettier-ignore
  const text = Buffer.from(JSON.stringify(header));
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
  closeSync(file);
}

async function main(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'bench-model-'));
  try {
    writeFolder(place);
    const kernels = modelKernels();
    const ids = Array.from({ length: tokens }, (_, i) => (i * 7919) % vocabulary);
    for (let round = 1; round <= 3; round++) {
      const folder = diskFolder({ open, stat }, place);
      const begun = { at: Date.now(), cpu: process.cpuUsage() };
      const opened = await openCheckpoint(folder);
      if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
      let first = 0;
      const result = await runForward(opened.value.architecture, opened.value.weights, ids, {
        kernels,
        onAttention: () => void (first ||= Date.now() - begun.at),
      });
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      const { user, system } = process.cpuUsage(begun.cpu);
      const { maxRSS } = process.resourceUsage();
      console.log(`round ${round}: ${Date.now() - begun.at} ms, ${Math.round((user + system) / 1000)} ms of processor; first layer's heads after ${first} ms; ${Math.round(maxRSS / 1000)} MB at most, ${kernels.build}`); // prettier-ignore
      await folder.close();
    }
  } finally {
    rmSync(place, { recursive: true });
  }
}

void main();
