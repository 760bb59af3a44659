// What Python would raise is said only where it is sure: of a library not all is known, and of what is not known nothing follows.
import assert from 'node:assert/strict';
import { findAttention } from '../../engine/program/recognise';
import { raisedIn, runProgram, type Program } from '../../engine/program/program';

const raised = (text: string): readonly string[] => raisedIn(text, runProgram(text)).map((note) => note.text);

const kindOf = ({ names }: Program, name: string): string => {
  const value = names.get(name);
  if (value?.kind === 'tensor') return JSON.stringify(value.node.shape) ?? 'no shape';
  return value?.kind === 'int' ? String(value.value) : (value?.kind ?? 'nothing');
};

/** Code of public notebooks, shortened; each was once said to raise. */
const right: Readonly<Record<string, string>> = {
  'an optimizer’s own methods': 'import torch\no = torch.optim.Adam([torch.nn.Parameter(torch.ones(2))])\no.load_state_dict(o.state_dict())\n',
  'names of a library that are not known': 'from transformers import PreTrainedTokenizer, Unheard\nimport pytorch_lightning as pl\nclass M(pl.LightningModule):\n    pass\nm = M.load_from_checkpoint("x")\nn = M().trainer\n',
  'special names': 'class A:\n    def f(self):\n        return 1\na = A()\nb = A.f.__get__(a)\nc = A.__dataclass_fields__\nd = dict.__getitem__\n',
  'what a decorator may add': 'from flax.struct import dataclass\n@dataclass\nclass Batch:\n    inputs: int\nb = Batch(inputs=1).replace(inputs=2)\n',
  'typing’s decorators': 'from typing import override\nclass A:\n    @override\n    def f(self):\n        return 1\nx = A().f()\n',
  'arrays of text': 'import tensorflow as tf\nimport numpy as np\na = tf.constant("x")\nb = tf.constant(["a", "b"])\nc = np.array(["a", None])\n',
  'TensorFlow’s steps backwards': 'import tensorflow as tf\na = tf.constant([1, 2, 3])[::-1]\n',
  'keys of unknown text': 'chars = set()\nfor line in open("x").read().split():\n    for c in line:\n        chars.add(c)\nindex = {c: i for i, c in enumerate(sorted(chars))}\nv = index[" "]\nfor c in input():\n    d = {}\n    d.update(c)\n    e = d["a"]\n',
  'a generator over unknown data': 'from somewhere import data\ndef stream():\n    for e in data():\n        for c in e["text"]:\n            yield c\ns = stream()\nx = [next(s) for _ in range(5)]\n',
  'a call until it gives its end': 'f = open("x")\nfor chunk in iter(lambda: f.read(1024), b""):\n    pass\n',
  'numbers whose type is not known': 'import torch\nfrom somewhere import f\nn = torch.tensor(0)\nn += torch.tensor([f(c) for c in input()]).sum()\n',
  'comparisons of what may be arrays': 'import numpy as np\nfrom k import load\ns = load()\nf = s[0].reshape(-1, 8)\nx = np.mean(np.diff(np.sign(f), axis=-1) != 0, axis=-1)\n',
  'a function that may have returned before': 'import torch\nmode = input()\ndef made(mode):\n    if mode == "a":\n        return torch.ones(2, 3)\n    if mode == "b":\n        return torch.zeros(2, 3)\n    raise ValueError(mode)\nx = made(mode)\n',
  'a library that may have more': 'import torch\nassert hasattr(torch, "float8_e8m0fnu")\n',
  'an entry that may have been written through another name': 'params = {"blocks": [{}]}\nfor name in open("x"):\n    target = params if name.startswith("w") else params["blocks"][0]\n    for key in name.split():\n        target = target.setdefault(key, {})\n    target[name] = 1\nw = params["wpe"]\n',
  'a class that extends dict': 'class Config(dict):\n    __getattr__ = dict.__getitem__\nc = Config({"width": 3})\nc.device = 1\nw = c.width\n',
  'the end of a program without a card': 'import torch\nif not torch.cuda.is_available():\n    raise SystemExit("CUDA is required")\n',
  'types that are joined': 'Index = int | tuple[int, ...] | None\ndef f(i):\n    return isinstance(i, int | float)\nx = f(2)\n',
  'axis where PyTorch says dim': 'import torch\nx = torch.softmax(torch.ones(2, 3), axis=1)\ny = torch.ones(2, 3).sort(axis=0)\nz = torch.topk(torch.ones(3), 2, axis=0)\n',
  'what NumPy’s functions take besides': 'import numpy as np\na = np.ones(3)\nb = np.divide(a, a, out=np.zeros_like(a), where=a != 0)\nc = np.sum(a, initial=1)\nd = np.array(1, ndmin=2)\n',
  'what was written into an array': 'import numpy as np\na = np.array([1.0, 2.0])\nnp.add(a, 2.0, out=a)\nassert np.allclose(a, [3.0, 4.0])\n',
  'a function of TensorFlow that takes text': 'import tensorflow as tf\nclass Translator(tf.Module):\n    def __call__(self, sentence):\n        assert isinstance(sentence, tf.Tensor)\n        return sentence\nclass Exported(tf.Module):\n    def __init__(self, translator):\n        self.translator = translator\n    @tf.function(input_signature=[tf.TensorSpec(shape=[], dtype=tf.string)])\n    def __call__(self, sentence):\n        return self.translator(sentence)\nx = Exported(Translator())("este")\n',
  'another method of a Flax module, and its parameters': 'import jax\nimport jax.numpy as jnp\nfrom flax import linen as nn\nclass Decoder(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        return nn.Dense(3)(x)\n    def generate(self, x, max_length):\n        return x\nd = Decoder()\np = d.init(jax.random.PRNGKey(0), jnp.ones((2, 4)))\nx = d.apply(p, jnp.ones((2, 4)), method=d.generate, max_length=20)\ny = d.apply(p, jnp.ones((2, 4)), method="generate", max_length=20)\nz = d.apply(p, jnp.ones((2, 4)), max_length=20, method=Decoder.generate)\nk = p["params"]["Dense_0"]["kernel"][:, :2]\nout, state = d.apply(p, jnp.ones((2, 4)), mutable=["cache"])\n',
}; // prettier-ignore

