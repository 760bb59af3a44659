// The parts of the engine that are mutated, and the tests that should notice a fault in each. Only this file names folders.

export interface Room {
  /** Files, or folders that end in `/`. */
  readonly files: readonly string[];
  /** Test files, by their paths below test/. */
  readonly tests: RegExp;
  /** A higher limit than `slowest`, for rooms whose important tests take longer. */
  readonly slowest?: number;
}

/** Tests of one field or one group of fields, from what a spec says to the numbers that follow. */
const fields =
  'average-weights|block|box-models|combined-masks|controls-kept|differential|divided-weights|field-limits|fused|local-layers|mask-broadcast|notes|positions|qk-norm|rope-variants|scorings|sinks|t5-buckets|times-weights|value-source|weightings';

export const rooms: Readonly<Record<string, Room>> = {
  planner: {
    files: ['engine/plan/planner/'],
    tests: new RegExp(
      `^engine/(attention|planner|plan-notation|decoder|leading|words|sentence|variants|program-(shown|attention|differential|plan)|${fields})\\.`,
    ),
  },
  cell: {
    files: [
      'engine/explain/cell.ts',
      'engine/explain/terms.ts',
      'engine/explain/later-cells.ts',
      'engine/explain/arithmetic/',
    ],
    // One test recomputes every printed line of many cells, so it takes longer.
    slowest: 8000,
    tests: new RegExp(
      `^engine/(cell|terms|arithmetic|half|lessons-mark|lessons-quantity|leading|sentence|${fields})\\.`,
    ),
  },
  marking: {
    files: ['mark', 'answer', 'answers', 'arithmetic', 'claim', 'facts', 'fill', 'grade', 'quantity', 'remarks'].map(
      (name) => `engine/lessons/${name}.ts`,
    ),
    tests: /^engine\/lessons(-(mark|quantity|report|room|students))?\./,
  },
  parse: {
    files: ['engine/parse/'],
    tests: /^engine\/(parse|tutorial-errors|spec-json|formula-document)(?!.*pace)|^extension\/unit\/hover\./,
  },
  validate: {
    files: ['engine/spec/'],
    tests: new RegExp(
      `^engine/(validate|planner|fields|controls|schema|spec-json|seed|tokens-pieces|decoder|variants|${fields})\\.|^webview/control/switches\\.`,
    ),
  },
  checkpoint: {
    files: ['engine/checkpoint/'],
    // Each pass of the library's models is a test of nearly all of the room.
    slowest: 20_000,
    tests: /^engine\/(checkpoint|cli-model)/,
  },
  tools: { files: ['engine/tools/'], slowest: 8000, tests: /^engine\/tools[.-]/ },
  samples: {
    files: ['engine/program/samples/'],
    tests: /^engine\/program-(samples|elsewhere|found|lines|places|serve|wild)/,
  },
  doctor: {
    files: ['engine/program/doctor/'],
    slowest: 8000,
    tests: /^engine\/(cli-doctor|program-(doctor|nearest|printed|serve|shown|wild))/,
  },
  captures: { files: ['engine/captures/'], slowest: 20_000, tests: /^engine\/captures[.-]/ },
};

/** A test with more CPU time than this (in milliseconds) is left out, because tests are run many times. */
export const slowest = 1000;
