import { appliedFunctions } from '../../engine/operations';
import { tensor, type BackendCall, type OperationName, type Tensor } from '../../engine/index';

/** One call of an operation with operands in float32. */
export interface Case {
  readonly name: string;
  readonly call: BackendCall;
  readonly operands: readonly Tensor[];
  /** Calls that the first operand passes on its way, on the GPU too: sources are finite, so −∞ and NaN arise only so. */
  readonly prelude?: readonly { readonly call: BackendCall; readonly more: readonly Tensor[] }[];
}

type Shape = readonly number[];
type Values = (i: number) => number;
const show = (...shapes: Shape[]): string => shapes.map((s) => s.join('×')).join('·');

/** mulberry32: the cases are the same on every run and machine. */
function randomStream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const random = randomStream(20260731);

/** Roughly normal, deviation 1: a sum of three uniforms. */
const normal: Values = () => 2 * (random() + random() + random()) - 3;
const scaled =
  (by: number): Values =>
  (i) =>
    normal(i) * by;
const magnitudes = [1e-39, 1e-20, 1, 1e4, -1e4, 0, -0];
const mixed: Values = (i) => normal(i) * (magnitudes[i % 7] ?? 1);

function fill(shape: Shape, values: Values): Tensor {
  const length = shape.reduce((a, b) => a * b, 1);
  return tensor(
    'float32',
    shape,
    Float32Array.from({ length }, (_, i) => values(i)),
  );
}

const shapes: readonly Shape[] = [
  [1, 1], [1, 7], [7, 1], [2, 2], [3, 5], [17, 31], [31, 5], [63, 63], [64, 64], [65, 65], [128, 128], [1, 1000], [1000, 1],
  [257, 129], [2, 17, 5], [2, 3, 7, 11], [3, 1, 1],
]; // prettier-ignore
const kinds: readonly [string, Values][] = [
  ['mixed', mixed],
  ['tiny', scaled(1e-38)],
  ['large', scaled(1e30)],
];

function elementWise(call: BackendCall, operands: (shape: Shape, values: Values) => readonly Tensor[]): Case[] {
  return [
    ...shapes.map((shape) => ({ name: show(shape), call, operands: operands(shape, normal) })),
    ...kinds.map(([kind, values]) => ({ name: `${kind} 33×65`, call, operands: operands([33, 65], values) })),
  ];
}

/** Every third row of weights hidden, hence NaN: what a fully masked row leaves for the operations after softmax. */
const hiddenRows = (shape: Shape): NonNullable<Case['prelude']> => [
  { call: { op: 'mask', fill: -Infinity }, more: [everyThirdRow(shape)] },
  { call: { op: 'softmax', emptyRow: 'nan' }, more: [] },
];

// --- lookup, add ---------------------------------------------------------------------

function lookupCases(): Case[] {
  const sizes = [[1, 1, 1], [6, 16, 6], [5, 7, 31], [997, 3, 64], [2, 129, 65], [50257, 4, 100]] as const; // prettier-ignore
  return sizes.flatMap(([v, d, n]) => {
    const row = (i: number): number => (i === 0 ? v - 1 : i === 1 ? 0 : Math.floor(random() * v));
    const table = fill([v, d], mixed);
    const ids = fill([n, 1], row);
    // Beside a vocabulary's ids, which no table reaches.
    const beside = fill([n, 2], (i) => (i % 2 === 0 ? v + 100_000 : (ids.data[i >> 1] ?? 0)));
    return [
      { name: `${n} of ${v}×${d}`, call: { op: 'lookup', column: 0 }, operands: [table, ids] },
      { name: `${n} of ${v}×${d}, second column`, call: { op: 'lookup', column: 1 }, operands: [table, beside] },
    ];
  });
}

function addCases(): Case[] {
  const call = { op: 'add' } as const;
  const served: readonly [Shape, Shape][] = [
    [[6, 8], [1, 8]],
    [[17, 31], [31]],
    [[3, 65, 7], [65, 7]],
    [[2, 3, 5, 7], [5, 7]],
    [[2, 3, 5, 7], [3, 5, 7]],
  ]; // prettier-ignore
  return [
    ...elementWise(call, (shape, values) => [fill(shape, values), fill(shape, values)]),
    ...served.map(([a, b]) => ({
      name: `${show(a)} + ${show(b)}`,
      call,
      operands: [fill(a, normal), fill(b, normal)],
    })),
    { name: 'NaN rows', call, operands: [fill([9, 65], normal), fill([1, 65], normal)], prelude: hiddenRows([9, 65]) },
  ];
}