describe('what Python would raise', () => {
  for (const [name, text] of Object.entries(right))
    it(`is not said of ${name}`, () => assert.deepEqual(raised(text), []));

  it('is said of what the program itself has wrong', () => {
    const net = 'import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.W = nn.Linear(2, 3)\nnet = Net()\n';
    assert.deepEqual(raised(`${net}x = net.Wi\n`), ["AttributeError: 'Net' object has no attribute 'Wi'"]);
    assert.deepEqual(raised(`${net}x = net.W(torch.ones(4, 3))\n`), ['RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x3 and 2x3)']);
    assert.deepEqual(raised('x = 1\ny = x + z\n'), ["NameError: name 'z' is not defined"]);
    assert.deepEqual(raised('class A:\n    def __init__(self):\n        super.__init__()\nA()\n'), ["TypeError: descriptor '__init__' of 'super' object needs an argument"]);
    assert.deepEqual(raised('def f(a, b):\n    return a\nf(1)\n'), ["TypeError: f() missing 1 required positional argument: 'b'"]);
  }); // prettier-ignore

  it('is said of tensors with an axis of −1, in PyTorch’s and NumPy’s words', () => {
    for (const make of ['torch.zeros(-1, 3)', 'torch.randn(-1, 3)', 'torch.empty(-1, 3)', 'torch.full((-1, 3), 1.0)'])
      assert.deepEqual(raised(`import torch\nx = ${make}\n`), ['RuntimeError: Trying to create tensor with negative dimension -1: [-1, 3]'], make); // prettier-ignore
    for (const make of ['np.zeros((2, -1))', 'np.random.randn(2, -1)'])
      assert.deepEqual(raised(`import numpy as np\nx = ${make}\n`), ['ValueError: negative dimensions are not allowed'], make); // prettier-ignore
  });

  it('is said below a command of the system, which binds no name, and not below a file that was run', () => {
    assert.deepEqual(raised('!pip install torch\n%matplotlib inline\nx = y\n'), ["NameError: name 'y' is not defined"]);
    assert.deepEqual(raised('%run other.py\nx = y\n'), []);
  });
});

