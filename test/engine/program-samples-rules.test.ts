// What stands in where no line calls code: sizes and settings by name, what is tried after each of Python's exceptions, and ways that switches open.
// The exceptions are as NumPy 1.26, PyTorch 1.13, einops 0.6 and Keras 2 print them.
import assert from 'node:assert/strict';
import { runProgram } from '../../engine/program/program';
import {
  choicesFromException,
  guessedChoices,
  withOneLayer,
  withSettersFirst,
} from '../../engine/program/samples/after-exception';
import type { Failed, Root } from '../../engine/program/samples/attempt';
import * as sizes from '../../engine/program/samples/sizes';
import type { Choice } from '../../engine/program/samples/values';

/** `dim=16 x.last=16 even +name mask:given before(a)`. */
function written({ sizes, forms, even, extra = [], settings = new Map(), before = [] }: Choice): string {
  const pairs = Object.entries(forms).flatMap(([name, form]) =>
    Object.entries(form).map(([part, value]) => `${name}.${part}=${String(value)}`),
  );
  const switches = [...settings].map(
    ([name, to]) => `${name}:${typeof to === 'object' && 'text' in to ? `'${to.text}'` : String(to)}`,
  );
  return [
    ...Object.entries(sizes).map(([name, size]) => `${name}=${size}`),
    ...pairs,
    ...(even ? ['even'] : []),
    ...extra.map((name) => `+${name}`),
    ...switches,
    ...(before.length > 0 ? [`before(${before.join()})`] : []),
  ].join(' ');
}

const program = runProgram(
  `
class Layer:
    def __init__(self, dim, heads=8, depth=12, max_len=None, gain=None, kind='dot'):
        pass
    def make(self, x):
        self.keys: int = x
    def forward(self, x, mask=None, cache=None, state=None):
        return x
def attend(q, k, mask=None, cache=None, mode='dot'):
    if mode == 'general':
        return q
    return torch.cat([q, k], 1)
def plain(q, k):
    return q
`,
);

function rootOf(name: string, method?: string): Root {
  const value = program.names.get(name);
  assert.ok(value?.kind === 'class' || value?.kind === 'function', name);
  const own = method && value.kind === 'class' ? value.attributes.get(method) : undefined;
  const text = value.kind === 'function' ? value.source.text : '';
  return { value, text, range: { start: 0, end: 0 }, ...(own?.kind === 'function' ? { method: own } : {}) };
}

type Made = Readonly<Record<string, { shape: readonly number[]; open?: boolean; mask?: boolean; ids?: true }>>;
interface Given {
  readonly made?: Made;
  readonly asked?: Readonly<Record<string, number>>;
  readonly root?: Root;
  readonly choice?: Partial<Choice>;
  readonly failed?: Partial<Failed>;
}

const failedOf = (text: string, { made = {}, asked = {}, failed = {} }: Given): Failed => ({
  text,
  range: { start: 0, end: 0 },
  made: new Map(Object.entries(made).map(([name, one]) => [name, { open: true, mask: false, ...one }])),
  asked: new Map(Object.entries(asked)),
  masks: false,
  ...failed,
});
const choiceOf = ({ choice = {} }: Given): Choice => ({ sizes: {}, forms: {}, ...choice });
const plainRoot = rootOf('plain');

/** What is tried after an exception, in its order. */
const after = (text: string, given: Given = {}): readonly string[] =>
  choicesFromException(choiceOf(given), failedOf(text, given), given.root ?? plainRoot).map(written);

const x = { shape: [1, 5, 8] };
const masked = { x, mask: { shape: [5, 5], mask: true } };