// --- matmul -----------------------------------------------------------------------

function product(a: Shape, b: Shape, transposeB: boolean, kind: string, values: Values): Case {
  const laid = transposeB ? [...b.slice(0, -2), b.at(-1) ?? 0, b.at(-2) ?? 0] : b;
  const name = `${kind} ${show(a, b)}${transposeB ? ' (b transposed)' : ''}`;
  return { name, call: { op: 'matmul', transposeB }, operands: [fill(a, values), fill(laid, values)] };
}

function matmulCases(): Case[] {
  const sizes = [
    [1, 1, 1], [17, 31, 5], [1, 5, 7], [7, 5, 1], [1, 1000, 1], [3, 1000, 2], [13, 1, 11], [6, 8, 6], [6, 7, 6], [5, 15, 5],
    [5, 16, 5], [5, 17, 5], [63, 33, 63], [64, 64, 64], [65, 65, 65], [128, 128, 128], [129, 3, 130], [1, 64, 257], [257, 64, 1],
    [97, 89, 101],
  ] as const; // prettier-ignore
  const extremes: readonly [string, Values][] = [
    ['mixed', mixed],
    ['tiny', scaled(1e-25)],
    ['denormal', scaled(1e-39)],
    ['large', scaled(1e15)],
    ['cancelling', (i) => (i % 2 ? 1e4 : -1e4) * (1 + normal(i) * 1e-6)],
    ['integer', (i) => Math.round(normal(i) * 8)],
  ];
  return [true, false].flatMap((transposeB) => [
    ...sizes.map(([n, k, m]) => product([n, k], [k, m], transposeB, 'normal', normal)),
    ...extremes.map(([kind, values]) => product([33, 70], [70, 66], transposeB, kind, values)),
    product([2, 17, 9], [2, 9, 5], transposeB, 'batch', normal),
    product([2, 3, 65, 7], [2, 3, 7, 66], transposeB, 'batch and head', normal),
    product([5, 17, 9], [9, 70], transposeB, 'one b for all batches', normal),
    { ...product([2, 70, 37], [37, 66], transposeB, 'NaN rows', normal), prelude: hiddenRows([2, 70, 37]) },
  ]);
}

// --- softcap, heads, rope -----------------------------------------------------------

function softcapCases(): Case[] {
  const spread: Values = (i) => normal(i) * 2 ** (((i * 7) % 60) - 40);
  return [50, 30, 1, 0.37].flatMap((cap) => [
    ...elementWise({ op: 'softcap', cap }, (shape, values) => [fill(shape, values)]),
    { name: `2⁻⁴⁰ … 2²⁰, cap ${cap}`, call: { op: 'softcap', cap }, operands: [fill([50, 77], spread)] },
    {
      name: `±${cap}/3 … , cap ${cap}`,
      call: { op: 'softcap', cap },
      operands: [fill([1, 999], (i) => ((i - 499) / 150) * cap)],
    },
  ]);
}

const headSizes = [[1, 1, 1], [2, 6, 8], [3, 5, 7], [8, 65, 4], [5, 1, 33], [1, 130, 3]] as const; // prettier-ignore

const splitCases = (): Case[] =>
  headSizes.map(([h, n, d]) => ({
    name: `${n}×${h}·${d}`,
    call: { op: 'splitHeads', heads: h },
    operands: [fill([n, h * d], mixed)],
  }));

const concatCases = (): Case[] => [
  ...headSizes.map(([h, n, d]) => ({
    name: show([h, n, d]),
    call: { op: 'concatHeads' } as const,
    operands: [fill([h, n, d], mixed)],
  })),
  {
    name: 'NaN rows',
    call: { op: 'concatHeads' },
    operands: [fill([3, 7, 5], normal)],
    prelude: hiddenRows([3, 7, 5]),
  },
];

const repeatCases = (): Case[] =>
  [1, 2, 3].flatMap((times) =>
    headSizes.map(([g, n, d]) => ({
      name: `${times} times ${show([g, n, d])}`,
      call: { op: 'repeatHeads', times } as const,
      operands: [fill([g, n, d], mixed)],
    })),
  );

