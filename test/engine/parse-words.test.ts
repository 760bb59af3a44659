// Every word that the reader knows, with what its library or language makes of it.
import assert from 'node:assert/strict';
import type { MatrixFormat, ParsedMatrix } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { assembled, onlyMatrix, refused } from './parse-support';

const list = (text: string): string[] => text.trim().split(/\s+/);
const cross = (modules: string, names: string): string[] => list(modules).flatMap((module) => list(names).map((name) => (module === '-' ? name : `${module}.${name}`))); // prettier-ignore

/** The numbers of a text in which a word stands beside two others. */
function numbersOf(text: string): string {
  const { matrices, problems } = parseMatrices(text);
  return matrices.map(({ values }) => [...values].join()).join() + problems.map(({ code }) => code).join();
}

describe('constants of Python’s libraries', () => {
  // numpy.org 1.24, “Constants”; docs.python.org, math; pytorch.org, torch.inf; jax.numpy and cupy have NumPy's names.
  const infinite = [...cross('np numpy', 'inf Inf Infinity infty PINF'), 'math.inf', 'torch.inf', 'jnp.inf', 'jax.numpy.inf', 'cp.inf', 'jnp.infty', 'tf.experimental.numpy.inf', 'inf', 'Infinity', 'Number.POSITIVE_INFINITY', "float('inf')", 'float("Infinity")']; // prettier-ignore
  const none = [...cross('np numpy', 'nan NaN NAN'), 'math.nan', 'torch.nan', 'jnp.nan', 'cp.nan', 'nan', 'NaN', 'Number.NaN', "float('nan')"]; // prettier-ignore
  const least = ['np.NINF', 'numpy.NINF', '-np.inf', '-math.inf', "float('-inf')", 'Number.NEGATIVE_INFINITY', '-Infinity']; // prettier-ignore
  const one = ['True', 'true', 'np.True_', 'numpy.True_', 'jnp.True_'];
  const zero = ['False', 'false', 'np.False_', 'numpy.False_', 'jnp.False_'];
  const groups: readonly (readonly [string, readonly string[]])[] = [['Infinity', infinite], ['NaN', none], ['-Infinity', least], ['1', one], ['0', zero]]; // prettier-ignore
  for (const [value, words] of groups)
    it(`${words.join(' ')}: ${value}`, () => {
      for (const word of words) assert.equal(numbersOf(`X = [[2, ${word}, 3]]`), `2,${value},3`, word);
    });

  it('are numbers where a type of NumPy or Python is called with one', () => {
    // repr of NumPy 2: np.float64(0.5).
    const types = ['float', 'Number', ...cross('np numpy jnp torch', 'float16 float32 float64 float_ double longdouble bfloat16')]; // prettier-ignore
    for (const type of types) {
      assert.equal(numbersOf(`X = [[2, ${type}(0.5), 3]]`), '2,0.5,3', type);
      assert.equal(numbersOf(`X = [[2, ${type}( -0.5 ), 3]]`), '2,-0.5,3', type);
      assert.equal(numbersOf(`X = [[2, ${type}('inf'), 3]]`), '2,Infinity,3', type);
    }
    assert.equal(numbersOf("X = [[2, float.fromhex('0x1p-1'), 3]]"), '2,0.5,3');
    for (const other of ['np.floating(0.5)', 'np.float64(0.5', 'torch.double_(0.5)', 'float(0.5, 1)'])
      assert.notEqual(numbersOf(`X = [[2, ${other}, 3]]`), '2,0.5,3', other);
  });
});