describe('what stands in for code that no line calls', () => {
  it('has sizes by the names of papers and libraries, different ones for different things', () => {
    const expected: Readonly<Record<number, string>> = {
      1: 'b bsz batch_size nbatches kv_heads num_key_value_heads h_kv n_layers n_blocks depth layer_idx',
      2: 'h heads num_heads n_head nhead heads_count num_groups n_rep kv_groups num_kv_groups',
      3: 'd_in in_features input_dim input_size',
      4: 'head_dim head_size d_k d_v dk hd dh dim_head d_head query_size value_size dim_k',
      5: 't l tq n seq_len time sequence_length num_queries q_len steps',
      6: 's tk src_len kv_seq_len num_keys key_len memory_len m',
      8: 'c d e d_model dim n_embd config.n_embd embed_dim features hidden_size units out_channels _dim',
      10: 'block_size context_length max_len max_seq_len n_ctx window_size',
      11: 'n_unique_chars num_words vocab_size num_embeddings num_classes',
      16: 'd_ff ffn_dim dim_feedforward intermediate_size mlp_dim inner_dim',
    };
    for (const [size, names] of Object.entries(expected))
      for (const name of names.split(' ')) assert.equal(sizes.sizeNamed(name), Number(size), name);
    for (const name of 'x weights q kind'.split(' ')) assert.equal(sizes.sizeNamed(name), undefined, name);
    assert.deepEqual(['heads', 'kv_heads', 'dim'].map(sizes.namesHeads), [true, false, false]);
    assert.deepEqual(['n_layers', 'depth', 'layer_idx', 'layer_id', 'dim'].map(sizes.countsLayers), [true, true, false, false, false]); // prettier-ignore
  });

  it('has settings that change nothing, by name', () => {
    const value = (name: string): unknown => {
      const found = sizes.settingNamed(name);
      return found && ('value' in found ? found.value : 'name' in found ? found.name : found.kind);
    };
    const expected: readonly (readonly [unknown, string])[] = [
      [0, 'dropout p attn_drop start_pos offset past_len'],
      [0.2, 'alpha negative_slope'],
      [1e-5, 'eps layer_norm_eps epsilon'],
      [10000, 'rope_theta base rope_base'],
      [0.5, 'scale softmax_scale scaling'],
      [1, 'temperature tau'],
      ['none', 'valid_lens head_mask softcap past_key_values kv_cache layer_past'],
      [true, 'batch_first'],
      ['cpu', 'device'],
      [false, 'bias qkv_bias causal is_causal use_cache output_attentions need_weights return_weights masked pre_norm'],
      [undefined, 'output_size output_dim steps biases dim'],
    ];
    for (const [setting, names] of expected)
      for (const name of names.split(' ')) assert.equal(value(name), setting, name);
  });

  it('is of the kind that a name says: ids, masks, another text, weights, biases', () => {
    const kindsOf = (name: string): string =>
      (['Ids', 'Mask', 'Context', 'Weight', 'Bias', 'Cache'] as const).filter((kind) => sizes[`names${kind}`](name)).join(' '); // prettier-ignore
    const expected = {
      Ids: 'idx ids input_ids tokens src tgt y position_ids', Mask: 'mask attn_mask src_mask', Context: 'context memory enc_out encoder_outputs cross_input',
      Weight: 'W_q wk w_out query_weight q_proj_weight o_kernel value_w', Bias: 'b_q bo b_out query_bias q_proj_bias', Cache: 'past cache kv_cache past_kv layer_past', '': 'x q weights h_t wq_norm w b',
    }; // prettier-ignore
    for (const [kind, names] of Object.entries(expected))
      for (const name of names.split(' ')) assert.equal(kindsOf(name), kind, name);
  });
});

