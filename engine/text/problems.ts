/** Half-open range of UTF-16 offsets in the text that was read. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Something wrong with what a person gave us: what was found, what was expected, and where.
 * Bad input is always a Problem, never an exception; an exception is our own bug.
 */
export interface Problem {
  /** Stable identifier such as `ragged`, `elided`, `shape-mismatch`. */
  readonly code: string;
  /** Terse, names the value: `K has 3 columns, Q has 4`. */
  readonly message: string;
  /** What would fix it. */
  readonly hint?: string;
  /** Where in the source text. */
  readonly range?: TextRange;
  /** Where in a spec: `projections.wq`. */
  readonly path?: string;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly Problem[] };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (...problems: Problem[]): { ok: false; problems: Problem[] } => ({ ok: false, problems });

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

/** Line and column (both 1-based) of an offset; `\n`, `\r\n` and `\r` end a line, as in an editor. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let i = 0; i < offset && i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) {
      line++;
      lineStart = i + 1;
    }
  }
  return { line, column: Math.min(offset, text.length) - lineStart + 1 };
}
