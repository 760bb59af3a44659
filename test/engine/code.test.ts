import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { notebookOf, programOf, type Library } from '../../engine/write/code/index';
import { pythonString } from '../../engine/write/code/literal';
import {
  explainAttention,
  matrixDefaults,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';
import { readingAttention } from '../../engine/program/explain/text';
import { finish } from '../../engine/text/pace';
import { pythonOrSkip } from '../reference/python';
import { handWritten } from './program-compare';
import { blockCases, specOf as blockSpec } from './block-cases';
import { normCases, specOf } from './qk-norm';
import { compareProgram, runAll } from './program-answers';

const fixtures = join(__dirname, '../fixtures/attention/variants.json.gz');
const specs = (
  JSON.parse(gunzipSync(readFileSync(fixtures)).toString('utf8')) as {
    specs: readonly { readonly name: string; readonly spec: AttentionSpec }[];
  }
).specs;

function traceOf(spec: AttentionSpec): AttentionTrace {
  const result = explainAttention(spec);
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.problems));
  return result.value;
}

describe('a trace as a program', () => {
  for (const [library, title] of [
    ['numpy', 'NumPy'],
    ['torch', 'PyTorch'],
  ] as const) {
    it(`${title} makes the same numbers for every variant`, function () {
      this.timeout(180_000);
      const python = pythonOrSkip(this, library);
      const traces = specs.map(({ spec }) => traceOf(spec));
      const programs = traces.map(({ spec, plan }) => programOf(spec, plan, library));
      const answers = runAll(python, programs);
      let cells = 0;
      traces.forEach((trace, i) => {
        const [program, answer] = [programs[i], answers[i]];
        assert.ok(program && answer, `${specs[i]?.name}: no answer`);
        cells += compareProgram(specs[i]?.name ?? '', trace, program, answer);
        assert.ok(answer.printed >= 3 * trace.plan.steps.length, 'every step is printed');
      });
      console.log(`      ${title}: ${traces.length} programs, ${cells} cells`);
    });
  }

  for (const library of ['numpy', 'torch'] as const)
    it(`${library} makes the same numbers with QK-norm`, function () {
      this.timeout(60_000);
      const python = pythonOrSkip(this, library);
      const traces = normCases.map((one) => traceOf(specOf(one)));
      const programs = traces.map(({ spec, plan }) => programOf(spec, plan, library));
      runAll(python, programs).forEach((answer, i) => {
        const [trace, program] = [traces[i], programs[i]];
        assert.ok(trace && program);
        assert.match(
          program.code,
          library === 'numpy' ? /Q_normed = .* \/ np\.sqrt\(np\.mean/ : /Q_normed = .* \/ torch\.sqrt\(torch\.mean/,
        );
        compareProgram(`QK-norm ${i}`, trace, program, answer);
      });
    });

  for (const library of ['numpy', 'torch'] as const)
    it(`${library} makes the same numbers of the layers of a transformer`, function () {
      this.timeout(120_000);
      const python = pythonOrSkip(this, library);
      const traces = blockCases.map((one) => traceOf(blockSpec(one)));
      const programs = traces.map(({ spec, plan }) => programOf(spec, plan, library));
      runAll(python, programs).forEach((answer, i) => {
        const [trace, program] = [traces[i], programs[i]];
        assert.ok(trace && program && answer, `block ${i}: no answer`);
        compareProgram(`block ${i}`, trace, program, answer);
      });
    });

  for (const library of ['numpy', 'torch'] as const)
    it(`${library} makes the same numbers of the steps of a program`, function () {
      this.timeout(180_000);
      const python = pythonOrSkip(this, library);
      const named = handWritten().flatMap(({ name, text }) => {
        const read = finish(readingAttention(text, undefined));
        return read?.ok ? [{ name, trace: traceOf(read.value.spec) }] : [];
      });
      assert.ok(named.length >= 25, `${named.length} programs`);
      const operations = new Set(named.flatMap(({ trace }) => trace.plan.steps.map(({ call }) => call.op)));
      for (const one of ['join', 'apply', 'combine', 'reduce', 'rearrange'])
        assert.ok(operations.has(one as 'join'), one);
      const programs = named.map(({ trace: { spec, plan } }) => programOf(spec, plan, library));
      runAll(python, programs).forEach((answer, i) => {
        const [one, program] = [named[i], programs[i]];
        assert.ok(one && program);
        compareProgram(one.name, one.trace, program, answer);
      });
    });

  for (const library of ['numpy', 'torch'] as const)
    it(`${library}: float32 stays float32 beside numbers that it does not hold`, function () {
      const python = pythonOrSkip(this, library);
      const start = { from: 'qkv', q: [[1, -2.5], [300, 4]], k: [[0.1, 2], [3, -7]], v: [[1], [2]] } as const; // prettier-ignore
      const base = { ...matrixDefaults, start, dtype: 'float32' } as AttentionSpec;
      const numbers = [65_536, 70_000, 16_777_217, 1e19, 1e20, 3.4028235677973366e38, 1e39, 1e300, 1e-39, 1e-46, 0.1];
      const given = numbers.flatMap((x): AttentionSpec[] => [
        { ...base, temperature: x },
        { ...base, softcap: x },
        { ...base, scale: { divideBy: x } },
      ]);
      const traces = given.map(traceOf);
      const programs = traces.map(({ spec, plan }) => programOf(spec, plan, library));
      runAll(python, programs).forEach((answer, i) => {
        const [trace, program] = [traces[i], programs[i]];
        assert.ok(trace && program);
        compareProgram(
          `${numbers[Math.floor(i / 3)]}, ${['temperature', 'softcap', 'scale'][i % 3]}`,
          trace,
          program,
          answer,
        );
      });
    });

  it('sees a program that scales wrongly', function () {
    const python = pythonOrSkip(this, 'numpy');
    const trace = traceOf({ ...textDefaults, start: { from: 'text', text: 'The cat sat', tokenizer: 'words' } });
    const program = programOf(trace.spec, trace.plan, 'numpy');
    const wrong = { ...program, code: program.code.replace('/ math.sqrt(8)\nprint("Z"', '/ math.sqrt(9)\nprint("Z"') };
    assert.notEqual(wrong.code, program.code);
    const [answer] = runAll(python, [wrong]);
    assert.ok(answer);
    assert.throws(() => compareProgram('wrong', trace, wrong, answer), /scaled, cell 0/);
  });

  it('has a notebook that nbformat takes, with each step’s formula', () => {
    const trace = traceOf({ ...textDefaults, start: { from: 'text', text: 'The cat', tokenizer: 'words' } });
    const notebook = JSON.parse(notebookOf(programOf(trace.spec, trace.plan, 'numpy'))) as {
      nbformat: number;
      cells: { cell_type: string; id: string; source: string[] }[];
    };
    assert.equal(notebook.nbformat, 4);
    assert.equal(notebook.cells.length, 2 * (trace.plan.steps.length + 1));
    assert.equal(new Set(notebook.cells.map((cell) => cell.id)).size, notebook.cells.length);
    const text = notebook.cells.map((cell) => cell.source.join('')).join('\n');
    for (const step of trace.plan.steps) assert.ok(text.includes(`$${step.formula.plain}$`), step.id);
  });

  it('keeps any text as a Python string', function () {
    const texts = ['plain', 'quote " and \\', 'line\nbreak\r\t', 'é 猫 🎉', '\ud83d alone', '\u0000\u007f\u2028'];
    const python = pythonOrSkip(this, 'numpy');
    const code = texts.map((text, i) => `t${i} = ${pythonString(text)}`).join('\n');
    const probe = `import json\n${code}\nprint(json.dumps([${texts.map((_, i) => `t${i}`).join(', ')}]))`;
    const ran = spawnSync(python, ['-c', probe], { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(ran.stdout), texts, ran.stderr);
  });

  it('seeds before the first draw and names both libraries where the generator is the other’s', () => {
    const spec = (library: Library, generator: 'torch' | 'numpy.default_rng'): string => {
      const start = { from: 'text', text: 'a b', tokenizer: 'words' } as const;
      const trace = traceOf({ ...textDefaults, start, random: { generator, seed: 7 } });
      return programOf(trace.spec, trace.plan, library).code;
    };
    assert.match(spec('numpy', 'torch'), /import torch[^]*torch\.manual_seed\(7\)\n[^]*torch\.randn/);
    assert.match(
      spec('torch', 'numpy.default_rng'),
      /import numpy as np[^]*default_rng\(7\)\n[^]*rng\.standard_normal/,
    );
  });
});