describe('what PyTorch says of a view', () => {
  // What PyTorch 1.13 refuses of these, and what it takes.
  const setup =
    'import torch\nimport torch.nn.functional as F\ntorch.manual_seed(0)\nx = torch.randn(2, 3, 4, 5)\nw = torch.randn(5, 5)\n';
  const refused = ['x.transpose(1, 2).view(2, 4, 15)', 'x.permute(2, 0, 3, 1).view(4, 2, 15)', '(x @ w).transpose(1, 2).view(2, 4, 15)', '(x @ x.transpose(-2, -1) @ x).transpose(1, 2).view(2, 4, 15)', 'F.linear(x, w, w[0]).transpose(1, 2).view(2, 4, 15)', 'x[:, :, 1:].view(2, 45)', 'x[:, 1:].view(80)', 'x[..., ::2].view(2, 3, 12)', 'w.T.view(25)', 'w[0].expand(4, 5).view(20)', 'x.unbind(1)[0].view(40)', 'x.chunk(2, dim=2)[0].transpose(1, 2).view(2, 2, 15)']; // prettier-ignore
  const taken = ['x.transpose(1, 2).view(2, 2, 2, 3, 5)', 'x.transpose(2, 3).view(6, 5, 4)', 'x[:, 1:].view(2, 40)', 'w.T.view(5, 5, 1)', 'w[:1].T.view(5)', 'w[0].expand(4, 5).view(2, 2, 5)', 'x.transpose(1, 2).contiguous().view(2, 4, 15)', 'x.transpose(1, 2).reshape(2, 4, 15).view(8, 15)', 'x.transpose(1, 2).flatten(2).view(8, 15)', 'x.unbind(1)[0].view(2, 20)', 'x.numpy().swapaxes(1, 2).reshape(2, 4, 15)']; // prettier-ignore
  /** These lie in memory as their operands do, or as a kernel leaves them. */
  const inOtherOrder = ['(x.transpose(1, 2) * 2).transpose(1, 2).view(2, 60)', 'F.relu(x.transpose(1, 2)).transpose(1, 2).view(2, 60)', 'x.transpose(1, 2).clone().transpose(1, 2).view(120)', "torch.einsum('bhnd->bnhd', x).transpose(1, 2).view(120)", 'F.scaled_dot_product_attention(x, x, x).transpose(1, 2).view(2, 4, 15)']; // prettier-ignore
  const words = "RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."; // prettier-ignore

  it('is said where it has to be a copy, and not where it need not, or may lie in another order', () => {
    for (const one of refused) assert.deepEqual(raised(`${setup}y = ${one}\n`), [words], one);
    for (const one of [...taken, ...inOtherOrder]) assert.deepEqual(raised(`${setup}y = ${one}\n`), [], one);
  });

  it('is not said where a size has no number, as behind weights from a file', () => {
    const loaded = `${setup}k = (x @ torch.load('w.pt')['k']).view(2, 3, 4, 5, -1)\n`;
    assert.deepEqual(raised(`${loaded}y = w.view(5, 1, 5, k.shape[-1])\n`), []);
  });

  const layer = (end: string): string =>
    `import torch\nfrom torch import nn\nclass A(nn.Module):\n    def __init__(self, d_model=8, n_heads=2):\n        super().__init__()\n        self.n_heads, self.d_head = n_heads, d_model // n_heads\n        self.qkv = nn.Linear(d_model, 3 * d_model)\n    def forward(self, x):\n        B, T, C = x.shape\n        q, k, v = (t.view(B, T, self.n_heads, self.d_head).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))\n        w = torch.softmax(q @ k.transpose(-2, -1) / self.d_head ** 0.5, dim=-1)\n        return ${end}\n`;

  it('is said of a layer that no line calls, which is explained still', () => {
    for (const [end, said] of [['(w @ v).transpose(1, 2).view(B, T, C)', [words]], ['(w @ v).transpose(1, 2).contiguous().view(B, T, C)', []], ['(w @ v).transpose(1, 2).reshape(B, T, C)', []]] as const) {
      const program = runProgram(layer(end));
      assert.deepEqual(raisedIn(layer(end), program).map(({ text, range: { start, end: to } }) => [text, layer(end).slice(start, to)]), said.map((one) => [one, end]), end);
      assert.deepEqual([program.refusals, findAttention(program.graph).length], [[], 1], end);
    }
    assert.deepEqual(raised('import torch\ndef merge(x, heads):\n    b, h, n, d = x.shape\n    a = torch.softmax(x @ x.transpose(-2, -1), dim=-1)\n    return a @ x, x.transpose(1, 2).view(b, n, h * d)\n'), []);
  }); // prettier-ignore
});

