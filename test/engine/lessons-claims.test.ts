// Sentences of the course that say numbers: the numbers are read from the sentence, and NumPy says whether it is true of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonOrSkip } from '../reference/python';

const folder = join(__dirname, '../../extension/lessons');
const names = readdirSync(folder);
/** A lesson's text, its lines joined: sentences go on over them. */
const textOf = (start: string): string =>
  readFileSync(join(folder, names.find((name) => name.startsWith(start)) ?? ''), 'utf8').replace(/\s+/g, ' ');

interface Claim {
  readonly name: string;
  readonly lesson: string;
  /** What is said; its groups are the numbers that it is said of. */
  readonly says: RegExp;
  /** Numbers of the computation that the sentence leaves to its context. */
  readonly given?: readonly number[];
}

const claims: readonly Claim[] = [
  { name: 'bytes', lesson: '01', says: /cut into bytes, of which there are (\d+), nothing is/ },
  { name: 'exchanged', lesson: '02', says: /Attention without a mask does not know what stands first\. .*?A causal mask, lesson 6, does tell earlier from later/, given: [1e-12] },
  { name: 'degrees', lesson: '02', says: /The angle (\d+) is in radians, about (\d+)°/ },
  { name: 'slower', lesson: '02', says: /Columns 2 and 3 turn a hundred times slower.*?The angle is 3 ÷ (\d+)\./ },
  { name: 'mixed', lesson: '03', says: /X is D×N: (\d)×(\d)\..*?With X as 4×3 the product with Wᵀ would not exist/, given: [4] },
  { name: '√4', lesson: '04', says: /Divided by √(\d) = (\d), not by 4/ },
  { name: 'differences', lesson: '04', says: /\((\d+), (\d+) and (\d+) have the weights of (\d), (\d) and (\d)\)/ },
  { name: 'variance', lesson: '04', says: /variance of such scores back to (\d), however wide the heads are: on average.*?width (\d+) with and without/ },
  { name: 'rounded', lesson: '05', says: /No weight is negative \(that of a finite score is positive, though it may be so small that it is rounded to (0)\)/ },
  { name: 'overflow', lesson: '05', says: /\$e\^\{(\d+)\}\$ is too large for float64, \$e\^\{(\d+)\}\$ for float32/ },
  { name: 'zeroed', lesson: '06', says: /No: e\^(\d) = (\d) counts in the sum/ },
  { name: 'heads', lesson: '07', says: /the width of one head: √(\d) here, not √(\d)/ },
  { name: 'products', lesson: '09', says: /Each of the (\d+) scores is a sum of (\d) products/ },
  { name: 'long row', lesson: '09', says: /a long row can get as much weight from another row as that gives itself, or more\. .*?X = \[\[(\S+), (\S+), (\S+)\], \[(\S+), (\S+), (\S+)\], \[(\S+), (\S+), (\S+)\]\]/ },
  { name: 'order kept', lesson: '10', says: /(\d\.\d), that of the second “the”, cannot get more weight than (\d\.\d), that of “mat”/ },
]; // prettier-ignore

/** The numbers of a sentence in the order in which its computation takes them. */
function numbersOf({ name, lesson, says, given = [] }: Claim): readonly number[] {
  const found = says.exec(textOf(lesson));
  assert.ok(found, `lesson ${lesson} no longer says ${says}`);
  const said = found.slice(1).map(Number);
  return name === 'variance' ? [...said.reverse(), ...given] : [...said, ...given];
}

function computed(python: string, of: Readonly<Record<string, readonly number[]>>): Readonly<Record<string, boolean>> {
  const program = join(__dirname, '../reference/lesson_claims.py');
  const { stdout, stderr, status } = spawnSync(python, [program], { input: JSON.stringify(of), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Record<string, boolean>;
}

describe('what the course says in numbers', function () {
  this.timeout(60_000);

  it('is what NumPy computes', function () {
    const python = pythonOrSkip(this, 'numpy');
    const found = computed(python, Object.fromEntries(claims.map((claim) => [claim.name, numbersOf(claim)])));
    assert.deepEqual(found, Object.fromEntries(claims.map(({ name }) => [name, true])));
  });

  it('would be found to be wrong with other numbers', function () {
    const python = pythonOrSkip(this, 'numpy');
    const wrong = {
      ...{ slower: [10], degrees: [1, 58], overflow: [711, 89], variance: [64, 8], mixed: [4, 4, 4] },
      ...{ differences: [1001, 1002, 1003, 1, 2, 4], exchanged: [0], products: [49, 8], '√4': [4, 4], zeroed: [0, 0] },
      ...{ 'long row': [5, 0, 0, 0, 5, 0, 0, 0, 5], 'order kept': [1.8, 1], heads: [8, 8], bytes: [128] },
    };
    const found = computed(python, wrong);
    assert.deepEqual(found, Object.fromEntries(Object.keys(wrong).map((name) => [name, false])));
  });

  it('names the second “the” by the scores that stand there', () => {
    const scores = /"scores": \[ \[[^\]]*\], \[([^\]]*)\]/.exec(textOf('10'))?.[1]?.split(',').map(Number);
    assert.deepEqual([scores?.[4], scores?.[5]], [1.0, 1.8]);
  });

  it('counts from 0 where a text counts from 1, and says so before it asks', () => {
    const text = textOf('10');
    const said = text.search(/its token 2 is our token 1, and its w_21 stands in row 1, column 0/);
    assert.ok(said > 0 && said < text.indexOf('w_21 = 0.00466374'));
    assert.match(
      text,
      /"w_21 = 0\.00466374", "claim": \{ "is": "equal", "value": \{ "step": "weights", "cell": \[1, 0\]/,
    );
  });
});