const ropeSizes = [[1, 2], [6, 8], [7, 6], [65, 64], [2, 5, 4], [2, 3, 17, 10]] as const; // prettier-ignore

function ropeCases(): Case[] {
  return (['interleaved', 'half'] as const).flatMap((layout) => {
    const of = (shape: Shape, kind: string, values: Values, turning = shape.at(-1) ?? 2): Case => {
      const n = shape.at(-2) ?? 1;
      const half = turning / 2;
      const angle = (i: number): number => Math.floor(i / half / 2) / 10 ** (i % half);
      const turns = fill([2 * n, half], (i) => (Math.floor(i / half) % 2 ? Math.sin(angle(i)) : Math.cos(angle(i))));
      const operands = [fill(shape, values), turns];
      return { name: `${kind} ${show(shape)}, ${layout}, ${turning} turn`, call: { op: 'rope', layout }, operands };
    };
    return [
      ...ropeSizes.map((s) => of(s, 'normal', normal)),
      ...kinds.map(([kind, values]) => of([33, 10], kind, values)),
      of([7, 9], 'partial', normal, 4),
      of([2, 3, 5, 10], 'partial', normal, 2),
    ];
  });
}

function bucketCases(): Case[] {
  const of = (name: string, perHead: boolean, buckets: Shape, heads: number): Case => ({
    name: `${name} ${show(buckets)}`,
    call: { op: 'bucketBias', perHead },
    operands: [fill([8, heads], normal), fill(buckets, (i) => (i * 5) % 8)],
  });
  return [
    of('heads', true, [5, 7], 4),
    of('one', false, [6, 6], 1),
    of('inputs', true, [2, 3, 4], 3),
    of('inputs', false, [3, 4, 5], 1),
  ];
}

/** Rows with and without gains. */
function normCases(): Case[] {
  return [1e-6, 0.5, 0].flatMap((epsilon) => {
    const call = { op: 'rmsNorm', epsilon } as const;
    return [
      // Without ε the squares of tiny numbers are 0, and what is divided by their root is no number: such a preview is refused.
      ...(epsilon > 0 ? elementWise(call, (shape, values) => [fill(shape, values)]) : []),
      ...shapes.map((shape) => ({
        name: `gains on ${show(shape)}`,
        call,
        operands: [fill(shape, normal), fill([1, shape.at(-1) ?? 1], normal)],
      })),
    ];
  });
}

/** Rows without gains, with gains, and with gains and biases. */
const layerNormCases = (call: BackendCall): Case[] => [
  ...elementWise(call, (shape, values) => [fill(shape, values)]),
  ...shapes.flatMap((shape) => {
    const row: Shape = [1, shape.at(-1) ?? 1];
    const operands = [fill(shape, normal), fill(row, normal), fill(row, normal)];
    return [2, 3].map((count) => ({
      name: `${count} operands on ${show(shape)}`,
      call,
      operands: operands.slice(0, count),
    }));
  }),
];

// --- mask and softmax --------------------------------------------------------------

const causal = (shape: Shape): Tensor => {
  const [n, m] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  return fill(shape, (i) => (i % m > Math.floor(i / m) % n ? 1 : 0));
};
const everyThirdRow = (shape: Shape): Tensor => fill(shape, (i) => (Math.floor(i / (shape.at(-1) ?? 1)) % 3 ? 0 : 1));
const scattered = (shape: Shape): Tensor => fill(shape, () => (random() < 0.4 ? 1 : 0));
const everything = (shape: Shape): Tensor => fill(shape, () => 1);
const hiders = Object.entries({ causal, 'every third row': everyThirdRow, scattered, everything });
const fills = [-Infinity, -1e9, -3.4028234663852886e38, 0];
const hiddenShapes: readonly Shape[] = [[1, 1], [6, 6], [17, 31], [65, 130], [2, 3, 5, 7]]; // prettier-ignore

/** Every kind of mask, fill and shape; with more than two dimensions also one mask for all matrices. */
function masks<T>(from: (name: string, shape: Shape, hidden: Tensor, fill: number) => T): T[] {
  return fills.flatMap((by) =>
    hiders.flatMap(([kind, hide]) =>
      hiddenShapes.flatMap((shape) => {
        const served = shape.length > 2 ? [shape, shape.slice(-2)] : [shape];
        return served.map((s) => from(`${kind} ${show(s)} on ${show(shape)}, fill ${by}`, shape, hide(s), by));
      }),
    ),
  );
}

