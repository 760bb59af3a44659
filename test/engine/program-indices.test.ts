// Indices as NumPy and PyTorch have them: numbers, slices, None, an ellipsis, arrays, lists and truths in any order, read and written, drawn from fixed seeds.
import assert from 'node:assert/strict';
import { pythonOrSkip } from '../reference/python';
import { compareProgram, runPython, type Ran } from './program-compare';
import { Draw } from './program-generator/draw';

const head = [
  'import numpy as np',
  'import torch',
  'x = torch.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)',
  'z = x.numpy().copy()',
  'i, i2, one = torch.tensor([0, 1, 1]), torch.tensor([[0, 1], [1, 0]]), torch.tensor(1)',
  'I, I2 = i.numpy(), i2.numpy()',
  'm, M = torch.tensor([True, False]), np.array([True, False])',
];

const shared = ['0', '1', '-1', ':', ':', ':', '1:', ':2', '::2', '0:2', 'None', '[0, 1]'];
const own = { x: [...shared, 'i', 'i', 'i2', 'one'], z: [...shared, '::-1', 'I', 'I', 'I2'] };

/** A program of reads and writes; what Python refuses leaves the length of its kind. */
function program(seed: number, size: number): string {
  const draw = new Draw(seed);
  const lines = [...head];
  for (let n = 0; n < size; n++) {
    const of = draw.pick(['x', 'z'] as const);
    const items = Array.from({ length: draw.int(1, 4) }, () => draw.pick(own[of]));
    if (draw.int(0, 3) === 0) items.splice(draw.int(0, items.length), 0, '...');
    if (draw.int(0, 9) === 0) items[0] = of === 'x' ? 'm' : 'M';
    const index = items.join(', ');
    const isWrite = draw.int(0, 3) === 0;
    const made = isWrite ? [`w = ${of}.${of === 'x' ? 'clone' : 'copy'}()`, `w[${index}] = -1`, `r${n} = w`] : [`r${n} = ${of}[${index}]`];
    lines.push('try:', ...made.map((line) => `    ${line}`), 'except Exception as error:', `    r${n} = np.array(-len(type(error).__name__))`);
  }
  return `${lines.join('\n')}\n`;
} // prettier-ignore

describe('indices beside Python', function () {
  this.timeout(120_000);
  const programs = Array.from({ length: 6 }, (_, i) => program(40 + i, 150));
  let ran: readonly Ran[] = [];

  before(function () {
    ran = runPython(pythonOrSkip(this, 'numpy', 'torch'), programs);
  });

  it('give the same shapes, numbers and refusals', () => {
    let compared = 0;
    const wrong = programs.flatMap((text, i) => {
      const found = compareProgram(text, ran[i] as Ran, 'kinds');
      compared += found.compared;
      return [...found.wrong, ...found.unknown].map((one) => `${one} | ${text.split('\n').find((line) => line.includes(`${one.split(':')[0]} = `)) ?? ''}`); // prettier-ignore
    });
    assert.deepEqual(wrong, []);
    assert.ok(compared >= 6 * 150, `${compared} names were compared`);
  });
});
