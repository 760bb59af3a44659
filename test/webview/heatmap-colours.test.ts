import assert from 'node:assert/strict';
import { contrast, inkOn, luminance, mix, parseHex, scaleOf, type Palette, type Rgb } from '../../webview/colours';

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
      const colour = scaleOf('ids', { min: 0, max: 2000 }, palette);
      const weakest = Math.min(...steps.map((t) => contrast(colour(Math.round(2000 * t)), palette.background)));
      assert.ok(weakest >= (palette === black ? 1.4 : 1.2), `${weakest} to 1`);
    }
  });

  for (const [name, palette] of Object.entries({ dark, light })) {
    describe(name, () => {
      const signed = scaleOf('signed', { min: -2, max: 4 }, palette);
      const weights = scaleOf('weights', { min: 0, max: 0.5 }, palette);

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
    const scale = scaleOf('weights', { min: 0, max: 255 }, dark);
    [0, 64, 128, 192, 255].forEach((v, i) =>
      assert.ok(near(scale(v), expected[i] ?? [0, 0, 0], 3), `${v}: ${scale(v)}`),
    );
  });

  it('tell ids apart and repeat for equal ones', () => {
    const scale = scaleOf('ids', { min: 0, max: 20 }, dark);
    const all = Array.from({ length: 16 }, (_, id) => scale(id).join());
    assert.equal(new Set(all).size, 16);
    assert.deepEqual(scale(3), scale(3));
  });
});
