import assert from 'node:assert/strict';
import { isData } from '../../../extension/explain/data';

describe('what is only data', () => {
  it('is matrices, their names and the calls that make arrays', () => {
    for (const text of [
      '[[1, 2], [3, 4]]',
      'Q = np.array([[1., 2.],\n [3., 4.]])\nK = np.array([[1e-3, 2]], dtype=np.float32)  # keys @ once',
      'x = torch.tensor([[1, -2]])',
    ])
      assert.ok(isData(text), text);
  });

  it('is not what computes with them', () => {
    for (const text of [
      'self.W_query(x) @ keys.T',
      'Q = np.array([[1, 2]])\nS = Q @ Q.T',
      'torch.softmax(torch.tensor([[1., 2.]]), dim=-1)',
      'out = attention(x)',
      'class Head(nn.Module):\n    size = [1, 2]',
      'weights = scores',
    ])
      assert.ok(!isData(text), text);
  });
});
