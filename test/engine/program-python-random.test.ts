// Python's `random` where its seed, or the way that the code goes, is not known; draws from a seed are in fixtures/programs/python_random.py.
import assert from 'node:assert/strict';
import { runProgram, type Program } from '../../engine/program/program';
import { finish } from '../../engine/text/pace';

/** `float: why`, of a number that is not known; `3` of one that is. */
function said({ names }: Program, name: string): string {
  const value = names.get(name);
  if (value?.kind === 'unknown') return `${value.type ?? 'any'}: ${value.cause.text}`;
  return value && 'value' in value ? String(value.value) : (value?.kind ?? 'nothing');
}

const unseeded = 'without a seed each run draws other numbers';
const fromSeed = 'what random draws from a seed is not computed here';

describe('Python’s random', () => {
  it('says why it draws nothing: no seed, one that is no whole number, a distribution that is not followed', () => {
    const program = runProgram(
      "import random\na = random.randint(0, 5)\nrandom.seed('text')\nb = random.random()\nrandom.seed(5)\nrandom.betavariate(1, 2)\nc = random.randint(0, 5)\nrandom.seed(5)\nd = random.random()\nrng = random.Random(5)\ne = rng.random()\nrng.vonmisesvariate(0, 1)\nf = rng.random()\n",
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => said(program, name).replace(/^(?:any|float|int): /, '')),
      [unseeded, fromSeed, fromSeed, '0.6229016948897019', '0.6229016948897019', fromSeed],
    );
  });

  it('takes nothing from the streams of NumPy and PyTorch', () => {
    const program = runProgram(
      'import random\nimport numpy as np\nimport torch\nnp.random.seed(0)\ntorch.manual_seed(0)\nrandom.random()\nrandom.shuffle([1, 2])\nrandom.Random().betavariate(1, 2)\nx = np.random.rand(2)\ny = torch.randn(2)\n',
    );
    const numbers = ['x', 'y'].map((name) => {
      const value = program.names.get(name);
      const values = value?.kind === 'tensor' ? finish(program.look(program.current(value))) : undefined;
      return values && 'data' in values ? [...values.data] : [];
    });
    // NumPy 1.24 and PyTorch 1.13.
    assert.deepEqual(numbers, [[0.5488135039273248, 0.7151893663724195], [1.5409960746765137, -0.293428897857666]]); // prettier-ignore
  });

  it('goes on from where both ways of an unknown condition leave it, and is not known where they differ', () => {
    const program = runProgram(
      'import random\nrandom.seed(5)\nif input():\n    random.random()\nelse:\n    random.random()\na = random.random()\nrandom.seed(5)\nif input():\n    random.random()\nb = random.random()\n',
    );
    assert.equal(said(program, 'a'), '0.7417869892607294');
    assert.equal(said(program, 'b'), 'float: input is not followed: nothing is read or run');
  });

  it('is a number of the type that Python makes of what is not known', () => {
    const program = runProgram('n = len(input())\na = n / 2\nb = n // 2\nc = 2 ** n\nd = n * 1.5\n');
    assert.deepEqual(
      ['n', 'a', 'b', 'c', 'd'].map((name) => said(program, name).replace(/:.*/, '')),
      ['int', 'float', 'int', 'any', 'float'],
    );
  });
});
