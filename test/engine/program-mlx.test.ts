// MLX and Equinox: shapes as their documentation gives them, numbers of what is plain arithmetic there.
import assert from 'node:assert/strict';
import { raisedIn, runProgram, type Program } from '../../engine/program/program';
import { findAttention } from '../../engine/program/recognise/index';
import { finish } from '../../engine/text';

const shapesOf = ({ names, current }: Program, ...of: readonly string[]): readonly string[] =>
  of.map((name) => {
    const value = names.get(name);
    return value?.kind === 'tensor' ? `${JSON.stringify(current(value).shape)} ${current(value).dtype}` : String(value?.kind); // prettier-ignore
  });

function numbersOf(program: Program, name: string): readonly number[] {
  const value = program.names.get(name);
  assert.ok(value?.kind === 'tensor');
  const dense = finish(program.look(program.current(value)));
  assert.ok('data' in dense);
  return [...dense.data].map((x) => Math.round(x * 1e4) / 1e4);
}

const mlx = `import math
import mlx.core as mx
import mlx.nn as nn
class Attention(nn.Module):
    def __init__(self, dims, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = [nn.Linear(dims, dims, bias=False) for _ in range(3)]
        self.o = nn.Linear(dims, dims)
        self.mask = mx.triu(mx.full((8, 8), float('-inf')), k=1)
    def __call__(self, x):
        B, T, C = x.shape
        q = self.q(x).reshape(B, T, self.heads, -1).transpose(0, 2, 1, 3)
        k = self.k(x).reshape(B, T, self.heads, -1).transpose(0, 2, 1, 3)
        v = mx.transpose(self.v(x).reshape(B, T, self.heads, -1), axes=[0, 2, 1, 3])
        scores = (q @ k.transpose([0, 1, 3, 2])) / math.sqrt(q.shape[-1])
        w = mx.softmax(scores + self.mask[:T, :T], axis=-1)
        return self.o((w @ v).transpose(0, 2, 1, 3).reshape(B, T, C))
x = mx.random.normal((2, 5, 12))
y = Attention(12, 3)(x)
m = nn.MultiHeadAttention(12, 3)(x, x, x, nn.MultiHeadAttention.create_additive_causal_mask(5))
e = nn.Embedding(10, 4)(mx.array([1, 2, 3]))
n = nn.RMSNorm(12)(nn.LayerNorm(12)(x))
`;

const equinox = `import jax
import jax.numpy as jnp
import equinox as eqx
class Head(eqx.Module):
    key: eqx.nn.Linear
    query: eqx.nn.Linear
    size: int = eqx.field(static=True)
    def __init__(self, width, size, *, key):
        a, b = jax.random.split(key)
        self.key = eqx.nn.Linear(width, size, use_bias=False, key=a)
        self.query = eqx.nn.Linear(width, size, use_bias=False, key=b)
        self.size = size
    def __call__(self, x):
        k = jax.vmap(self.key)(x)
        q = jax.vmap(self.query)(x)
        w = jax.nn.softmax(q @ k.T / jnp.sqrt(self.size), axis=-1)
        return w @ x
key = jax.random.PRNGKey(0)
x = jax.random.normal(key, (5, 8))
y = Head(8, 4, key=key)(x)
m = eqx.nn.MultiheadAttention(2, 8, key=key)(x, x, x, mask=jnp.tril(jnp.ones((5, 5))) > 0)
b = jax.vmap(eqx.nn.MultiheadAttention(2, 8, output_size=6, key=key))(jnp.ones((3, 5, 8)), jnp.ones((3, 5, 8)), jnp.ones((3, 5, 8)))
l = eqx.nn.Linear(8, 3, key=key)(x[0])
n = jax.vmap(eqx.nn.LayerNorm(8))(x)
c = jax.random.categorical(key, jnp.ones((4, 7)))
s = jax.lax.select(jnp.ones((2, 3)) > 0, jnp.ones((2, 3)), jnp.zeros((2, 3)))
t = jax.lax.broadcast(jnp.ones(3), (2,))
u = jax.lax.broadcast(-jnp.inf, (2, 4))
`;

describe('MLX and Equinox', () => {
  it('have the shapes of their documentation, and attention is found', () => {
    const program = runProgram(mlx);
    assert.deepEqual(raisedIn(mlx, program), []);
    assert.deepEqual(shapesOf(program, 'y', 'm', 'e', 'n'), ['[2,5,12] float32', '[2,5,12] float32', '[3,4] float32', '[2,5,12] float32']); // prettier-ignore
    assert.ok(findAttention(program.graph).length >= 2);
    const other = runProgram(equinox);
    assert.deepEqual(raisedIn(equinox, other), []);
    assert.deepEqual(shapesOf(other, 'y', 'm', 'b', 'l', 'n', 'c', 's', 't', 'u'), ['[5,8] float32', '[5,8] float32', '[3,5,6] float32', '[3] float32', '[5,8] float32', '[4] int32', '[2,3] float32', '[2,3] float32', '[2,4] float32']); // prettier-ignore
    assert.ok(findAttention(other.graph).length >= 1);
  });

  it('has the numbers of what is plain arithmetic', () => {
    const program = runProgram(
      `import mlx.core as mx
import mlx.nn as nn
w = mx.softmax(mx.array([0.0, 1.0]), axis=-1)
a = mx.softmax(mx.zeros((2, 2)))
one = mx.array([[[[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]]])
r = mx.fast.rope(one, 4, traditional=True, base=10000.0, scale=1.0, offset=0)
h = nn.RoPE(4)(one)
v = mx.array([[[[1.0], [3.0]]]])
o = mx.fast.scaled_dot_product_attention(mx.ones((1, 2, 2, 1)), mx.ones((1, 1, 2, 1)), v, scale=1.0, mask='causal')
p = mx.fast.scaled_dot_product_attention(mx.ones((1, 1, 2, 1)), mx.ones((1, 1, 2, 1)), v, scale=1.0)
n = nn.LayerNorm(2)(mx.array([[1.0, 3.0]]))
`,
    );
    // e / (1 + e); a softmax over all of four zeros.
    assert.deepEqual(numbersOf(program, 'w'), [0.2689, 0.7311]);
    assert.deepEqual(numbersOf(program, 'a'), [0.25, 0.25, 0.25, 0.25]);
    // (1, 0) turned by one radian: beside each other if traditional, else half the width apart.
    assert.deepEqual(numbersOf(program, 'r'), [1, 0, 0, 0, 0.5403, 0.8415, 0, 0]);
    assert.deepEqual(numbersOf(program, 'h'), [1, 0, 0, 0, 0.5403, 0, 0.8415, 0]);
    // Two heads over one of keys: the first query sees 1 alone, the second the mean of 1 and 3.
    assert.deepEqual(numbersOf(program, 'o'), [1, 2, 1, 2]);
    assert.deepEqual(numbersOf(program, 'p'), [2, 2]);
    assert.deepEqual(numbersOf(program, 'n'), [-1, 1]);
  });
});
