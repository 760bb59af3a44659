import assert from 'node:assert/strict';
import { formatOf } from '../../webview/draw/numbers';
import { barLabel, besideBar, ticksOf, type BarInput, type Tick } from '../../webview/heatmap/ticks';

const format = formatOf({ magnitude: 1, digits: 2 });
const input = (more: Partial<BarInput>): BarInput => ({
  step: { kind: 'signed', shape: [4, 4] },
  range: { min: -7.5, max: 8.5 },
  format,
  rough: false,
  width: 160,
  ...more,
});
const weights = (keys: number, width = 160): BarInput =>
  input({ step: { kind: 'weights', shape: [5, keys] }, range: { min: 0, max: 0.3 }, width });
const texts = (ticks: readonly Tick[]): string[] =>
  [...ticks].sort((a, b) => a.at - b.at || a.textAt - b.textAt).map(({ text }) => text);
const at = (ticks: readonly Tick[], text: string): number => ticks.find((tick) => tick.text === text)?.at ?? NaN;

describe('the numbers at a colour bar', () => {
  it('are its ends, and zero where there is room', () => {
    assert.deepEqual(texts(ticksOf(input({}))), ['−7.50', '0.00', '8.50']);
    assert.equal(at(ticksOf(input({})), '0.00'), 75);
    assert.deepEqual(texts(ticksOf(input({ range: { min: -0.1, max: 6 } }))), ['−0.10', '6.00']);
    assert.deepEqual(texts(ticksOf(input({ range: { min: 0, max: 0 } }))), []);
  });

  it('say where numbers lie beyond the colours, and how far', () => {
    const one = input({ range: { min: -3, max: 1000, colourLimit: 5 } });
    assert.deepEqual(texts(ticksOf(one)), ['−3.00', '0.00', '≥ 5.00']);
    assert.equal(besideBar(one), 'numbers from −3.00 to 1000.00');
    assert.equal(barLabel(one), 'colours from −3.00 to 5.00, numbers from −3.00 to 1000.00');
    const both = input({ range: { min: -400, max: 1000, colourLimit: 5 } });
    assert.deepEqual(texts(ticksOf(both)), ['≤ −5.00', '0.00', '≥ 5.00']);
    assert.equal(at(ticksOf(both), '0.00'), 80);
    // Weights and logarithms keep their scale.
    const all = { min: 0, max: 0.3, colourLimit: 0.01 };
    assert.deepEqual(texts(ticksOf(input({ step: { kind: 'weights', shape: [5, 6] }, range: { min: 0, max: 0.3 } }))), ['0.00', '0.30']);
    assert.deepEqual(texts(ticksOf({ ...weights(20_000), range: all })), texts(ticksOf(weights(20_000))));
  }); // prettier-ignore

  it('say that they are about right where they come from float32', () => {
    const rough = input({ rough: true });
    assert.deepEqual(texts(ticksOf(rough)), ['≈−7.5', '0', '≈8.5']);
    assert.equal(barLabel(rough), 'colours from ≈−7.5 to ≈8.5');
  });

  it('are the even share and powers of ten among many keys, at the places that NumPy computes', () => {
    const ticks = ticksOf(weights(20_000));
    assert.deepEqual(texts(ticks), ['0', '1/20000', '0.01', '0.1', '1']);
    // 160 * numpy.log1p(10 * m * w) / numpy.log1p(10 * m)
    for (const [text, place] of [
      ['1/20000', 160 * 0.19645092735248393],
      ['0.01', 160 * 0.6227555284620958],
      ['0.1', 160 * 0.8113611791518428],
      ['1', 160],
    ] as const)
      assert.ok(Math.abs(at(ticks, text) - place) < 1e-9, `${text}: ${at(ticks, text)}`);
    assert.equal(besideBar(weights(20_000)), 'log scale · even share 1/20000');
    assert.match(barLabel(weights(20_000)), /log scale, an even share is 1\/20000/);
    assert.equal(besideBar(weights(256)), undefined);
  });

  it('leave out what would touch another number', () => {
    assert.deepEqual(texts(ticksOf(weights(257))), ['0', '1/257', '0.1', '1']);
    for (const keys of [257, 300, 999, 2000, 9999, 20_000, 100_000, 131_072]) {
      for (const width of [160, 180]) {
        const boxes = ticksOf(weights(keys, width))
          .map(({ text, textAt, anchor }): [number, number] => {
            // 6.6 pixels: a digit of most monospaced fonts at 11 pixels.
            const wide = 6.6 * text.length;
            const from = textAt - { start: 0, middle: wide / 2, end: wide }[anchor];
            return [from, from + wide];
          })
          .sort(([a], [b]) => a - b);
        boxes.forEach(([from], i) => assert.ok(i === 0 || from - (boxes[i - 1]?.[1] ?? 0) >= 3, `${keys} in ${width}`));
        assert.ok((boxes[0]?.[0] ?? -1) >= 0 && (boxes.at(-1)?.[1] ?? Infinity) <= width + 1e-9);
      }
    }
  });
});
