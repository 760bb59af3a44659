/**
 * Compares what programs are said to compute with what they compute: shape, number type and first numbers of each assignment, as PyTorch and NumPy have them.
 *     npx tsx test/precision/beside-python.ts FOLDER LIST [FOLDER LIST …] [--python python3] [--seconds 18] [--say]
 * FOLDER contains the files as owner+name/path, LIST names them (wild-a.csv). **It runs them**: only in a sandbox without a network. Files that import more than PyTorch,
 * NumPy, einops and Python's own modules are left out. WILD.md has the figures.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { raisedIn, readingProgram, type Program } from '../../engine/program/program';
import type { Binding } from '../../engine/program/machine';
import { finish } from '../../engine/text';
import { sourceOfFile } from './wild/cells';

const words = process.argv.slice(2);
const option = (name: string, usual: string): string => (words.includes(`--${name}`) ? (words[words.indexOf(`--${name}`) + 1] ?? usual) : usual); // prettier-ignore
const places = words.filter((word, i) => !word.startsWith('--') && !['--python', '--seconds'].includes(words[i - 1] ?? '')); // prettier-ignore
const [python, seconds] = [option('python', 'python3'), option('seconds', '18')];

type Seen = Readonly<Record<string, readonly (readonly [shape: readonly number[], dtype: string])[]>>;
type Numbers = Readonly<Record<string, readonly (readonly (number | null)[])[]>>;

const followed = new Set('torch numpy einops math random typing dataclasses functools collections copy time os sys __future__ warnings abc enum itertools string'.split(' ')); // prettier-ignore

const isAlone = (text: string): boolean =>
  [...text.matchAll(/^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import|import[ \t]+([^\n#]+))/gm)].every(([, from, names]) =>
    (from ?? names ?? '').split(',').every((one) => followed.has(one.trim().split(/[. ]/)[0] ?? '')),
  );

const count = { files: 0, keys: 0, keysWithShape: 0, shapes: 0, wrongShapes: 0, wrongTypes: 0, numbers: 0, wrongNumbers: 0, raised: 0, raisedToo: 0 }; // prettier-ignore
const say = (...parts: readonly unknown[]): void => void (words.includes('--say') && console.log(...parts));

/** The same text without the lines of a notebook that are no Python. */
const plainOf = (text: string): string => text.replace(/^[ \t]*[%!].*$/gm, '');

function compare(name: string, text: string, seen: Seen, numbers: Numbers, ended: string | undefined): void {
  const program = finish(readingProgram(text));
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const own = new Map<string, Binding[]>();
  for (const one of program.bindings) {
    if (!one.node || one.standIn || one.node.sample || one.node.id >= program.firstStandIn) continue;
    const key = `${lineOf(one.range.start)} ${one.name}`;
    own.set(key, [...(own.get(key) ?? []), one]);
  }
  for (const [key, real] of Object.entries(seen)) {
    count.keys++;
    let has = false;
    for (const { node } of own.get(key) ?? []) {
      if (!node?.shape?.every((size) => typeof size === 'number')) continue;
      has = true;
      count.shapes++;
      const same = real.filter(([shape]) => shape.join() === node.shape?.join());
      if (same.length === 0) count.wrongShapes++;
      else if (!same.some(([, dtype]) => dtype === node.dtype)) count.wrongTypes++;
      if (!same.some(([, dtype]) => dtype === node.dtype)) say('shape', name, key, node.shape, node.dtype, 'Python:', real[0]); // prettier-ignore
    }
    if (has) count.keysWithShape++;
    for (const [i, first] of (numbers[`= ${key}`] ?? []).entries()) compareNumbers(`${name} ${key}`, program, own.get(key)?.[i], first); // prettier-ignore
  }
  for (const { text: error } of raisedIn(text, program)) {
    count.raised++;
    if (ended?.split(':')[0] === error.split(':')[0]) count.raisedToo++;
    else say('raised', name, error, '| Python:', ended ?? 'nothing');
  }
}

/** Cells of a tensor that are still looked at. */
const most = 200_000;

function compareNumbers(name: string, program: Program, one: Binding | undefined, first: readonly (number | null)[]): void {
  const { node } = one ?? {};
  const shape = node?.shape;
  if (!node || node.why || node.assumes || !shape?.every((size) => typeof size === 'number') || shape.reduce<number>((a, b) => a * b, 1) > most) return;
  const dense = finish(program.look(node));
  if (!('data' in dense)) return;
  count.numbers++;
  if (first.every((x, i) => x === null || Math.abs(x - (dense.data[i] ?? NaN)) <= 1e-4 * Math.max(1, Math.abs(x)))) return;
  count.wrongNumbers++;
  say('numbers', name, [...dense.data.slice(0, 4)], 'Python:', first);
} // prettier-ignore

const scratch = mkdtempSync(join(tmpdir(), 'beside-python-'));
try {
  for (let i = 0; i + 1 < places.length; i += 2) {
    const [folder = '', list = ''] = places.slice(i, i + 2);
    for (const line of readFileSync(list, 'utf8').trim().split(/\r?\n/).slice(1)) {
      const [repository = '', path = ''] = line.split(',');
      let text: string;
      try {
        text = plainOf(sourceOfFile(path, readFileSync(join(folder, repository.replace('/', '+'), path), 'utf8')).text);
      } catch {
        continue;
      }
      if (!isAlone(text) || !/\b(?:torch|numpy)\b/.test(text)) continue;
      const [file, answer] = [join(scratch, 'program.py'), join(scratch, 'answer.json')];
      writeFileSync(file, text);
      rmSync(answer, { force: true });
      spawnSync(python, [join(__dirname, 'beside_python.py'), file, answer, seconds], { cwd: scratch, stdio: 'ignore', timeout: 3000 * Number(seconds) }); // prettier-ignore
      let found: Seen & Numbers & { readonly error?: string };
      try {
        found = JSON.parse(readFileSync(answer, 'utf8').replace(/-?Infinity|NaN/g, 'null')) as typeof found;
      } catch {
        continue;
      }
      const { error, ...rest } = found;
      count.files++;
      const parts = Object.entries(rest);
      compare(`${repository}/${path}`, text, Object.fromEntries(parts.filter(([key]) => !key.startsWith('= '))) as Seen, Object.fromEntries(parts.filter(([key]) => key.startsWith('= '))) as Numbers, error); // prettier-ignore
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(JSON.stringify(count, null, 1));
