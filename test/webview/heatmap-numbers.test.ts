import assert from 'node:assert/strict';
import { brief, exactNumber, formatNumber, formatOf, percent, repr } from '../../webview/draw/numbers';

const fixed = (decimals: number) => ({ decimals, exponent: false });

describe('numbers', () => {
  it('have a true minus sign and the same digits', () => {
    assert.deepEqual(
      [2.5, -2.5, 10, -0.126].map((x) => formatNumber(x, fixed(2))),
      ['2.50', '−2.50', '10.00', '−0.13'],
    );
  });

  it('show no negative zero where digits end before the number does', () => {
    assert.equal(formatNumber(-0.001, fixed(2)), '0.00');
    assert.equal(formatNumber(-0, fixed(1)), '0.0');
  });

  it('name what is not a number', () => {
    assert.deepEqual(
      [NaN, Infinity, -Infinity].map((x) => formatNumber(x, fixed(2))),
      ['NaN', '∞', '−∞'],
    );
  });

  it('write a mask’s fill beside ordinary scores in few characters', () => {
    assert.equal(formatNumber(-1e9, fixed(2)), '−1e9');
  });

  it('share one format in a matrix: three figures for the largest number', () => {
    assert.deepEqual(formatOf({ magnitude: 13.9, digits: 2 }), fixed(2));
    assert.deepEqual(formatOf({ magnitude: 0.327, digits: 2 }), fixed(3));
    assert.deepEqual(formatOf({ magnitude: 0.05, digits: 2 }), fixed(4));
    assert.deepEqual(formatOf({ magnitude: 1, digits: 2 }), fixed(2));
    assert.deepEqual(formatOf({ magnitude: 0, digits: 2 }), fixed(2));
  });

  it('keep three figures for weights beside a 1', () => {
    assert.deepEqual(formatOf({ magnitude: 1, digits: 2, weights: true }), fixed(3));
    for (const [keys, decimals] of [
      [1000, 3],
      [1001, 4],
      [10_000, 4],
      [20_000, 5],
      [131_072, 6],
    ] as const)
      assert.deepEqual(formatOf({ magnitude: 1, digits: 2, weights: true, keys }), fixed(decimals), `${keys} keys`);
  });

  it('stay whole in a matrix of whole numbers', () => {
    assert.equal(formatNumber(-3, formatOf({ magnitude: 12, digits: 2, integers: true })), '−3');
  });

  it('take an exponent where a fixed point would hide them', () => {
    assert.equal(formatNumber(-1.5e-9, formatOf({ magnitude: 2e-9, digits: 2 })), '−1.50e−9');
    assert.equal(formatNumber(3.25e12, formatOf({ magnitude: 3.25e12, digits: 2 })), '3.25e12');
  });

  it('are exact where they are read by programs and on hover', () => {
    assert.deepEqual([0.1 + 0.2, -0, NaN, -Infinity, 1e-7].map(repr), [
      '0.30000000000000004',
      '-0',
      'NaN',
      '-Infinity',
      '1e-7',
    ]);
    assert.equal(exactNumber(-1e-7), '−1e−7');
    assert.equal(exactNumber(-0), '−0');
    // As NumPy prints np.float32; the first is tutorial 004's y_2.
    assert.equal(exactNumber(Math.fround(-2.4440105), 'float32'), '−2.4440105');
    assert.equal(exactNumber(Math.fround(0.1), 'float32'), '0.1');
    assert.equal(exactNumber(Math.fround(0.1)), '0.10000000149011612');
  });

  it('are short in running text', () => {
    assert.equal(brief(Math.sqrt(8)), '2.828');
    assert.equal(brief(4), '4');
    assert.equal(percent(0.3271), '32.7\u00a0%');
  });
});
