// Which parts of the engine are mutated, and by which tests a fault in them should be noticed. The one place that names folders.

export interface Room {
  /** Files, or folders that end in `/`. */
  readonly files: readonly string[];
  readonly except?: readonly string[];
  /** Test files, by their paths below test/. */
  readonly tests: RegExp;
}

export const rooms: Readonly<Record<string, Room>> = {
  planner: {
    files: ['engine/plan/planner.ts', 'engine/plan/planner/'],
    tests:
      /^engine\/(attention|planner|variants|notes|properties|odd|decoder|leading|mask-broadcast|words|sentence|budget)\./,
  },
  cell: {
    files: [
      'engine/explain/cell.ts',
      'engine/explain/terms.ts',
      'engine/explain/onward.ts',
      'engine/explain/arithmetic/',
    ],
    tests: /^engine\/(cell|arithmetic|terms|leading|lessons|lessons-mark|sentence|properties|decoder|odd)\./,
  },
  marking: {
    files: ['mark', 'answer', 'answers', 'arithmetic', 'claim', 'facts', 'fill', 'grade', 'quantity', 'remarks'].map(
      (name) => `engine/lessons/${name}.ts`,
    ),
    tests: /^engine\/lessons/,
  },
  parse: {
    files: ['engine/parse/'],
    except: ['engine/parse/program/'],
    tests: /^engine\/(parse|tutorial-errors|spec-json)/,
  },
  validate: {
    files: ['engine/spec/'],
    tests:
      /^(attention|validate|variants|notes|fields|schema|spec-json|leading|mask-broadcast|odd|budget|properties|lessons-schema|parse-assemble|seed|decoder)\.|^webview\/control\/switches\./,
  },
};

/** Tests are run again and again: one that took longer than this many milliseconds of the processor is left out. */
export const slowest = 1000;
