// Mutants that no test can notice, with the reason. A mutant is known by its file, the line it stands on, and the change.

export interface Equivalent {
  readonly file: string;
  /** The whole line, without the blanks around it. */
  readonly source: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [];