describe('calls that make a matrix', () => {
  // Each library's own reference: numpy.array, cupy.array, mlx.core.array, torch.tensor, paddle.to_tensor, tf.constant, jax.numpy.array, Float32Array.
  const calls: readonly (readonly [MatrixFormat, readonly string[]])[] = [
    ['numpy', [...cross('np numpy cp cupy', 'array asarray asanyarray ascontiguousarray asfortranarray matrix mat float32 float64'), 'array', 'asarray', 'matrix', 'mx.array', 'mlx.core.array']],
    ['torch', [...cross('torch', 'tensor Tensor as_tensor asarray FloatTensor DoubleTensor HalfTensor LongTensor IntTensor BoolTensor'), ...cross('- nn torch.nn', 'Parameter'), 'tensor', 'paddle.to_tensor']],
    ['tensorflow', [...cross('tf tensorflow', 'constant convert_to_tensor Variable cast'), 'constant']],
    ['jax', [...cross('jnp jax.numpy', 'array asarray'), 'Array', 'DeviceArray']],
  ]; // prettier-ignore
  for (const [format, names] of calls)
    it(`are ${format}’s: ${names.join(' ')}`, () => {
      for (const name of names) {
        const { matrices, problems } = parseMatrices(`X = ${name}([[1, 2], [3, 4]])`);
        assert.deepEqual([matrices.map((m) => [m.name, m.format, m.shape.join('×')]), problems], [[['X', format, '2×2']], []], name); // prettier-ignore
      }
    });

  it('have the type that the call, its argument or its text says', () => {
    const cases: readonly (readonly [string, string | undefined])[] = [
      ['torch.FloatTensor([[1, 2]])', 'float32'], ['torch.DoubleTensor([[1, 2]])', 'float64'], ['torch.HalfTensor([[1, 2]])', 'float16'],
      ['new Float32Array([1, 2])', 'float32'], ['new Float64Array([1, 2])', 'float64'], ['Float32Array.from([1, 2])', 'float32'], ['Float64Array.from([1, 2])', 'float64'],
      ...list('float64 float32 float16 int64 int32 int16 int8 uint8 complex64 complex128 bool_').flatMap((type): [string, string][] => [[`np.array([[1, 2]], dtype=np.${type})`, type], [`np.array([[1, 2]], dtype='${type}')`, type], [`np.array([[1, 2]], np.${type})`, type]]),
      ...list('float64 float32 float16 bfloat16 half double int64 int32 int16 int8 uint8 int long bool').map((type): [string, string] => [`torch.tensor([[1, 2]], dtype=torch.${type})`, type]),
      // Numpy's character codes: f2, f4, f8 with the order of bytes.
      ...(['f2 float16', 'f4 float32', 'f8 float64'] as const).flatMap((pair): [string, string][] => { const [short = '', type = ''] = pair.split(' '); return [[`np.array([[1, 2]], dtype='${short}')`, type], [`np.array([[1, 2]], dtype='<${short}')`, type]]; }),
      ['np.array([[1, 2]], copy=False, dtype=np.float32)', 'float32'], ['torch.tensor([[1, 2]], device="cpu", dtype=torch.float16)', 'float16'],
      ['torch.tensor([[1, 2]], requires_grad=True)', undefined], ['np.array([[1, 2]], order="C")', undefined], ['np.array([[1, 2]], float=3)', undefined],
    ]; // prettier-ignore
    for (const [text, dtype] of cases) assert.equal(onlyMatrix(`X = ${text}`).dtype, dtype, text);
  });
});