describe('what is not known of a program', () => {
  it('says no length but that between its own ends of a slice that begins somewhere', () => {
    // PyTorch: a batch of 32 tokens each, wherever they begin.
    const batch = runProgram('import torch\ndata = torch.arange(417)\nix = torch.randint(300, (2,))\nx = torch.stack([data[i:i+32] for i in ix])\ny = torch.stack([data[i+1:i+1+32] for i in ix])\nz = data[ix[0]:ix[0]+8]\nu = data[ix[0]:]\nw = data[::ix[0]]\nn = torch.arange(0, 10, ix[0])\nv = data[ix[0]:ix[1]]\n'); // prettier-ignore
    assert.deepEqual(['x', 'y', 'z', 'u', 'v', 'w', 'n'].map((name) => kindOf(batch, name)), ['[2,32]', '[2,32]', '[8]', 'no shape', 'no shape', 'no shape', 'unknown']); // prettier-ignore
  });

  it('says no axes of a list whose elements may be lists', () => {
    const text = runProgram('import torch\nt = input()\na = torch.tensor([[f(c) for c in t]])\nb = torch.tensor([ord(t[0]), 3])\n'); // prettier-ignore
    assert.deepEqual(
      ['a', 'b'].map((name) => kindOf(text, name)),
      ['no shape', '[2]'],
    );
  });

  it('joins what a function may have returned before it raises', () => {
    const text = runProgram(right['a function that may have returned before'] ?? '');
    assert.equal(kindOf(text, 'x'), '[2,3]');
  });

  it('changes what is written to by functions that are not followed', () => {
    const text = runProgram('import numpy as np\nx = np.zeros(3)\nnp.put(x, [0], 1)\nd = {"a": 1}\nd.popitem()\nn = len(d)\ns = {1, 2}\ns.pop()\nm = len(s)\n'); // prettier-ignore
    assert.deepEqual(
      ['n', 'm'].map((name) => kindOf(text, name)),
      ['0', 'unknown'],
    );
    const x = text.names.get('x');
    assert.ok(x?.kind === 'tensor' && text.current(x).why);
  });

  it('keeps no order of a list that was shuffled, nor the items of a heap', () => {
    // Read in the order in which it was made, one pair after the other, as a public notebook had it.
    const text = runProgram(
      'import random, heapq\nimport torch\npairs = [(1, 2), (3, 4)]\nrandom.shuffle(pairs)\na = pairs[0][0]\nn = len(pairs)\nt = torch.tensor(pairs)\nh = [3, 1]\nheapq.heappush(h, 0)\nm = h[0]\n',
    );
    assert.deepEqual(
      ['a', 'n', 't', 'm'].map((name) => kindOf(text, name)),
      ['unknown', '2', '[2,2]', 'unknown'],
    );
    const t = text.names.get('t');
    assert.ok(t?.kind === 'tensor' && t.node.why);
  });

  it('joins the ways of an unknown condition in sets too', () => {
    const text = runProgram(
      's = {1}\nif input():\n    s.add(2)\nn = len(s)\nt = {1}\nif input():\n    t.add(1)\nm = len(t)\n',
    );
    assert.deepEqual(
      ['n', 'm'].map((name) => kindOf(text, name)),
      ['unknown', '1'],
    );
  });
});
