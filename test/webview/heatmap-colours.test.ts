import assert from 'node:assert/strict';
import { contrast, inkOn, luminance, mix, parseHex, type Palette, type Rgb } from '../../webview/draw/colours';
import { logPosition, logWeight, scaleOf, spacingOf, type Coloured } from '../../webview/draw/scales';

const dark: Palette = {
  background: parseHex('#1f1f1f'),
  foreground: parseHex('#cccccc'),
  neutral: parseHex('#2d2d2d'),
  negative: parseHex('#d97226'),
  positive: parseHex('#4399f2'),
  hatch: parseHex('#515151'),
  error: parseHex('#f85149'),
  light: false,
};
const light: Palette = {
  ...dark,
  background: parseHex('#ffffff'),
  foreground: parseHex('#3b3b3b'),
  neutral: parseHex('#f3f3f3'),
  negative: parseHex('#c65a0e'),
  positive: parseHex('#1f6fd0'),
  hatch: parseHex('#c0c0c0'),
  light: true,
};
const steps = Array.from({ length: 201 }, (_, i) => i / 200);
const few = (kind: Coloured['kind']): Coloured => ({ kind, shape: [1, 256] });
const weightsOf = (keys: number): Coloured => ({ kind: 'weights', shape: [3, keys] });
const near = (a: Rgb, b: Rgb, by = 1): boolean => a.every((x, i) => Math.abs(x - (b[i] ?? 0)) <= by);