const maskCases = (): Case[] =>
  masks((name, shape, hidden, by) => ({
    name,
    call: { op: 'mask', fill: by },
    operands: [fill(shape, mixed), hidden],
  }));

function softmaxCases(): Case[] {
  const call = { op: 'softmax', emptyRow: 'nan' } as const;
  const extremes: readonly [string, Values][] = [
    ['±1e4', (i) => (i % 3 ? 1e4 : -1e4) + normal(i)],
    ['±3e38', (i) => (i % 2 ? 3e38 : -3e38)],
    ['spread over 200', scaled(60)],
    ['equal', () => 0.3],
    ['equal and large', () => 1e20],
    ['denormal', scaled(1e-39)],
    ['mixed', mixed],
  ];
  const plain = [...shapes, [3, 2000]].map((s) => ({ name: show(s), call, operands: [fill(s, normal)] }));
  const extreme = extremes.map(([kind, v]) => ({ name: `${kind} 19×77`, call, operands: [fill([19, 77], v)] }));
  const hidden = (['nan', 'zero'] as const).flatMap((emptyRow) =>
    masks((name, shape, hiding, by): Case => {
      const prelude = [{ call: { op: 'mask', fill: by } as const, more: [hiding] }];
      return {
        name: `${name}, ${emptyRow}`,
        call: { op: 'softmax', emptyRow },
        operands: [fill(shape, scaled(4)), hiding],
        prelude,
      };
    }),
  );
  return [...plain, ...extreme, ...hidden];
}