describe('names of matrices', () => {
  const roles: readonly (readonly [ParsedMatrix['role'], string])[] = [
    ['q', 'q Q query queries Query self.q model.layer.q q.data'],
    ['k', 'k K key keys Keys'],
    ['v', 'v V value values'],
    ['x', 'x X m M emb embed embedding embeddings input inputs'],
    ['wo', 'wo W_o W_O ao w_output out_proj o_proj c_proj to_output self.out_proj.weight o_proj.kernel'],
    ['bo', 'bo b_o b_output out_proj.bias o_proj.bias'],
    ['mask', 'mask attn_mask attention_mask causal_mask key_padding_mask padding_mask src_mask tgt_mask look_ahead_mask'],
    ...([['q', 'query'], ['k', 'key'], ['v', 'value']] as const).flatMap(([one, long]): (readonly [ParsedMatrix['role'], string])[] => [
      [`w${one}`, `W_${one} w${one} W${one} w_${long} A_${one} a_${long} to_${one} to_${long} weight_${one} weights_${long} ${one}_proj ${long}_proj proj_${one} ${long}_weight ${one}_proj.weight self.attn.${one}_proj.weight ${long}.weight ${one}.kernel layer.${long}.kernel`],
      [`b${one}`, `b_${one} b${one} b_${long} bias_${one} bias_${long} ${one}_bias ${long}_bias ${one}_proj.bias self.${long}.bias w${one}.bias`],
    ]),
    ['bias', 'bias biases'],
    ['xi', 'x_1 x1 X_3 x₃'],
    [undefined, 'foo weightless qq.other.z attn output O Z h hidden_states x_12345'],
  ]; // prettier-ignore
  for (const [role, names] of roles)
    it(`are ${String(role)}: ${names}`, () => {
      for (const name of list(names)) assert.equal(onlyMatrix(`${name} = [[1, 2], [3, 4]]`).role, role, name);
    });

  it('say nothing with the parts that stand for where a parameter is kept', () => {
    for (const part of list('self this model layer attn attention module'))
      assert.equal(onlyMatrix(`${part}.W_q = [[1, 2], [3, 4]]`).role, 'wq', part);
  });

  it('with numbers say scores, weights and the context', () => {
    const from = (text: string): string => assembled(text).spec.start.from;
    const scores = 's S score scores logit logits scaled qk QK qkt dots energy alignment attn_scores attention_scores attn_logits attention_logits scaled_scores raw_scores alignment_scores'; // prettier-ignore
    for (const name of list(scores)) assert.equal(from(`${name} = [[1, 2], [3, 4]]`), 'scores', name);
    const weights = 'A P w attn attention weights attn_weights attention_weights probs attn_probs attention_probs attention_matrix alpha alphas'; // prettier-ignore
    const v = 'V = [[1, 2], [3, 4]]';
    for (const name of list(weights)) assert.equal(from(`${name} = [[0.25, 0.75], [0.5, 0.5]]\n${v}`), 'weights', name);
    const context = 'context memory encoder encoder_output encoder_outputs encoder_hidden encoder_hidden_states encoder_states enc_out enc x_enc x_kv'; // prettier-ignore
    const w = 'W_q = [[1, 0], [0, 2]]\nW_k = [[1, 1], [0, 1]]\nW_v = [[1, 0], [1, 1]]';
    for (const name of list(context)) {
      const { start } = assembled(`X = [[1, 2]]\n${name} = [[1, 2], [3, 4], [5, 6]]\n${w}`).spec;
      assert.deepEqual(start.from === 'x' && start.context, [[1, 2], [3, 4], [5, 6]], name); // prettier-ignore
    }
  });

  it('with sums of rows say weights up to the rounding of four digits', () => {
    // n numbers of four digits are off by n · 0.00005 together; a thousandth is left beside.
    const v = 'V = [[1, 2], [3, 4]]';
    const sums = (x: number): boolean => parseMatrices(`A = [[0.5, ${x}], [0.25, 0.75]]\n${v}`).problems.length === 0 && !`${refusedOrFrom(`A = [[0.5, ${x}], [0.25, 0.75]]\n${v}`)}`.startsWith('V without'); // prettier-ignore
    assert.deepEqual([0.50105, 0.50115, 0.49895, 0.49885].map(sums), [true, false, true, false]); // prettier-ignore
    assert.match(refusedOrFrom(`A = [[1.5, -0.5], [0.25, 0.75]]\n${v}`), /^V without/);
  });
});

function refusedOrFrom(text: string): string {
  try {
    return assembled(text).spec.start.from;
  } catch {
    return refused(text)[0]?.message ?? '';
  }
}

