import assert from 'node:assert/strict';
import { maskMarkdown } from '../../../extension/hover/mask';

const causal = { shape: [3, 3], values: [1, 0, 0, 1, 1, 0, 1, 1, 1] };

describe('a mask in a hover', () => {
  it('says what each convention makes of it, asks, and draws both', () => {
    const [picture, words = ''] = maskMarkdown({ ...causal, name: 'mask' });
    assert.match(words, /scaled\\?_dot\\?_product\\?_attention[^\n]*: Causal/);
    assert.match(words, /nn\\?\.MultiheadAttention[^\n]*: Each query sees only the keys after its own[^\n]*Query 2 sees no key/); // prettier-ignore
    assert.match(words, /\?$/);
    const drawn = ['True sees    True hides', '  0 1 2        0 1 2', '0 ■ · ·      0 · ■ ■', '1 ■ ■ ·      1 · · ■', '2 ■ ■ ■      2 · · ·']; // prettier-ignore
    assert.equal(picture, `\`\`\`text\n${drawn.join('\n')}\n\`\`\``);
  });

  it('is told from a table of 0 and 1 by truth values, by its name, or by −∞', () => {
    assert.deepEqual(maskMarkdown({ ...causal, name: 'X' }), []);
    assert.equal(maskMarkdown({ ...causal, name: 'X', dtype: 'bool' }).length, 2);
    assert.equal(maskMarkdown({ shape: [2, 2], values: [0, -Infinity, 0, 0] }).length, 2);
    assert.deepEqual(maskMarkdown({ shape: [2, 2], values: [0, 0.5, 1, 0], name: 'mask' }), []);
  });

  it('is not drawn beyond 16 keys, and not read beyond 4096 cells', () => {
    const lower = (n: number): number[] => Array.from({ length: n * n }, (_, i) => Number(i % n <= Math.floor(i / n)));
    assert.equal(maskMarkdown({ name: 'mask', shape: [17, 17], values: lower(17) }).length, 1);
    assert.deepEqual(maskMarkdown({ name: 'mask', shape: [65, 65], values: lower(65) }), []);
  });
});