describe('what is tried after an exception', () => {
  it('takes the width that a product or a norm expected: of all tensors as wide, of each, of a size', () => {
    const made = { x, y: { shape: [1, 6, 8] }, z: { shape: [1, 6, 4] } };
    const product = 'RuntimeError: mat1 and mat2 shapes cannot be multiplied (5x8 and 16x16)';
    assert.deepEqual(after(product, { made, asked: { dim: 8, n: 5 } }), ['x.last=16 y.last=16', 'x.last=16', 'y.last=16', 'dim=16']); // prettier-ignore
    const norm =
      'RuntimeError: Given normalized_shape=[16], expected input with shape [*, 16], but got input of size[1, 5, 8]';
    assert.deepEqual(after(norm, { made: { x }, asked: { dim: 16 } }), ['dim=8', 'x.last=16']);
  });

  it('takes as many rows as were expected', () => {
    const text =
      'RuntimeError: Sizes of tensors must match except in dimension 2. Expected size 7 but got size 5 for tensor number 1 in the list.';
    assert.deepEqual(after(text, { made: { x, y: { shape: [1, 5, 4] } } }), ['x.tokens=7 y.tokens=7', 'x.tokens=7', 'y.tokens=7']); // prettier-ignore
    const bmm = 'RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [1, 7] but got: [1, 5].';
    assert.deepEqual(after(bmm, { made: { x } }), ['x.rank=2', 'x.tokens=7']);
  });

  it('takes one length for all texts where 5 and 6 do not go together, and masks of other forms', () => {
    const text =
      'RuntimeError: The size of tensor a (5) must match the size of tensor b (6) at non-singleton dimension 2';
    const masks = ['mask.rank=3', 'mask.rank=1', 'mask.rank=-1', 'mask.rank=0 mask.mask=all'];
    assert.deepEqual(after(text, { made: masked }), ['even', ...masks, 'x.tokens=6']);
    assert.deepEqual(after(text, { made: masked, choice: { even: true } }), ['even', ...masks, 'x.tokens=6'].slice(1).map((one) => (one.endsWith('all') ? 'mask.rank=0 mask.mask=all even' : `${one} even`))); // prettier-ignore
    const two = { ...masked, other: { shape: [5, 5], mask: true } };
    assert.equal(after(text, { made: two })[1], 'mask.rank=3 other.rank=3');
    // An axis that is not there is no mismatch of sizes.
    const axis = 'IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)';
    assert.deepEqual(after(axis, { made: masked }), masks.slice(0, 3));
    assert.deepEqual(after('ValueError: a mask of two axes', { made: masked }), masks.slice(0, 3));
    assert.deepEqual(after('IndexError: a mask of two axes', { made: masked }), []);
  });

  it('tries every kind of mask where what it hides was not clear, and nothing else', () => {
    const kinds = ['visible', 'hidden', 'additive', 'whole', 'all', 'none hidden', 'ones'];
    assert.deepEqual(after('what the mask hides is not clear', { made: masked, failed: { masks: true } }), kinds.map((kind) => `mask.mask=${kind}`)); // prettier-ignore
    assert.deepEqual(guessedChoices(choiceOf({}), failedOf('', { made: masked, failed: { masks: true } })), []);
  });

  it('takes numbers for a mask that is subtracted from 1', () => {
    const text =
      'RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.';
    assert.deepEqual(after(text, { made: masked }), ['mask.mask=whole']);
    assert.deepEqual(after(text, { made: { x } }), []);
    const numpy =
      'TypeError: numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.';
    assert.deepEqual(after(numpy, { made: masked }), ['mask.mask=whole']);
  });

  it('is as wide as a view asks for, or has as many tokens', () => {
    // 1·5·2·8 = 80 numbers, where 1·5·8 = 40 are: twice as wide.
    const view = "RuntimeError: shape '[1, 5, 2, 8]' is invalid for input of size 40";
    assert.deepEqual(after(view, { made: { x } }), ['x.last=16', 'even']);
    assert.deepEqual(after(view, { made: { x, z: { shape: [5, 8] } } }), ['x.last=16 z.last=16', 'x.last=16', 'z.last=16', 'even']); // prettier-ignore
    const numpy = 'ValueError: cannot reshape array of size 40 into shape (1,5,2,8)';
    assert.deepEqual(after(numpy, { made: { x } }), ['x.last=16', 'even']);
    // What has its shape from the code is not widened, but has twice the tokens.
    assert.deepEqual(after(view, { made: { x: { shape: [1, 5, 8], open: false } } }), ['x.tokens=10', 'even']);
    assert.deepEqual(after(view, { made: { x: { shape: [1, 5, 8], open: false } }, choice: { forms: { x: { tokens: 10 } } } }), ['x.tokens=10 even']); // prettier-ignore
    // 15 numbers are three for each token; 7 are no whole number of columns.
    assert.deepEqual(after("RuntimeError: shape '[1, 5, 3]' is invalid for input of size 40", { made: { x } }), ['x.last=3', 'even']);
    assert.deepEqual(after("RuntimeError: shape '[7]' is invalid for input of size 40", { made: { x } }), ['even']);
    // A mask of the keys of each input, 1·5 numbers, where one of 5×5 stood in.
    const mask = "RuntimeError: shape '[1, 1, 1, 5]' is invalid for input of size 25";
    assert.deepEqual(after(mask, { made: { mask: { shape: [5, 5], mask: true } } }), ['mask.rank=1', 'even']);
  }); // prettier-ignore

  it('looks up ids where numbers were given to an embedding: of one token each, then of several', () => {
    const text =
      "RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.FloatTensor instead (while checking arguments for embedding)";
    const ids = (name: string): string[] => [`${name}.ids=true ${name}.rank=1 ${name}.last=1`, `${name}.ids=true`];
    assert.deepEqual(after(text, { made: { enc_out: x, x } }), ids('x'));
    const root = { ...plainRoot, text: 'def f(a, b): return E(b)', range: { start: 0, end: 24 } };
    assert.deepEqual(after(text, { made: { a: x, b: x }, root, failed: { range: { start: 20, end: 24 } } }), ids('b'));
    assert.deepEqual(after(text, { made: { a: { ...x, ids: true } } }), []);
  });

  it('has the axes that einops expected, and takes apart what it could not', () => {
    const axes =
      ' Error while processing rearrange-reduction pattern "b h n d -> b n (h d)".\n Wrong shape: expected 4 dims. Received 3-dim tensor.';
    assert.deepEqual(after(axes, { made: { x, m: { shape: [5, 5] }, mask: { shape: [1, 5, 5], mask: true } } }), ['x.rank=4']); // prettier-ignore
    const chunks =
      ' Error while processing rearrange-reduction pattern "b (h w) d -> b h w d".\n Shape mismatch, can\'t divide axis of length 5 in chunks of 15';
    assert.deepEqual(after(chunks, { made: { x } }), ['x.tokens=15']);
    const inputs = ' Shape mismatch, 1 != 4';
    assert.deepEqual(after(inputs, { made: { x, m: { shape: [1, 8] } } }), ['x.inputs=4', 'm.inputs=4'].slice(0, 1));
  });

  it('is one text without a batch only where the layer takes it', () => {
    const width = 'AssertionError: was expecting embedding dimension of 16, but got 8';
    assert.deepEqual(after(width, { made: { x, y: { shape: [5, 4] } } }).slice(0, 1), ['x.rank=3 x.ids=false x.last=16']);
    const flat = 'AssertionError: For unbatched (2-D) `query`, expected `key` and `value` to be 2-D but found 3-D and 3-D tensors respectively';
    assert.deepEqual(after(flat, { made: { x, ids: { shape: [1, 5], ids: true } } }).slice(0, 1), ['ids.rank=3 ids.ids=false']);
  }); // prettier-ignore

  it('unpacks as many tensors as are asked for, or as many axes', () => {
    const parts = 'ValueError: not enough values to unpack (expected 3, got 1)';
    assert.deepEqual(after(parts, { made: { inputs: x, ids: { shape: [1, 5], ids: true } } }), ['inputs.parts=3', 'ids.rank=3']); // prettier-ignore
    assert.deepEqual(after('ValueError: too many values to unpack (expected 2, got 3)', { made: { x } }), ['x.rank=2']);
    const picture = 'ValueError: not enough values to unpack (expected 4, got 3)';
    assert.deepEqual(after(picture, { made: { x, m: { shape: [5, 8] } } }), ['x.rank=4', 'm.rank=4']);
  });

  it('has the channels and axes of a layer of pictures', () => {
    const text = 'RuntimeError: Given groups=1, weight of size [4, 3, 3, 3], expected input[1, 8, 5, 5] to have 3 channels, but got 8 channels instead';
    assert.deepEqual(after(text, { made: { x: { shape: [1, 8, 5, 5] }, m: { shape: [1, 5, 8] } } }), ['x.channels=3', 'm.channels=3 m.rank=4']); // prettier-ignore
    assert.deepEqual(after(text, { made: { x: { shape: [1, 8, 5, 5] } }, asked: { dim: 3, n: 5 } }), ['dim=64 x.channels=64', 'x.channels=3']); // prettier-ignore
    const axis = 'RuntimeError: Given groups=1, weight of size [4, 3, 3], expected input[1, 5, 8] to have 3 channels, but got 5 channels instead';
    assert.deepEqual(after(axis, { made: { x } }), ['x.channels=3']);
    assert.deepEqual(after('RuntimeError: Expected 4D tensor', { made: { x, p: { shape: [1, 3, 4, 4] } } }), ['x.rank=4']);
    // Where a size became 0: widths of which an eighth is something.
    assert.deepEqual(after('a size of 0', { asked: { dim: 8, n: 2, wide: 16 }, failed: { empty: true } }), ['dim=16', 'dim=64']);
  }); // prettier-ignore

  it('divides larger widths, and by more than one head', () => {
    const text = 'ZeroDivisionError: integer division or modulo by zero';
    assert.deepEqual(after(text, { asked: { dim: 8, inner: 16, wide: 64, k: 4, n: 1 } }), ['dim=64 inner=64', 'n=2']);
    assert.deepEqual(after('RuntimeError: shape [1, 0, 4]', { asked: { dim: 8 } }), ['dim=64']);
    assert.deepEqual(after('RuntimeError: shape [1, 10, 4]', { asked: { dim: 8 } }), []);
  });

  it('tries after an assertion one length, the defaults of sizes, small sizes, and the side of a square', () => {
    const text = 'AssertionError: 8 tokens must be the map of 16';
    const picture = { p: { shape: [1, 3, 8, 8] } };
    const root = rootOf('Layer', 'forward');
    assert.deepEqual(after('AssertionError', { root, asked: { n: 5, dim: 8 } }), ['mask:given', 'mask:given state:given', 'mask:given cache:given state:given', 'even', '+heads +depth', 'n=4']); // prettier-ignore
    assert.deepEqual(after(text, { made: picture }), ['even', 'p.last=4 p.tokens=4']);
    assert.deepEqual(after('AssertionError: 4096 and 4097 and 1 and 4225', { made: picture }), ['even', 'p.last=64 p.tokens=64']); // prettier-ignore
  });

  it('gives what the code has None for: of a constructor all sizes, then what an assertion names; of a function masks first', () => {
    const root = rootOf('Layer', 'forward');
    const none =
      "TypeError: empty(): argument 'size' must be tuple of ints, but found element of type NoneType at pos 1";
    assert.equal(after(none, { root })[0], 'max_len:given');
    assert.deepEqual(after('AssertionError: gain and max_len are needed', { root })[0], 'max_len:given');
    const settings = new Map([['max_len', 'given']] as const);
    assert.deepEqual(after('AssertionError: gain and max_len are needed', { root, choice: { settings } })[0], 'max_len:given gain:given'); // prettier-ignore
    assert.deepEqual(after('AssertionError: gains', { root, choice: { settings } })[0], 'even max_len:given');
    assert.deepEqual(after("TypeError: 'NoneType' object is not subscriptable", { root: rootOf('attend') }).slice(0, 3), ['mask:given', 'mask:given', 'mask:given cache:given']); // prettier-ignore
    assert.deepEqual(after('AssertionError: cache is needed', { root: rootOf('attend') })[0], 'cache:given');
  });

  it('hands on what a constructor within misses, each once', () => {
    const text = "TypeError: MHA.__init__() missing 2 required positional arguments: 'num_heads' and 'key_dim'";
    assert.deepEqual(after(text), ['+num_heads +key_dim']);
    assert.deepEqual(after(text, { choice: { extra: ['num_heads'] } }), ['+num_heads +key_dim']);
    assert.deepEqual(after(text, { choice: { extra: ['num_heads', 'key_dim'] } }), []);
    assert.deepEqual(after("TypeError: f() missing 1 required positional argument: 'x'"), []);
  });

  it('takes the words that a comparison or the exception has', () => {
    const root = {
      ...rootOf('attend'),
      text: "def attend(q, k, mode='dot'):\n    if mode == 'general': return q\n    if other == 'x': return k",
    };
    assert.deepEqual(after("ValueError: choose 'general' or 'concat'", { root }), ["mode:'general'", "mode:'general'", "mode:'concat'"]); // prettier-ignore
    assert.deepEqual(after("ValueError: choose 'general'", { root, choice: { settings: new Map([['mode', { text: 'dot' }]]) } }), []); // prettier-ignore
    assert.deepEqual(after("IndexError: choose 'general'", { root }), []);
  });

  it('calls a method first that sets what another reads, three at most one after another six', () => {
    const text = "AttributeError: 'Layer' object has no attribute 'keys'";
    const root = rootOf('Layer', 'forward');
    const before = (choice: Partial<Choice> = {}, at = root, said = text): readonly string[] => withSettersFirst(choiceOf({ choice }), failedOf(said, {}), at).map(written); // prettier-ignore
    assert.deepEqual(before(), ['before(make)']);
    assert.deepEqual(before({ before: ['make'] }), []);
    assert.deepEqual(before({ before: ['a', 'b'] }), ['before(make,a,b)']);
    assert.deepEqual(before({ before: ['a', 'b', 'c', 'd', 'e', 'f'] }), []);
    assert.deepEqual(before({}, root, text.replace('Layer', 'Other')), []);
    assert.deepEqual(before({}, root, text.replace('keys', 'values')), []);
    assert.deepEqual(before({}, rootOf('Layer', 'make')), []);
  });

  it('takes one layer of a deep model, from 2,500 steps on', () => {
    const tried = (reached: number, choice: Partial<Choice> = {}): readonly string[] => withOneLayer(choiceOf({ choice }), rootOf('Layer', 'forward'), reached).map(written); // prettier-ignore
    assert.deepEqual(tried(2_499), []);
    assert.deepEqual(tried(2_500), ['+depth']);
    assert.deepEqual(tried(9_000, { extra: ['depth'] }), []);
  });

  it('joins what is too narrow side by side with more of what an encoder gives', () => {
    const text = 'RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x12 and 16x8)';
    const root = rootOf('attend');
    const made = { state: { shape: [1, 1, 4] }, encoder_out: { shape: [1, 6, 8] } };
    assert.deepEqual(after(text, { made, root }), ['encoder_out.last=12', 'state.last=8']);
    assert.deepEqual(after(text, { made, root: plainRoot }), []);
    // 5 tokens of 8 side by side are 40: two of them make the 16 that a layer takes.
    const flat = 'RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x40 and 16x8)';
    assert.deepEqual(after(flat, { made: { x } }), ['x.tokens=2']);
    assert.deepEqual(after(flat, { made: { x, m: { shape: [5, 8] } } }), ['x.tokens=2']);
  });

  it('has no axis of tokens where a product of a batch takes none, and tokens before inputs where these were taken', () => {
    assert.deepEqual(after('RuntimeError: batch1 must be a 3D tensor', { made: { h: x, m: { shape: [5, 8] } } }), ['h.rank=2 h.tokens=1']); // prettier-ignore
    const text =
      'RuntimeError: Sizes of tensors must match except in dimension 2. Expected size 1 but got size 6 for tensor number 1 in the list.';
    assert.deepEqual(after(text, { made: { enc_out: { shape: [1, 6, 8] } } })[0], 'enc_out.tokensFirst=true');
    assert.deepEqual(after(text, { made: { x: { shape: [1, 6, 8] } } })[0], 'x.tokens=1');
  });

  it('takes a pair or a tensor for a number, and numbers for ids', () => {
    assert.deepEqual(after("TypeError: 'int' object is not subscriptable", { asked: { size: 2 } }), ['size.is=pair', 'size.is=tensor']);
    assert.deepEqual(after("TypeError: 'int' object is not iterable", { asked: { size: 2 }, choice: { forms: { size: { is: 'pair' } } } }), []);
    const text = 'RuntimeError: expected m1 and m2 to have the same dtype, but got: long long != float';
    assert.deepEqual(after(text, { made: { src: { shape: [1, 5], ids: true }, x } }), ['src.ids=false']);
  }); // prettier-ignore

  it('knows which sizes NumPy does not broadcast, from the last axis on', () => {
    const text = 'ValueError: operands could not be broadcast together with shapes (2,7,8) (9,8) ';
    assert.deepEqual(after(text, { made: { a: { shape: [2, 7, 8] } }, asked: { n: 9 } }), ['a.tokens=9', 'n=7']);
    assert.deepEqual(after(text.replace('(9,8)', '(1,8)'), { made: { a: { shape: [2, 7, 8] } } }), []);
    const core =
      'ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 12 is different from 8)';
    assert.deepEqual(after(core, { made: { a: { shape: [7, 8] } } }), ['a.last=12']);
    const einsum =
      'RuntimeError: einsum(): subscript d has size 12 for operand 1 which does not broadcast with previously seen size 8';
    assert.deepEqual(after(einsum, { made: { a: { shape: [7, 8] } } }), ['a.last=12']);
  });

  it('takes as many tokens as a mask of the whole context has, and a list where Keras’s shapes are taken apart', () => {
    const mask = 'RuntimeError: The shape of the 2D attn_mask is torch.Size([10, 10]), but should be (5, 5).';
    assert.ok(after(mask, { made: { x: { shape: [1, 5], ids: true } } }).includes('x.last=10'));
    const shapes = 'ValueError: too many values to unpack (expected 2)';
    assert.deepEqual(after(shapes, { made: { inputs: { shape: [1, 5, 8] }, other: { shape: [1, 5] } } }), ['inputs.parts=2']); // prettier-ignore
  });

  it('guesses last: ids where the text names them, other axes of all and of each, other forms and kinds of masks, other sizes', () => {
    const list = (text: string, given: Given): readonly string[] => guessedChoices(choiceOf(given), failedOf(text, given)).map(written); // prettier-ignore
    assert.deepEqual(list('IndexError: tensors used as indices must be long', { made: { x: { ...x, open: false } } }), ['x.ids=true']); // prettier-ignore
    assert.deepEqual(list('ValueError', { made: { x, y: x } }), [2, 3, 4, 1].flatMap((rank) => [`x.rank=${rank} y.rank=${rank}`, `x.rank=${rank}`, `y.rank=${rank}`])); // prettier-ignore
    assert.deepEqual(list('ValueError', { made: { mask: { shape: [5, 5], mask: true } } }), [
      ...[3, 4, -1, 1].map((rank) => `mask.rank=${rank}`),
      ...['visible', 'hidden', 'additive', 'whole', 'all', 'none hidden', 'ones'].map((kind) => `mask.mask=${kind}`),
    ]);
    assert.deepEqual(list('ValueError', { asked: { dim: 8 } }), ['dim=4', 'dim=5', 'dim=2', 'dim=1']);
  });
});