describe('matrices of other sizes', () => {
  const ones = (rows: number, columns: number): string => `[${Array(rows).fill(`[${Array(columns).fill('1.0').join(', ')}]`).join(', ')}]`; // prettier-ignore
  it('are W_o where it takes as many columns as V has, for X·W and for X·Wᵀ', () => {
    // X is 2×3 and d_v 4: W_o is 4×5, or 5×4 where weights stand at the left.
    const named = (sizes: readonly (readonly [string, number, number])[]): string => sizes.map(([name, rows, columns]) => `${name} = ${ones(rows, columns)}`).join('\n'); // prettier-ignore
    const rows = named([['X', 2, 3], ['W_q', 3, 2], ['W_k', 3, 2], ['W_v', 3, 4], ['W_o', 4, 5]]); // prettier-ignore
    const left = named([['X', 2, 3], ['W_q', 2, 3], ['W_k', 2, 3], ['W_v', 4, 3], ['W_o', 5, 4]]); // prettier-ignore
    assert.deepEqual([rows, left].map((text) => assembled(text).spec).map(({ convention, outputProjection }) => [convention, outputProjection?.from]), [['XW', 'given'], ['XWT', 'given']]); // prettier-ignore
    assert.equal(refused(rows.replace(/W_o.*/, `W_o = ${ones(3, 5)}`))[0]?.message, 'W_o is 3×5, the heads side by side have 4 columns'); // prettier-ignore
  });
  it('are queries and keys by their own names where V is broken', () => {
    const text = `query = ${ones(2, 2)}\nkey = ${ones(2, 2)}\nvalue = [[1, 2], [3]]`;
    const said = refused(text).map(({ message, hint }) => `${message} ${hint ?? ''}`).join(); // prettier-ignore
    assert.match(said, /query and key alone lead to the weights: end the selection after line 2 of it\./);
  });
});

describe('names of numbers', () => {
  const qkv = (width: number): string => ['Q', 'K', 'V'].map((name) => `${name} = [[${Array(width).fill('1.0').join(', ')}], [${Array(width).fill('2.0').join(', ')}]]`).join('\n'); // prettier-ignore
  it('are heads', () => {
    for (const name of list('h n_heads num_heads n_head nhead heads nheads self.n_heads'))
      assert.equal(assembled(`${name} = 2\n${qkv(4)}`).spec.heads, 2, name);
    assert.equal(assembled(`heads_count = 2\n${qkv(4)}`).spec.heads, 1);
  });
  it('are d_k', () => {
    const dK = (text: string): unknown => {
      const { start } = assembled(`${text}\nscores = [[1, 2], [3, 4]]`).spec;
      return start.from === 'scores' ? start.dK : undefined;
    };
    for (const name of list('d_k dk d_key d_head head_dim D_k D_q d_q self.d_k')) assert.equal(dK(`${name} = 16`), 16, name); // prettier-ignore
    // Widths are whole numbers from 1 on; the paper's 64 stands in.
    assert.deepEqual(['0', '1', '4096', '4097', '2.5', '-8'].map((x) => dK(`d_k = ${x}`)), [64, 1, 4096, 64, 64, 64]); // prettier-ignore
  });
  it('are the scale', () => {
    // √16 = 4, and 16^(−1/2) = 0.25 that scores are multiplied by: both are √d_k.
    for (const name of list('scale scaling scale_factor self.scale'))
      for (const value of ['4', '0.25', '16 ** 0.5', '16 ** -0.5'])
        assert.equal(assembled(`${name} = ${value}\n${qkv(16)}`).spec.scale, 'sqrt_d_k', `${name} ${value}`);
    assert.equal(assembled(`scale = 1\n${qkv(16)}`).spec.scale, 'none');
    const { notes } = assembled(`scale = 3\n${qkv(16)}`);
    assert.match(notes.join('\n'), /scale = 3 is not used: .*√d_k is 4\./);
  });
  it('are the scale and d_k of heads, whose width is that of one', () => {
    const m = (x: number): string => `[${[1, 2].map((i) => `[${Array(16).fill(`${i * x}.0`).join(', ')}]`).join(', ')}]`; // prettier-ignore
    const heads = ['Q', 'K', 'V'].map((name) => `${name} = [${m(1)}, ${m(3)}]`).join('\n');
    assert.deepEqual(assembled(`scale = 4\n${heads}`).notes.filter((note) => note.includes('scale')), []); // prettier-ignore
    assert.match(assembled(`scale = 3\n${heads}`).notes.join('\n'), /scale = 3 is not used: .*√d_k is 4\./);
    assert.match(assembled(`d_k = 8\n${heads}`).notes.join('\n'), /d_k = 8 is not used: the keys have width 16\./);
  });
  it('are whether later keys are hidden', () => {
    for (const name of list('is_causal causal')) {
      assert.equal(assembled(`${name} = True\n${qkv(2)}`).spec.mask, 'causal', name);
      assert.equal(assembled(`${name} = False\n${qkv(2)}`).spec.mask, 'none', name);
    }
  });
});

