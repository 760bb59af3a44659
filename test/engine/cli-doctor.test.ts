// `explain-attention doctor`: lines as compilers have them, JSON for other tools, and an exit status.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagnoseFiles } from '../../engine/cli/doctor';
import { cases, programs, wrongOf, type Planted } from './doctor-cases';

describe('the terminal’s doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const [right, wrong] = [join(folder, 'right.py'), join(folder, 'wrong.py')];
  before(() => {
    writeFileSync(right, programs.torch_module);
    writeFileSync(wrong, wrongOf(cases[0] as Planted));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('prints place, severity, numbers, rule and what to write instead, and exits with 1', () => {
    const { status, out, error } = diagnoseFiles([wrong]);
    assert.equal(status, 1);
    assert.equal(error, '');
    const [line = '', instead, last] = out.trim().split('\n');
    assert.match(line, /wrong\.py:23:15: warning: Softmax runs over the queries.*\d\.\d{4}.* \[softmax-axis\]$/);
    assert.equal(instead, '  Run softmax over the keys, the last axis: F.softmax(wei, dim=-1)');
    assert.match(last ?? '', /attentions found: 1, computed: 1, departures: 1$/);
  });

  it('says where Python would stop, in its words, and what is not followed where no attention is found', () => {
    const file = join(folder, 'stops.py');
    const code = (call: string): string => `import torch\nimport torch.nn as nn\ntorch.manual_seed(0)\nx = torch.randn(2, 5, 8)\n${call}\n`;
    const saidOf = (call: string): readonly string[] => {
      writeFileSync(file, code(call));
      return diagnoseFiles([file]).out.trim().split('\n').map((line) => line.slice(folder.length + 1));
    };
    // PyTorch 2.13, of these lines.
    assert.deepEqual(saidOf('out, _ = nn.MultiheadAttention(8, 2)(x, x, x, key_padding_mask=torch.zeros(2, 5).bool())'), [
      'stops.py:5:10: Python stops here: AssertionError: Expected key_padded_mask.shape[0] to be 5, but got 2 [python-error]',
      'stops.py: attentions found: 0, computed: 0, departures: 0',
    ]);
    assert.match(saidOf('import others\nout = others.attend(x)')[0] ?? '', /^stops\.py:\d+:\d+: not followed: .*others/);
    const { files } = JSON.parse(diagnoseFiles([file, '--json']).out) as { files: { causes: { kind: string }[] }[] };
    assert.deepEqual(files[0]?.causes.map(({ kind }) => kind), ['unknown']);
    assert.deepEqual(JSON.parse(diagnoseFiles([right, '--json']).out).files[0].causes, []);
  }); // prettier-ignore

  it('exits with 0 where nothing is wrong', () => {
    assert.equal(diagnoseFiles([right]).status, 0);
  });

  it('has severities of its own: off, and one that fails nothing', () => {
    assert.deepEqual(diagnoseFiles([wrong, '--rule', 'softmax-axis=off']).status, 0);
    const { status, out } = diagnoseFiles([wrong, '--rule=softmax-axis=hint', '--json']);
    assert.equal(status, 0);
    const { files } = JSON.parse(out) as { files: { findings: { rule: string; severity: string; line: number }[] }[] };
    assert.deepEqual(files[0]?.findings.map(({ rule, severity, line }) => ({ rule, severity, line })), [{ rule: 'softmax-axis', severity: 'hint', line: 23 }]); // prettier-ignore
  });

  it('reads the code of a notebook, and counts lines in its cells', () => {
    const text = wrongOf(cases[0] as Planted);
    const cut = text.indexOf('\nclass ') + 1;
    const cell = (source: string): object => ({ cell_type: 'code', source, outputs: [] });
    const file = join(folder, 'wrong.ipynb');
    writeFileSync(file, JSON.stringify({ cells: [{ cell_type: 'markdown', source: '# Heads' }, cell(text.slice(0, cut)), cell(text.slice(cut))] }));
    const { status, out } = diagnoseFiles([file]);
    const line = 23 - (text.slice(0, cut).split('\n').length - 1);
    assert.equal(status, 1);
    assert.match(out, new RegExp(`wrong\\.ipynb: cell 3:${line}:15: warning: Softmax runs over the queries`));
    const { files } = JSON.parse(diagnoseFiles([file, '--json']).out) as { files: { findings: { cell: number; line: number }[] }[] };
    assert.deepEqual(files[0]?.findings.map((one) => [one.cell, one.line]), [[3, line]]);
    writeFileSync(file, '{}');
    assert.equal(diagnoseFiles([file]).status, 2);
  });

  /* In the styles of known tutorials, one mistake each, nothing printed. */
  const tutorials = {
    '01-rasbt-softmax-dim': 'softmax-axis', '02-rasbt-merge': 'heads-merged', '03-annotated-mask': 'mask-inverted', '04-nanogpt-scale': 'scale-width', '05-d2l-mask-after': 'mask-after-softmax',
    '06-uva-heads-reshape': 'heads-split', '07-keras-mask': 'mask-off-by-one', '08-numpy-softmax-all': 'softmax-matrix', '09-numpy-scale-inverse': 'scale-inverse', '10-llama-gqa-tiled': 'heads-tiled',
  }; // prettier-ignore
  for (const [name, rule] of Object.entries(tutorials))
    it(`finds the mistake of ${name}, and nothing else`, () => {
      const { out } = diagnoseFiles([join(__dirname, '../fixtures/doctor/notebooks', `${name}.ipynb`), '--json']);
      const { files } = JSON.parse(out) as { files: { findings: { rule: string }[] }[] };
      assert.deepEqual(files[0]?.findings.map((one) => one.rule), [rule]);
    }); // prettier-ignore

  it('refuses unknown rules, severities, options and files with 2', () => {
    for (const words of [[], ['--rule', 'softmax=off', right], ['--rule', 'softmax-axis=loud', right], ['--fast', right], [join(folder, 'none.py')]])
      assert.equal(diagnoseFiles(words).status, 2, words.join(' '));
  });
}); // prettier-ignore
