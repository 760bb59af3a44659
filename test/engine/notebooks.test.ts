// Ten notebooks with mistakes, and the same ten without (test/reference/notebooks.py, run by Python): what `explain-attention check` says of what they printed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkProgram, linesOf, statusOf, type CodeResult } from '../../engine/cli/check-code';
import { readNotebook } from '../../engine/cli/notebook';

const folder = join(__dirname, '../fixtures/notebooks');
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Readonly<
  Record<string, readonly { readonly rule: string; readonly cell: number; readonly line: number }[]>
>;

function resultsOf(name: string): readonly CodeResult[] {
  const notebook = readNotebook(readFileSync(join(folder, `${name}.ipynb`), 'utf8'));
  const found = notebook.ok ? checkProgram(notebook.value, undefined) : notebook;
  return found?.ok ? found.value : assert.fail(`${name}: ${JSON.stringify(found)}`);
}

interface Cell {
  readonly outputs?: readonly { readonly text?: readonly string[]; readonly data?: Readonly<Record<string, readonly string[]>> }[]; // prettier-ignore
}

/** The numbers that Python printed in a cell of the notebook without mistakes, output by output. */
function printedIn(name: string, cell: number): readonly (readonly number[])[] {
  const { cells } = JSON.parse(readFileSync(join(folder, `${name}.right.ipynb`), 'utf8')) as { readonly cells: readonly Cell[] }; // prettier-ignore
  return (cells[cell - 1]?.outputs ?? []).map(({ text = [], data = {} }) => {
    const shown = [...text, ...(data['text/plain'] ?? [])].join('').replace(/\s*grad_fn.*$/s, '').replace(/^[^[]*/, ''); // prettier-ignore
    return [...shown.matchAll(/-?\d+\.\d*(?:e[-+]\d+)?/g)].map(([number]) => Number(number));
  });
}

describe('ten notebooks', function () {
  this.timeout(60_000);
  for (const [name, mistakes] of Object.entries(expected)) {
    it(`says what is wrong in ${name}, where, and what would be right`, () => {
      const results = resultsOf(`${name}.broken`);
      assert.equal(statusOf(results), 1);
      assert.ok(results.length > 0);
      for (const one of results) {
        const { checked, given } = one;
        assert.ok(checked.own.length > 0, linesOf(one));
        const places = checked.findings.map(({ rule, line }) => `${rule} ${line.where}`).sort();
        assert.deepEqual(places, mistakes.map(({ rule, cell, line }) => `${rule} cell ${cell}, line ${line}`).sort());
        assert.ok(checked.findings.every(({ isMistake, instead }) => isMistake && instead !== undefined));
        // What stands for right is what Python prints without the mistake.
        const { evidence } = checked;
        if (!evidence) continue;
        const rows = given.slices[checked.slice] ?? [];
        const at = checked.slice * rows.flat().length + evidence.row * (rows[0]?.length ?? 0) + evidence.column;
        const cell = Number(/\d+/.exec(given.where)?.[0]);
        const right = printedIn(name, cell).map((numbers) => numbers[at] ?? NaN);
        assert.ok(right.some((x) => Math.abs(x - evidence.right) <= 1e-4), `${name}: ${evidence.right}, Python ${right.join()}`); // prettier-ignore
        assert.ok(evidence.differing > 0 && checked.differs.length > 0);
      }
      assert.ok(results.some(({ checked }) => checked.evidence !== undefined));
    });

    it(`finds nothing in ${name} without its mistakes`, () => {
      const results = resultsOf(`${name}.right`);
      assert.equal(statusOf(results), 0);
      for (const one of results) {
        const { own, findings, named, evidence, standsIn } = one.checked;
        assert.ok(own.length > 0, linesOf(one));
        assert.deepEqual({ findings, named, evidence, standsIn }, { findings: [], named: [], evidence: undefined, standsIn: false }); // prettier-ignore
      }
    });
  }
});

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const ofProgram = (name: string): readonly CodeResult[] => {
  const found = checkProgram({ text: read(name), cells: [], outputs: [] }, undefined);
  return found?.ok ? found.value : assert.fail(JSON.stringify(found));
};
const rulesOf = ({ checked }: CodeResult): readonly string[] =>
  checked.findings.map(({ rule, line }) => `${rule} ${line.where}`);

describe('what a program has printed into its comments', () => {
  it('is a step of the code, which has a mistake', () => {
    const all = ofProgram('own-broken.py');
    assert.deepEqual(all.map(({ given }) => given.name), ['attn', 'out']); // prettier-ignore
    for (const one of all) {
      assert.equal(one.checked.own.length, 1, linesOf(one));
      assert.deepEqual(rulesOf(one), ['softmax-axis line 12']);
      assert.deepEqual(one.checked.findings[0]?.instead, 'attn = softmax(scores, axis=-1)');
    }
    // Python prints of both programs: the cell where they differ most, and what is right there.
    const { evidence } = all[0]?.checked ?? {};
    assert.deepEqual([evidence?.row, evidence?.column, evidence?.mine], [1, 2, 0.9729]);
    assert.ok(Math.abs((evidence?.right ?? NaN) - 0.0413) < 1e-4);
    assert.equal(statusOf(all), 1);
  });

  it('is a step of the code, which has none', () => {
    const all = ofProgram('own-right.py');
    assert.deepEqual([all.length, statusOf(all)], [2, 0]);
  });

  it('is a mistake that the code no longer has', () => {
    for (const one of ofProgram('older-broken.py')) {
      const { own, other, findings } = one.checked;
      assert.deepEqual([own, findings, other?.is], [[], [], 'mistake']);
      const ids = other?.is === 'mistake' ? other.named.mistakes.map((set) => set.map(({ id }) => id)) : [];
      assert.deepEqual(ids, [['softmaxQueries']]);
    }
    assert.equal(statusOf(ofProgram('older-broken.py')), 1);
  });

  it('is right, and the code no longer is', () => {
    for (const one of ofProgram('older-right.py')) {
      assert.deepEqual([one.checked.own, one.checked.other?.is], [[], 'step']);
      assert.deepEqual(rulesOf(one), ['softmax-axis line 12']);
    }
  });
});

describe('a notebook whose draws nobody can repeat', () => {
  it('is followed from Q, K and V as they are printed, and says so', () => {
    for (const [name, rules] of [['unseeded.right', []], ['unseeded.broken', ['softmax-axis cell 5, line 2']]] as const) {
      const all = resultsOf(name);
      assert.deepEqual(all.map(({ given }) => given.name), ['weights', 'weights @ V']);
      for (const one of all) {
        assert.ok(one.checked.own.length > 0, linesOf(one));
        assert.deepEqual(rulesOf(one), rules);
        assert.deepEqual(one.checked.taken.map((said) => said.slice(0, 37)), ['Q: the numbers that cell 2 printed, to', 'K: the numbers that cell 3 printed, to', 'V: the numbers that cell 4 printed, to'].map((said) => said.slice(0, 37)));
      }
    }
    // What is right in the broken one is what Python prints with the other axis.
    const { evidence, slice } = resultsOf('unseeded.broken')[0]?.checked ?? assert.fail();
    assert.equal(slice, 0);
    const cells = (JSON.parse(read('unseeded.right.ipynb')) as { readonly cells: readonly Cell[] }).cells;
    const printed = [...(cells[4]?.outputs?.[0]?.text ?? []).join('').matchAll(/\d\.\d+/g)].map(Number);
    assert.ok(Math.abs((printed[(evidence?.row ?? 0) * 4 + (evidence?.column ?? 0)] ?? NaN) - (evidence?.right ?? 0)) < 1e-3);
  }); // prettier-ignore

  it('is not compared where they are not printed', () => {
    for (const { checked } of resultsOf('unseeded-unprinted')) {
      assert.deepEqual([checked.standsIn, checked.own, checked.other, checked.named], [true, [], undefined, []]);
      assert.match(checked.findings[0]?.message ?? '', /The numbers stand in/);
    }
  });
});

describe('a notebook in another language', () => {
  const cells = [{ cell_type: 'code', source: ['x := 3'], outputs: [] }];
  const read = (metadata: object) => readNotebook(JSON.stringify({ cells, metadata }));

  it('is refused, and is not read as Python', () => {
    for (const metadata of [{ kernelspec: { language: 'go' } }, { language_info: { name: 'go' } }]) {
      const notebook = read(metadata);
      assert.ok(!notebook.ok);
      assert.equal(notebook.problems[0]?.message, 'the cells of this notebook are in go, not in Python');
    }
    for (const metadata of [{}, { language_info: { name: 'python' } }, { kernelspec: { language: 'Python3' } }])
      assert.ok(read(metadata).ok, JSON.stringify(metadata));
  });
});
