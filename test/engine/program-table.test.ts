import assert from 'node:assert/strict';
import { rows } from '../../engine/program/libraries/lookup';
import { pythonOrSkip } from '../reference/python';
import { compareProgram, runPython, type Ran } from './program-compare';

/** Number types that a row is tried in; where Python refuses one, the kind of its error is compared. */
const types = {
  np: ['bool_', 'uint8', 'int8', 'int16', 'int32', 'int64', 'float16', 'float32', 'float64'],
  // PyTorch 1.13 has few kernels of halves for the processor.
  torch: ['bool', 'uint8', 'int8', 'int16', 'int32', 'int64', 'float32', 'float64'],
} as const;

const oracles = new Set(['numpy', 'torch', 'python', 'transcribed']);

type Library = 'np' | 'torch';

const libraryOf = (name: string): Library | undefined =>
  /^(?:np|ndarray)\./.test(name) ? 'np' : /^(?:torch|Tensor|F)\./.test(name) ? 'torch' : undefined;

/** `torch.exp(x)`, `x.exp()`, `torch.nn.functional.silu(x)`. */
function called(name: string, args: readonly string[]): string {
  const [first, ...rest] = args;
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (/^(?:Tensor|ndarray)\./.test(name)) return `${first}.${last}(${rest.join(', ')})`;
  return `${name.replace(/^F\./, 'torch.nn.functional.')}(${args.join(', ')})`;
}

/** What a row of this signature is called with. */
const argumentsFor: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'input|a|x, out=, *': [['x'], ['v']],
  'input|x1|self, other|x2|exponent': [
    ['x', 'y'],
    ['x', 'v'],
    ['x', '2'],
  ],
  'input|a|x, dim|axis=, keepdim|keepdims=, *, dtype=, initial=, where=': [['x'], ['x', '1'], ['x', '-1', 'True']],
  'input|a, dim|axis=, dtype=, out=, keepdim|keepdims=': [['x'], ['x', '1']],
  'input, dim|other|axis=, keepdim|keepdims=': [['x'], ['x', '0']],
  'input|a, dim|axis=, out=, keepdim|keepdims=': [['x'], ['x', '0']],
  'input|a, dim|axis=, keepdim|keepdims=': [['x', '0'], ['x']],
  'input|a, dim|axis=, dtype=': [['x', '0']],
  'input, dim|axis=, _stacklevel=, dtype=': [['x', '-1']],
  'input, dim|axis=, descending=, *, stable=': [['v']],
  'input, other, *, alpha=': [['x', 'y']],
  'input|x': [['x']],
  'input|a, decimals=': [['x']],
  'input|m, diagonal|k=': [['x'], ['x', '1']],
  'input|v, diagonal|k=': [['x']],
  input: [['x']],
};

/** Where our versions (NumPy 2.1, PyTorch 2.5) are known to differ from the installed ones: what they changed is said in their release notes. */
const changed = /^np\.(?:floor|ceil|trunc): r_(?:bool_|u?int)|^Tensor\.item: |^ndarray\.__pow__: r_bool__2/;

const literal = { bool: '[[True, False, True], [False, False, True]]', other: '[[1, 2, 3], [3, 1, 2]]' };

function program(name: string, library: Library): string {
  const row = rows.find(({ names }) => names.split(' ').includes(name));
  const calls = argumentsFor[row?.signature ?? ''] ?? [];
  const make = library === 'np' ? 'np.array' : 'torch.tensor';
  return [
    library === 'np' ? 'import numpy as np' : 'import torch',
    ...types[library].flatMap((type) => {
      const of = type.startsWith('bool') ? literal.bool : literal.other;
      return [
        `x = ${make}(${of}, dtype=${library}.${type})`,
        `y = ${make}([[2, 1, 2]]).astype(x.dtype)`.replace(
          '.astype(x.dtype)',
          library === 'np' ? '.astype(x.dtype)' : '.to(x.dtype)',
        ),
        'v = x[0]',
        ...calls.flatMap((args, i) => {
          const result = `r_${type}_${i}`;
          return [
            'try:',
            `    ${result} = ${called(name, args)}`,
            'except Exception as problem:',
            `    ${result} = type(problem).__name__`,
          ];
        }),
      ];
    }),
    '',
  ].join('\n');
}

describe('rows of the function table', function () {
  this.timeout(300_000);

  it('name an oracle and a source', () => {
    for (const { names, oracle, source } of rows) {
      assert.ok(oracles.has(oracle), names);
      assert.ok(source.length > 5, names);
    }
  });

  it('give what the library gives, in each number type', function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    const tried = rows
      .filter(({ signature, property }) => signature in argumentsFor && !property)
      .flatMap(({ names }) => names.split(' '))
      .flatMap((name) => {
        const library = libraryOf(name);
        return library ? [{ name, text: program(name, library) }] : [];
      });
    const ran = runPython(
      python,
      tried.map(({ text }) => text),
    );
    let [compared, unknown] = [0, 0];
    const wrong = tried.flatMap(({ name, text }, i) => {
      const found = compareProgram(text, ran[i] as Ran, 'kinds');
      compared += found.compared;
      unknown += found.unknown.length;
      return found.wrong.map((one) => `${name}: ${one}`).filter((one) => !changed.test(one));
    });
    console.log(`      ${tried.length} names, ${compared} values compared, ${unknown} refused`);
    assert.ok(compared > 6000, String(compared));
    assert.deepEqual(wrong, []);
  });
});
