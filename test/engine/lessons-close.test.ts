// Pairs of papers that agree in wrong answers: classes, probabilities and permutations come from NumPy (test/reference/close_papers.py).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allowed,
  closePairs,
  mostCompared,
  type Answers,
  type ClosePair,
  type Paper,
} from '../../engine/lessons/close-papers';
import { atLeast } from '../../engine/lessons/poisson-binomial';
import { finish } from '../../engine/text';
import { pythonOrSkip } from '../reference/python';

interface Varied {
  readonly right: readonly (readonly number[])[];
  readonly others: readonly (readonly number[])[];
  readonly given: readonly (readonly number[])[];
}
interface Reference {
  readonly sums: { readonly chances: readonly number[]; readonly atLeast: readonly number[] };
  readonly permuted: {
    readonly questions: number;
    readonly answers: readonly number[];
    readonly probability: number;
    readonly runs: number;
  };
  readonly same: readonly (readonly string[])[];
  readonly sameCopied: readonly (readonly string[])[];
  readonly vary: readonly Varied[];
  readonly varyCopied: readonly Varied[];
}
const fixture = join(__dirname, '../fixtures/lessons/close-papers.json');
const reference = JSON.parse(readFileSync(fixture, 'utf8')) as Reference;

const alone = (count: number): string[] => Array.from({ length: count }, (_, q) => `question ${q}`);
const nothing: Answers = { groups: [], isRightOn: () => false, others: () => ({ right: 0, of: 0 }), *prepare() {} }; // prettier-ignore

function pairsOfSame(
  rows: readonly string[],
  counts = (_: string): boolean => true,
  groups = alone(rows[0]?.length ?? 0),
): readonly ClosePair[] {
  const papers = rows.map((row, i): Paper => ({
    student: `s${i}`,
    given: [...row].map((key) => ({ key, verdict: key === '0' ? 'right' : 'wrong', counts: counts(key) })),
  }));
  return finish(closePairs(papers, { ...nothing, groups }));
}

function pairsOfVaried({ right, others, given }: Varied): readonly ClosePair[] {
  const papers = given.map((row, i): Paper => ({
    student: `s${i}`,
    given: row.map((x, q) => ({ key: String(x), verdict: x === right[i]?.[q] ? 'right' : 'wrong', counts: true })),
  }));
  const groups = (given[0] ?? []).map((_, q) => `row ${q >> 1}`);
  return finish(closePairs(papers, {
    ...nothing, groups,
    isRightOn: (q, i, j) => given[i]?.[q] === right[j]?.[q],
    others: (q, i) => ({ right: others.filter((row) => row[q] === given[i]?.[q]).length, of: others.length }),
  }));
} // prettier-ignore

describe('papers that agree in what is wrong', () => {
  it('are as probable as all outcomes enumerated by NumPy say', () => {
    const { chances, atLeast: sums } = reference.sums;
    for (const [least, sum] of sums.entries())
      assert.ok(Math.abs(atLeast(chances, least) - sum) < 1e-12, `at least ${least}`);
  });

  it('are as probable as permutations of the answers say', () => {
    const { questions, answers, probability, runs } = reference.permuted;
    const [pair] = pairsOfSame(answers.map((x) => String(x).repeat(questions)));
    const spread = 5 * Math.sqrt(probability / runs);
    assert.deepEqual(pair?.students, ['s0', 's1']);
    assert.ok(Math.abs((pair?.chance ?? NaN) / 3 - probability) < spread, `${pair?.chance} of three pairs, ${probability}`);
  }); // prettier-ignore

  it('are named in no more classes of independent papers than the bound allows', () => {
    const [same, vary] = [reference.same.map((rows) => pairsOfSame(rows)), reference.vary.map(pairsOfVaried)];
    for (const classes of [same, vary])
      assert.ok(classes.filter((pairs) => pairs.length).length <= allowed * classes.length + 1, 'classes with a pair');
  });

  it('are found where one was written from the other, and no other pair is named', () => {
    const found = reference.sameCopied.map((rows) => pairsOfSame(rows));
    const varied = reference.varyCopied.map(pairsOfVaried);
    for (const pairs of [...found, ...varied]) for (const { students } of pairs) assert.deepEqual(students, ['s0', 's1']);
    const share = (classes: readonly (readonly ClosePair[])[]): number => classes.filter((pairs) => pairs.length).length / classes.length;
    // The bound costs power: who copies from a good paper of the same numbers shares few wrong answers.
    assert.deepEqual([share(found).toFixed(2), share(varied).toFixed(2)], ['0.20', '1.00']);
  }); // prettier-ignore

  it('count no answer that a known mistake explains, and no class that is too large or too small', () => {
    const copied = reference.sameCopied.find((rows) => pairsOfSame(rows).length) ?? assert.fail();
    assert.equal(pairsOfSame(copied, () => false).length, 0);
    const oneRow = Array.from(copied[0] ?? '', () => 'row 0');
    assert.equal(pairsOfSame(copied, () => true, oneRow).length, 0, 'answers that follow from each other count once');
    const large = Array.from({ length: mostCompared + 1 }, (_, i) => copied[i % copied.length] ?? '');
    assert.equal(pairsOfSame(large).length, 0);
    assert.equal(pairsOfSame(copied.slice(0, 2)).length, 0);
  });

  it('come from the program', function () {
    this.timeout(60_000);
    const python = pythonOrSkip(this, 'numpy');
    const { stdout } = spawnSync(python, [join(__dirname, '../reference/close_papers.py')], { encoding: 'utf8', maxBuffer: 1 << 26 }); // prettier-ignore
    const again = JSON.parse(stdout) as Reference;
    assert.deepEqual([again.same, again.varyCopied], [reference.same, reference.varyCopied]);
  });
});
