import assert from 'node:assert/strict';
import { readingPlaces } from '../../engine/program/places/index';
import { isPrintedAs, numbersIn } from '../../engine/program/places/printed';
import { numberPlaces } from '../../engine/program/places/number';
import { createAnswering, type Questions } from '../../engine/program/serve/answer';
import { finish } from '../../engine/text/pace';

const cells = [
  `import torch
inputs = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
                       [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])
torch.manual_seed(789)
W_q = torch.nn.Linear(3, 2, bias=False)
W_k = torch.nn.Linear(3, 2, bias=False)
`,
  `queries = W_q(inputs)
keys = W_k(inputs)
scores = queries @ keys.T
print(scores)
scores
last = 1
`,
  `weights = torch.softmax(scores / keys.shape[-1]**0.5, dim=-1)
print("weights:", weights, weights.shape)
context = weights @ inputs
context  # shown
`,
];
/** What Python 3.11 with torch 1.13 prints for them. */
const printedScores = `tensor([[ 0.2899,  0.0716,  0.0760, -0.0138,  0.1344, -0.0511],
        [ 0.4656,  0.1723,  0.1751,  0.0259,  0.1771,  0.0085],
        [ 0.4594,  0.1703,  0.1731,  0.0259,  0.1745,  0.0090],
        [ 0.2642,  0.1024,  0.1036,  0.0186,  0.0973,  0.0122],
        [ 0.2183,  0.0874,  0.0882,  0.0177,  0.0786,  0.0144],
        [ 0.3408,  0.1270,  0.1290,  0.0198,  0.1290,  0.0078]],
       grad_fn=<MmBackward0>)
`;
const printedWeights = `weights: tensor([[0.1921, 0.1646, 0.1652, 0.1550, 0.1721, 0.1510],
        [0.2041, 0.1659, 0.1662, 0.1496, 0.1665, 0.1477],
        [0.2036, 0.1659, 0.1662, 0.1498, 0.1664, 0.1480],
        [0.1869, 0.1667, 0.1668, 0.1571, 0.1661, 0.1564],
        [0.1830, 0.1669, 0.1670, 0.1588, 0.1658, 0.1585],
        [0.1935, 0.1663, 0.1666, 0.1542, 0.1666, 0.1529]],
       grad_fn=<SoftmaxBackward0>) torch.Size([6, 6])
`;
const printedContext = `tensor([[0.4415, 0.5661, 0.5367],
        [0.4422, 0.5628, 0.5448],
        [0.4421, 0.5631, 0.5446],
        [0.4374, 0.5726, 0.5376],
        [0.4362, 0.5749, 0.5360],
        [0.4394, 0.5687, 0.5402]], grad_fn=<MmBackward0>)`;

const text = cells.map((cell) => `${cell}\n`).join('');
const starts = cells.map((_, i) => cells.slice(0, i).join('\n').length + (i > 0 ? 1 : 0));
const numbered = starts.map((start, i) => ({ start, number: i * 2 + 1 }));
const outputsOf = (...texts: readonly string[]) => texts.map((output, i) => ({ cell: { start: starts[i] ?? 0, end: starts[i + 1] ?? text.length }, text: output })); // prettier-ignore

function ask<K extends keyof Questions>(kind: K, asked: Omit<Questions[K]['asked'], 'text'>): Questions[K]['answer'] {
  const { answer } = finish(createAnswering()({ kind, text, ...asked } as never));
  assert.deepEqual(structuredClone(answer), answer);
  return answer as Questions[K]['answer'];
}