describe('colours', () => {
  it('measure contrast as WCAG does', () => {
    assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
    // The grey that WCAG’s own material gives as just enough on white.
    assert.equal(contrast(parseHex('#767676'), [255, 255, 255]).toFixed(2), '4.54');
  });

  it('let every id stand out from the page, in high contrast and after thousands of tokens too', () => {
    const black: Palette = { ...dark, background: [0, 0, 0], neutral: [0, 0, 0], outline: parseHex('#6fc3df') };
    for (const palette of [dark, light, black]) {
      const colour = scaleOf(few('ids'), { min: 0, max: 2000 }, palette);
      const weakest = Math.min(...steps.map((t) => contrast(colour(Math.round(2000 * t)), palette.background)));
      assert.ok(weakest >= (palette === black ? 1.4 : 1.2), `${weakest} to 1`);
    }
  });

  for (const [name, palette] of Object.entries({ dark, light })) {
    describe(name, () => {
      const signed = scaleOf(few('signed'), { min: -2, max: 4 }, palette);
      const weights = scaleOf(few('weights'), { min: 0, max: 0.5 }, palette);

      it('keeps every number legible on every colour', () => {
        for (const t of steps) {
          for (const colour of [signed(8 * t - 4), weights(t / 2)]) {
            assert.ok(contrast(inkOn(colour), colour) >= 4.5, `${colour} with ${inkOn(colour)}`);
          }
        }
        const veiled = inkOn(palette.neutral, palette.hatch);
        assert.ok(contrast(veiled, palette.hatch) >= 4.5 && contrast(veiled, palette.neutral) >= 4.5);
      });

      it('is neutral at zero, and equally strong for equal distances from it', () => {
        assert.ok(near(signed(0), palette.neutral));
        assert.ok(near(signed(4), palette.positive));
        assert.ok(near(signed(-4), palette.negative));
        assert.ok(near(signed(-2), mix(palette.neutral, palette.negative, 0.5)));
        assert.ok(near(signed(99), palette.positive), 'beyond the range it stays at the end');
      });

      it('shows weights by lightness alone, in one direction', () => {
        const values = steps.map((t) => luminance(weights(t / 2)));
        const direction = palette.light ? -1 : 1;
        values.slice(1).forEach((v, i) => assert.ok(direction * (v - (values[i] ?? 0)) >= -0.002, `at ${i}`));
        assert.ok(contrast(weights(0), weights(0.5)) > 7);
      });
    });
  }

  it('are viridis on dark themes', () => {
    // matplotlib.colormaps['viridis'] at 0, 64, 128, 192 and 255.
    const expected = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'].map(parseHex);
    const scale = scaleOf(few('weights'), { min: 0, max: 255 }, dark);
    [0, 64, 128, 192, 255].forEach((v, i) =>
      assert.ok(near(scale(v), expected[i] ?? [0, 0, 0], 3), `${v}: ${scale(v)}`),
    );
  });

  describe('of weights among many keys', () => {
    // numpy.log1p(10 * m * w) / numpy.log1p(10 * m)
    const places = [
      [257, 0.0, 0.0],
      [257, 0.0003891050583657588, 0.0882759486074786],
      [257, 0.0038910505836575876, 0.3053846077779126],
      [257, 0.01, 0.41831922602414623],
      [257, 0.1, 0.707198685482575],
      [257, 0.5, 0.9117735770681547],
      [257, 1.0, 1.0],
      [20000, 0.0, 0.0],
      [20000, 5e-6, 0.05678705319513377],
      [20000, 5e-5, 0.19645092735248393],
      [20000, 0.01, 0.6227555284620958],
      [20000, 0.1, 0.8113611791518428],
      [20000, 0.5, 0.9432133564337942],
      [20000, 1.0, 1.0],
      [131072, 0.0, 0.0],
      [131072, 7.62939453125e-7, 0.04920792658886443],
      [131072, 7.62939453125e-6, 0.17023145712910057],
      [131072, 0.01, 0.6730749742395694],
      [131072, 0.1, 0.8365352936348472],
      [131072, 0.5, 0.9507921275736954],
      [131072, 1.0, 1.0],
    ] as const;

    it('lie at the logarithm that NumPy computes', () => {
      for (const [m, w, place] of places) {
        assert.ok(Math.abs(logPosition(w, m) - place) < 1e-12, `${w} of ${m}`);
        assert.ok(Math.abs(logWeight(place, m) - w) <= 1e-12 * Math.max(w, 1 / m), `${place} of ${m}`);
      }
    });

    it('are those places’ on linear colours, whatever the largest weight is', () => {
      for (const palette of [dark, light]) {
        const linear = scaleOf(few('weights'), { min: 0, max: 1 }, palette);
        for (const [m, w, place] of places) {
          const step = 1 / 512;
          const around = [place - step, place, place + step].map(linear);
          for (const max of [1, 0.02]) {
            const colour = scaleOf(weightsOf(m), { min: 0, max }, palette)(w);
            assert.ok(
              around.some((one) => near(one, colour, 0)),
              `${w} of ${m}: ${colour}`,
            );
          }
          for (const end of [0, 1])
            assert.deepEqual(scaleOf(weightsOf(m), { min: 0, max: 1 }, palette)(end), linear(end));
        }
      }
    });

    it('never go back, and show an even share beside 0', () => {
      for (const palette of [dark, light]) {
        for (const m of [257, 20_000, 131_072]) {
          const scale = scaleOf(weightsOf(m), { min: 0, max: 1 }, palette);
          const at = Array.from({ length: 401 }, (_, i) => luminance(scale(i ? 10 ** ((i - 400) / 50) : 0)));
          const direction = palette.light ? -1 : 1;
          at.slice(1).forEach((v, i) => assert.ok(direction * (v - (at[i] ?? 0)) >= -0.002, `${m} at ${i}`));
          assert.ok(contrast(scale(0), scale(1 / m)) > 1.2, `${contrast(scale(0), scale(1 / m))} to 1 of ${m}`);
        }
      }
    });

    it('begin after 256 keys, and only for weights', () => {
      assert.deepEqual(spacingOf(weightsOf(256)), { kind: 'linear' });
      assert.deepEqual(spacingOf(weightsOf(257)), { kind: 'log', keys: 257 });
      assert.deepEqual(spacingOf({ kind: 'signed', shape: [3, 5000] }), { kind: 'linear' });
      assert.deepEqual(spacingOf({ kind: 'weights', shape: [5000, 4] }), { kind: 'linear' });
    });
  });

  it('tell ids apart and repeat for equal ones', () => {
    const scale = scaleOf(few('ids'), { min: 0, max: 20 }, dark);
    const all = Array.from({ length: 16 }, (_, id) => scale(id).join());
    assert.equal(new Set(all).size, 16);
    assert.deepEqual(scale(3), scale(3));
  });
});
