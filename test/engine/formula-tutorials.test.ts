// Every formula and matrix of the five tutorials beside what their texts mean (test/precision/formulas/tutorials.txt, written by hand). The texts are not
// part of this repository: where they do not lie beside it, only the table itself is looked at.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainAttention, type AttentionTrace } from '../../engine/index';
import { explainFormula, formulasOf, type Formula } from '../../engine/formula/index';
import { formatShape } from '../../engine/program/tensor/dims';
import { tutorialsFolder as folder } from './tutorials';

const root = join(__dirname, '../..');

interface Meaning {
  readonly line: number;
  readonly formulas: readonly string[];
}

function tableOf(text: string): ReadonlyMap<string, readonly Meaning[]> {
  const found = new Map<string, Meaning[]>();
  let own: Meaning[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line === '') continue;
    if (/^\d{3}$/.test(line)) found.set(line, (own = []));
    else
      own.push({
        line: Number(line.slice(0, line.indexOf(' '))),
        formulas: line.slice(line.indexOf(' ') + 1).split(' / '),
      });
  }
  return found;
}

const table = tableOf(readFileSync(join(root, 'test/precision/formulas/tutorials.txt'), 'utf8'));

/** A number is 1, a vector a column. */
const plain = (shape: string): string => shape.replace(/^\(\)$|^1×1$/, '1').replace(/×1$/, '');

function said({ status, isSize, shapes }: Formula): string {
  if (status !== 'understood') return status === 'alone' ? '-' : 'R';
  return isSize
    ? 'S'
    : shapes.map((shape) => (shape ? plain(formatShape(shape)).replace(/\w+\?/g, '?') : '??')).join(' ; ');
}

const meant = (text: string): string => (/^S( ; S)*$/.test(text) ? 'S' : text.split(' ; ').map(plain).join(' ; '));

/** ?, and d_k?, of ours where the text says more is less than could be said, and not wrong. What is shown as assumed may name a size that the text does not. */
const agrees = (ours: string, text: string): boolean => {
  const [said, other] = ours.startsWith('~') ? [text, ours.slice(1)] : [ours, text];
  return [[said, other], [other, said]].some(([a = '', b = ''], turn) => (turn === 0 || ours.startsWith('~')) && new RegExp(`^${a.replace(/[*()]/g, '\\$&').replace(/\?/g, '[^×; ]+')}$`).test(b)); // prettier-ignore
};

const textOf = (name: string): string => {
  const file = folder && readdirSync(folder).find((one) => one.startsWith(`${name}_`));
  return file ? readFileSync(join(folder ?? '', file), 'utf8') : '';
};

const lineOf = (text: string, { range }: Formula): number => text.slice(0, range.start).split('\n').length;

function rows(trace: AttentionTrace, id: string): number[][] {
  const step = trace.plan.steps.find((one) => one.id === id);
  const [height = 0, width = 0] = step?.shape.slice(-2) ?? [];
  const all = (({ min, ...tile }: { readonly min: ArrayLike<number>; readonly width: number }) => ({ min, ...tile }))(
    trace.read(id, { rows: [0, height], columns: [0, width], level: 0 }) as never,
  );
  return Array.from({ length: height }, (_, i) =>
    Array.from({ length: width }, (_, j) => all.min[i * width + j] ?? NaN),
  );
}

describe('the formulas of the tutorials', () => {
  it('are in the table, all five', () => {
    assert.deepEqual([...table.keys()], ['000', '001', '002', '003', '004']);
    assert.ok([...table.values()].flat().length > 150);
  });

  for (const [name, meanings] of table)
    it(`say what the text of ${name} means: none wrong, none silent`, function () {
      if (!folder) this.skip();
      const text = textOf(name);
      const ours = new Map<number, string[]>();
      for (const one of formulasOf(text, 'markdown').formulas) {
        const line = lineOf(text, one);
        ours.set(line, [...(ours.get(line) ?? []), one.assumed ? `~${said(one)}` : said(one)]);
      }
      const wrong = meanings.flatMap(({ line, formulas }) => {
        const found = ours.get(line) ?? [];
        const isRight =
          found.length === formulas.length && found.every((one, i) => agrees(one, meant(formulas[i] ?? '')));
        return isRight ? [] : [`${line}: ${found.join(' / ')} is not ${formulas.map(meant).join(' / ')}`];
      });
      assert.deepEqual(wrong, []);
      assert.deepEqual(
        [...ours.keys()].filter((line) => !meanings.some((one) => one.line === line)),
        [],
      );
    });

  it('004: y_i = Σ w_ij W_v x_j has the numbers that the text prints, unscaled', function () {
    if (!folder) this.skip();
    const text = textOf('004');
    const found = formulasOf(text, 'markdown');
    const at = found.formulas.findIndex((one) => lineOf(text, one) === 95);
    const made = explainFormula(text, found, at);
    assert.ok(made.ok);
    assert.deepEqual([...made.value.own].sort(), ['W_k', 'W_q', 'W_v', 'x[]']);
    const trace = explainAttention(made.value.spec);
    assert.ok(trace.ok);
    const near = (ours: readonly number[] | undefined, printed: readonly number[]): void =>
      printed.forEach((x, i) => assert.ok(Math.abs((ours?.[i] ?? NaN) - x) < 2e-6, `${ours?.[i]} is not ${x}`));
    near(rows(trace.value, 'q')[1], [1.0629584, -1.5088519, 3.2348833, -0.9673554]);
    near(rows(trace.value, 'scores')[1], [-6.288555, -1.5252657, -13.573791, -1.7212026]);
    near(rows(trace.value, 'weights')[1], [0.00466374, 0.5462668, 0.0000032, 0.4490663]);
    near(rows(trace.value, 'output')[1], [0.11782318, 0.39491105, -2.4440105, 0.5687822]);
  });

  it('001: softmax(QKᵀ/√d_k)V takes the printed Q and K', function () {
    if (!folder) this.skip();
    const text = textOf('001');
    const found = formulasOf(text, 'markdown');
    const made = explainFormula(text, found, found.formulas.findIndex((one) => lineOf(text, one) === 306)); // prettier-ignore
    assert.ok(made.ok);
    assert.deepEqual(made.value.own, ['Q', 'K']);
    const trace = explainAttention(made.value.spec);
    assert.ok(trace.ok);
    const printed = [-0.47349079, -0.69184337, -0.28064512, 2.20452034];
    printed.forEach((x, i) => assert.ok(Math.abs((rows(trace.value, 'scaled')[0]?.[i] ?? NaN) - x) < 2e-8));
  });
});