/** A record by operation: one without cases does not compile, and does not pass. */
export const casesOf: { readonly [O in OperationName]: () => readonly Case[] } = {
  lookup: lookupCases,
  add: addCases,
  matmul: matmulCases,
  divide: () =>
    [Math.sqrt(8), Math.sqrt(7), 1, 3, -0.1, 1e-3, 1e20].flatMap((by) =>
      elementWise({ op: 'divide', by }, (shape, values) => [fill(shape, values)]),
    ),
  softcap: softcapCases,
  splitHeads: splitCases,
  concatHeads: concatCases,
  repeatHeads: repeatCases,
  rmsNorm: normCases,
  rope: ropeCases,
  bucketBias: bucketCases,
  appendSink: () => [
    { name: 'a 0', call: { op: 'appendSink' }, operands: [fill([5, 7], normal)] },
    { name: 'one a head', call: { op: 'appendSink' }, operands: [fill([2, 3, 4, 5], normal), fill([1, 3], normal)] },
  ],
  cut: () => elementWise({ op: 'cut', rows: [0, 1] }, (shape, values) => [fill(shape, values)]),
  mask: maskCases,
  softmax: softmaxCases,
  sigmoid: () => elementWise({ op: 'sigmoid', bias: -Math.log(7) }, (shape, values) => [fill(shape, values)]),
  shareOut: () =>
    elementWise({ op: 'shareOut', emptyRow: 'nan' }, (shape, values) => [
      fill(shape, (i) => Math.abs(values(i)) + 0.1),
    ]),
  anyHidden: () =>
    [1, 2, 3].map((more) => ({
      name: `${more + 1} masks`,
      call: { op: 'anyHidden' },
      operands: [[2, 3, 5, 7], ...Array.from({ length: more }, (_, i) => (i === 1 ? [3, 5, 7] : [5, 7]))].map((shape, at) =>
        fill(shape, (i) => ((i * 7 + at * 3) % 5 === 0 ? 1 : 0)),
      ),
    })), // prettier-ignore
  bands: () =>
    ([['columns', [7, 24], 3, 2, 8, 3], ['rows', [24, 7], 5, 3, 12, 2], ['columns', [1, 30], 10, 10, 30, 1], ['rows', [30, 65], 0, 20, 30, 1]] as const).map(
      ([along, shape, start, size, stride, times]) => ({
        name: `${times} of ${along}`,
        call: { op: 'bands', along, start, size, stride, times },
        operands: [fill(shape, normal)],
      }),
    ), // prettier-ignore
  additiveScores: () =>
    ([[[3, 5], [4, 5], [1, 5]], [[2, 3, 4], [2, 6, 4], [2, 4]], [[2, 3, 7, 11], [2, 3, 5, 11], [3, 11]], [[2, 7, 3], [2, 9, 3], [1, 3]]] as const).map((all) => ({
      name: show(...all),
      call: { op: 'additiveScores' },
      operands: all.map((shape) => fill(shape, normal)),
    })), // prettier-ignore
  averageHeads: () =>
    [[3, 5, 4], [2, 3, 5, 7]].map((shape) => ({
      name: shape.join('×'),
      call: { op: 'averageHeads', heads: 3 },
      operands: [fill(shape, normal)],
    })), // prettier-ignore
  pairFactor: () =>
    [3, 8, 65].map((d) => ({
      name: `4×${d}`,
      call: { op: 'pairFactor', init: 0.2 },
      operands: [fill([4, d], scaled(0.2))],
    })),
  headDifference: () =>
    [[2, 5, 4], [2, 6, 5, 7]].flatMap((shape) => [
      { name: `${show(shape)}, λ given`, call: { op: 'headDifference', by: 0.2 } as const, operands: [fill(shape, normal)] },
      { name: show(shape), call: { op: 'headDifference' } as const, operands: [fill(shape, normal), fill([1, 1], normal)] },
    ]), // prettier-ignore
  identity: () => elementWise({ op: 'identity' }, (shape, values) => [fill(shape, values)]),
  scale: () => elementWise({ op: 'scale', by: 1 / Math.sqrt(8) }, (shape, values) => [fill(shape, values)]),
  // e⁸⁸ is the last that float32 holds; a result beyond it is refused, which is no case of parity.
  exponential: () =>
    elementWise({ op: 'exponential' }, (shape, values) => [fill(shape, (i) => Math.min(80, values(i)))]),
  combine: () =>
    (['−', '×', '÷'] as const).flatMap((sign) =>
      elementWise({ op: 'combine', sign }, (shape, values) => [
        fill(shape, values),
        fill([shape.at(-2) ?? 1, 1], normal),
      ]),
    ),
  reduce: () =>
    (['row', 'column', 'matrix'] as const).flatMap((over) =>
      (['sum', 'max'] as const).flatMap((of) =>
        elementWise({ op: 'reduce', of, over }, (shape, values) => [fill(shape, values)]),
      ),
    ),
  // Away from 0: 1 ÷ 0 is refused, which is no case of parity.
  apply: () =>
    appliedFunctions.flatMap((of) =>
      elementWise({ op: 'apply', of }, (shape, values) => [fill(shape, (i) => (Math.abs(values(i)) % 100) + 0.25)]),
    ),
  layerNorm: () => [1e-5, 0.5].flatMap((epsilon) => layerNormCases({ op: 'layerNorm', epsilon })),
  replaceHeads: () =>
    (
      [
        [0, 'mean', 0],
        ['mean', 1, 2],
        [2, 0, 1],
      ] as const
    ).map((heads) => ({
      name: heads.join(', '),
      call: { op: 'replaceHeads', heads },
      operands: [fill([2, 3, 5, 4], normal)],
    })),
  topK: () => elementWise({ op: 'topK', k: 1000 }, (shape, values) => [fill(shape, values)]),
  join: () =>
    [1, 2].map((axis) => ({
      name: `axis −${axis}`,
      call: { op: 'join', axis },
      operands: [
        fill(axis === 1 ? [2, 3, 4] : [2, 5, 2], mixed),
        fill([2, 3, 2], mixed),
        fill(axis === 1 ? [2, 3, 1] : [2, 1, 2], mixed),
      ],
    })),
  rearrange: () => [
    {
      name: 'turned 3×5',
      call: { op: 'rearrange', shape: [5, 3], strides: [1, 5], offset: 0 },
      operands: [fill([3, 5], mixed)],
    },
    {
      name: 'repeated 1×4',
      call: { op: 'rearrange', shape: [2, 3, 4], strides: [0, 0, 1], offset: 0 },
      operands: [fill([1, 4], mixed)],
    },
  ],
  pick: () => [
    { name: 'reversed', call: { op: 'pick', shape: [2, 2], places: [3, 2, 1, 0] }, operands: [fill([1, 4], mixed)] },
  ],
};