describe('what a notebook has printed', () => {
  it('is matched to what printed it, each matrix with as many numbers as agree', () => {
    const off = printedWeights.replace('0.2041', '0.2040').replace('0.1529', '0.1629').replace('0.1496', '-0.1496');
    const found = ask('printed', { outputs: outputsOf('', printedScores, off + printedContext) });
    assert.deepEqual(
      found.map(({ output, at, shape, count, equal }) => [output, text.slice(at.start, at.end), shape, count, equal]),
      [[1, 'print(scores)', '6×6', 36, 36], [2, 'print("weights:", weights, weights.shape)', '6×6', 36, 33], [2, 'context', '6×3', 18, 18]],
    ); // prettier-ignore
    assert.equal(found[1] && off.slice(found[1].range.start).startsWith('tensor([[0.1921'), true);
  });

  it('says why where none of its numbers is known, and leaves out what nothing here prints', () => {
    const unseeded = text.replace('torch.manual_seed(789)', '#'.padEnd(22));
    const outputs = outputsOf('[[1, 2], [3, 4]]', printedScores);
    const { answer } = finish(createAnswering()({ kind: 'printed', text: unseeded, outputs }));
    const found = answer as Questions['printed']['answer'];
    assert.deepEqual(found.map(({ output, equal }) => [output, equal]), [[1, 0]]); // prettier-ignore
    assert.match(found[0]?.why ?? '', /seed/);
  });

  it('has the step that it shows, in cells by their numbers', () => {
    const found = ask('attention', { cells: numbered, outputs: outputsOf('', printedScores, printedWeights + printedContext) }); // prettier-ignore
    assert.ok(found.is === 'found');
    assert.deepEqual(found.printed.map(({ step, equal }) => [step, equal]), [['scores', 36], ['weights', 36], ['output', 18]]); // prettier-ignore
    assert.equal(found.all[0]?.label, 'cell 3, line 3 to cell 5, line 3: 6×6, one head, no mask');
  });

  it('is asked for by an expression', () => {
    const found = ask('attention', { of: text.indexOf('keys.shape') });
    assert.ok(found.is === 'found');
    assert.equal(found.step, 'k');
  });
});

describe('a number that is read somewhere', () => {
  const numberAt = (shown: string, what: string) => ask('number', { number: { text: shown, offset: shown.indexOf(what) + 1 } }); // prettier-ignore

  it('is the cell of the step that was printed, by the whole matrix', () => {
    const found = numberAt(printedWeights, '0.1667');
    assert.deepEqual([found.number, found.withMatrix, found.isCut], ['0.1667', true, false]);
    assert.deepEqual(found.places.map(({ step, index }) => [step, index]), [['weights', 19]]); // prettier-ignore
    const comment = printedScores.replace(/^/gm, '    # ');
    assert.deepEqual(numberAt(comment, '0.4594').places.map(({ step, index }) => [step, index]), [['scores', 12]]); // prettier-ignore
  });

  it('is looked for in the last attentions of a long program, which is said', () => {
    const many = ['import torch', 'x = torch.eye(3)', ...Array.from({ length: 9 }, (_, i) => `y${i} = torch.softmax(x @ x.T + ${i}, dim=-1) @ x`)].join('\n'); // prettier-ignore
    const ran = finish(readingPlaces(many));
    const look = (asked: string, all = ran.attentions) => finish(numberPlaces(many, ran.program, all, { text: asked, offset: 0 })); // prettier-ignore
    // e/(e + 2) = 0.5761…
    assert.equal(look('0.5761').lookedThrough, 8);
    assert.ok(look('0.5761').places.every(({ attention }) => attention > 0));
    assert.equal(look('0.5761', ran.attentions.slice(1)).lookedThrough, undefined);
  });

  it('alone is each number that is printed so', () => {
    // 0.1290 stands twice among the scores that PyTorch prints, and nowhere else.
    const found = numberAt('0.1290', '0.1290');
    assert.equal(found.withMatrix, false);
    assert.deepEqual(found.places.map(({ step, index }) => [step, index]), [['scores', 32], ['scores', 34]]); // prettier-ignore
    assert.deepEqual(numberAt('9.75', '9.75').places, []);
    assert.equal(ask('number', { number: { text: 'no number', offset: 2 } }).number, undefined);
  });

  it('of a matrix that is not the program’s is looked for alone', () => {
    const found = numberAt(printedWeights.replace('0.1921', '0.1922'), '0.2041');
    assert.equal(found.withMatrix, false);
    assert.ok(found.places.some(({ step, index }) => step === 'weights' && index === 6));
  });
});

describe('a number that is not finite', () => {
  it('is printed as itself alone', () => {
    const [zero, infinite] = numbersIn('0. -inf');
    assert.ok(zero && infinite);
    assert.equal(isPrintedAs(-Infinity, zero), false);
    assert.equal(isPrintedAs(0, infinite), false);
    assert.equal(isPrintedAs(-Infinity, infinite), true);
    assert.equal(isPrintedAs(-0.004, zero), true);
  });
});