// IEEE 754: (2 − 2⁻²³) · 2¹²⁷ and (2 − 2⁻⁵²) · 2¹⁰²³, as NumPy prints np.finfo(…).max of each in float64.
const [FLT_MAX, DBL_MAX] = ['3.4028234663852886e+38', '1.7976931348623157e+308'];

describe('numbers of other languages', () => {
  const of = (text: string): string => {
    const { matrices, problems } = parseMatrices(text);
    return matrices.length ? matrices.map(({ values, dtype }) => `${[...values].join()} ${dtype ?? '-'}`).join() : problems.map(({ code }) => code).join(); // prettier-ignore
  };
  it('have constants', () => {
    // Java's Double, C#'s double and Single, Go's math, Rust's f32, C++'s numeric_limits, Julia's Inf32, C's INFINITY.
    const groups: readonly (readonly [string, string])[] = [
      ['Infinity', 'INFINITY HUGE_VAL HUGE_VALF inf Inf std::numeric_limits<double>::infinity() std::numeric_limits<float>::infinity() Double.POSITIVE_INFINITY Float.POSITIVE_INFINITY double.PositiveInfinity float.PositiveInfinity Single.PositiveInfinity'],
      ['-Infinity', 'Double.NEGATIVE_INFINITY Float.NEGATIVE_INFINITY double.NegativeInfinity float.NegativeInfinity -INFINITY -std::numeric_limits<double>::infinity()'],
      ['NaN', 'NAN NaN nan Double.NaN Float.NaN double.NaN float.NaN std::numeric_limits<double>::quiet_NaN() std::numeric_limits<float>::quiet_NaN() Indeterminate'],
      ['1', 'true TRUE True'], ['0', 'false FALSE False'],
    ]; // prettier-ignore
    for (const [value, words] of groups)
      for (const word of list(words)) assert.equal(of(`double m[1][3] = {{2, ${word}, 3}};`), `2,${value},3 float64`, word); // prettier-ignore
    for (const [word, value] of [
      ['math.Inf(1)', 'Infinity'],
      ['math.Inf(+1)', 'Infinity'],
      ['math.Inf(0)', 'Infinity'],
      ['math.Inf(-1)', '-Infinity'],
      ['math.NaN()', 'NaN'],
    ] as const)
      // prettier-ignore
      assert.equal(of(`m := [][]float64{{2, ${word}, 3}}`), `2,${value},3 float64`, word);
    for (const [type, dtype, most] of [
      ['f32', 'float32', FLT_MAX],
      ['f64', 'float64', DBL_MAX],
    ] as const)
      // prettier-ignore
      for (const path of ['', 'std::', 'core::'])
        for (const [word, value] of [['INFINITY', 'Infinity'], ['NEG_INFINITY', '-Infinity'], ['NAN', 'NaN'], ['MAX', most], ['MIN', `-${most}`]] as const) { // prettier-ignore
          const name = `${path}${type}::${word}`;
          // Its type is that of the whole literal, and brackets without `vec!` are an array.
          assert.equal(of(`let m = vec![vec![2.0, ${name}, 3.0]];`), `2,${value},3 ${dtype}`, name);
          assert.equal(of(`let m = [[2.0, ${name}, 3.0]];`), `2,${value},3 ${dtype}`, name);
          assert.equal(of(`let m = [[${name}, 2.0], [3.0, 4.0]];`), `${value},2,3,4 ${dtype}`, name);
        }
    // The largest numbers: C11 5.2.4.2.2, Java's MAX_VALUE, C#'s MaxValue, Go's math.MaxFloat32, C++'s max() and lowest().
    const largest: readonly (readonly [string, string])[] = [
      [FLT_MAX, 'FLT_MAX std::numeric_limits<float>::max() -std::numeric_limits<float>::lowest() float.MaxValue -float.MinValue Float.MAX_VALUE math.MaxFloat32'],
      [DBL_MAX, 'DBL_MAX std::numeric_limits<double>::max() -std::numeric_limits<double>::lowest() double.MaxValue -double.MinValue Double.MAX_VALUE math.MaxFloat64'],
    ]; // prettier-ignore
    for (const [value, words] of largest)
      for (const word of list(words)) assert.equal(of(`double m[1][3] = {{2, ${word}, 3}};`), `2,${value},3 float64`, word); // prettier-ignore
    // Swift (with and without its type) and Ruby.
    for (const [value, words] of [
      ['Infinity', '.infinity Float.infinity Double.infinity Float32.infinity Float64.infinity Float::INFINITY'],
      ['-Infinity', '-.infinity -Float.infinity -Double.infinity -Float::INFINITY'],
      ['NaN', '.nan Float.nan Double.nan Float::NAN'],
    ] as const)
      for (const word of list(words)) {
        assert.equal(of(`m = [[2, ${word}, 3]]`), `2,${value},3 -`, word);
        assert.equal(of(`m = [[${word}, 2], [3, 4]]`), `${value},2,3,4 -`, word);
      }
    for (const other of ['.infinite', '.nanx', 'Float.nans', 'Float::NANS', 'Float::', '.']) assert.doesNotMatch(of(`m = [[2, ${other}, 3]]`), /^2,/, other); // prettier-ignore
    for (const size of ['16', '32', '64'])
      assert.equal(of(`m = Float64[2 Inf${size} NaN${size}; 1 1 1]`), '2,Infinity,NaN,1,1,1 float64', size);
  });

  it('have suffixes that tell their type', () => {
    // C11 6.4.4.2: f; Java: f, d; C#: f, d, m; C++23: f16, f32, f64, bf16; Rust: f32, f64 also after an underscore.
    const c: readonly (readonly [string, string])[] = [['0.5f', 'float32'], ['0.5F', 'float32'], ['0.5d', 'float64'], ['0.5f16', 'float16'], ['0.5bf16', 'bfloat16'], ['0.5f32', 'float32'], ['0.5f64', 'float64']]; // prettier-ignore
    for (const [x, dtype] of c) assert.equal(of(`auto m = {{${x}, ${x}}, {${x}, ${x}}};`), `0.5,0.5,0.5,0.5 ${dtype}`, x); // prettier-ignore
    for (const x of ['3u', '3U', '3l', '3L', '3ul', '3UL', '3ull', '3LL', '3LLU', '0x3u', '0x3UL'])
      assert.equal(of(`int m[1][2] = {{${x}, 4}};`), '3,4 int32', x);
    for (const [x, dtype] of [
      ['0.5f32', 'float32'],
      ['0.5_f32', 'float32'],
      ['0.5f64', 'float64'],
      ['0.5_f64', 'float64'],
      ['0.5f16', 'float16'],
    ] as const)
      // prettier-ignore
      assert.equal(of(`let m = [[${x}, 2.0], [3.0, 4.0]];`), `0.5,2,3,4 ${dtype}`, x);
    // 010 is eight in C, which is refused; hexadecimal floats have a binary exponent: 0x1.8p1 = 1.5 · 2.
    assert.equal(of('int m[2][2] = {{4, 010}, {3, 4}};'), 'malformed');
    assert.equal(of('double m[1][2] = {{0x1.8p1, 0x1p-2}};'), '3,0.25 float64');
    assert.equal(of("int m[1][2] = {{1'000, 0xFF}};"), '1000,255 int32');
    // 1.5*^-3 of Mathematica is 1.5 · 10⁻³, 2.5` has a mark of precision.
    assert.equal(of('m = {{1.5*^-3, 2.5`}, {3.`20, 4}}'), '0.0015,2.5,3,4 -');
    assert.equal(of('m = Float32[1f0 2.5f-1; 3 4]'), '1,0.25,3,4 float32');
  });

  it('have types of elements', () => {
    const types: readonly (readonly [string, string])[] = [
      ['float32', 'float GLfloat'], ['float64', 'double GLdouble'], ['float16', 'half _Float16 __half'], ['bfloat16', '__nv_bfloat16'], ['bool', 'bool boolean'], ['int8', 'sbyte int8_t char'], ['uint8', 'byte uint8_t'],
      ['int16', 'short int16_t'], ['uint16', 'ushort uint16_t'], ['int32', 'int int32_t'], ['uint32', 'uint unsigned uint32_t'], ['int64', 'long int64_t'], ['uint64', 'ulong uint64_t size_t'], ['decimal', 'decimal'],
    ]; // prettier-ignore
    for (const [dtype, words] of types)
      for (const word of list(words)) assert.equal(of(`${word} m[2][2] = {{1, 2}, {3, 4}};`), `1,2,3,4 ${dtype}`, word);
    for (const type of [
      'Float16',
      'Float32',
      'Float64',
      'Bool',
      'Int8',
      'Int16',
      'Int32',
      'Int64',
      'UInt8',
      'UInt16',
      'UInt32',
      'UInt64',
    ])
      // prettier-ignore
      assert.equal(of(`m = ${type}[1 0; 0 1]`), `1,0,0,1 ${type.toLowerCase()}`, type);
    assert.equal(of('m = Int[1 0; 0 1]'), '1,0,0,1 int64');
    assert.equal(of('m = single([1 2; 3 4])'), '1,2,3,4 float32');
    assert.equal(of('m = double([1 2; 3 4])'), '1,2,3,4 float64');
  });

  it('are not computed where a call moves them', () => {
    for (const call of list(
      'vertcat horzcat vcat hcat hvcat repmat repeat reshape permute permutedims kron blkdiag circshift rot90 flip fliplr flipud tile stack accumarray',
    )) {
      // prettier-ignore
      const { matrices, problems } = parseMatrices(`A = ${call}([1 2; 3 4], 2)`);
      assert.deepEqual([matrices, problems.map(({ code, message }) => `${code} ${message}`)], [[], [`expression ${call}(…) is not computed`]], call); // prettier-ignore
    }
    for (const call of list(
      'sparse full gpuArray dlarray half cast logical Matrix SMatrix MMatrix CuArray collect disp display',
    ))
      // prettier-ignore
      assert.equal(parseMatrices(`A = ${call}([1 2; 3 4])`).matrices[0]?.values.join(), '1,2,3,4', call);
  });

  it('are arrays as R prints them, page by page', () => {
    // By R’s definition: print(array(1:24, c(2, 3, 2, 2))), x[i, j, k, l] = 1 + i + 2j + 6k + 12l, counted from 0.
    const at = (i: number, j: number, k: number, l: number): number => 1 + i + 2 * j + 6 * k + 12 * l;
    const page = (k: number, l: number): string => `     [,1] [,2] [,3]\n${[0, 1].map((i) => `[${i + 1},]${[0, 1, 2].map((j) => String(at(i, j, k, l)).padStart(5)).join('')}`).join('\n')}\n`; // prettier-ignore
    const three = onlyMatrix([0, 1].map((k) => `, , ${k + 1}\n\n${page(k, 0)}`).join('\n'));
    // The last index is the outermost axis, as batch and head are.
    const each = (last: readonly number[]): number[] => last.flatMap((l) => [0, 1].flatMap((k) => [0, 1].flatMap((i) => [0, 1, 2].map((j) => at(i, j, k, l))))); // prettier-ignore
    assert.deepEqual([three.shape, [...three.values]], [[2, 2, 3], each([0])]);
    const four = onlyMatrix([[0, 0], [1, 0], [0, 1], [1, 1]].map(([k = 0, l = 0]) => `, , ${k + 1}, ${l + 1}\n\n${page(k, l)}`).join('\n')); // prettier-ignore
    assert.deepEqual([four.shape, [...four.values]], [[2, 2, 2, 3], each([0, 1])]);
  });
});
