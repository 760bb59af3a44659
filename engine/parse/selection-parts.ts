import type { Code } from './mask-use';
import type { AttentionSpec } from '../spec';
import type { Problem } from '../text';
import type { NamedProblem } from './gather';
import type { MatrixRole, ParsedMatrix } from './matrix';
import type { ReadProgram } from './program/index';
import type { StatedField } from './stated-fields';
import type { Stacked } from './stack-tokens';

/** The matrices of a selection by role, and what else was found. */
export interface SelectionParts {
  readonly text: string;
  /** The same, and what stands right above and below it. */
  readonly code: Code;
  readonly byRole: ReadonlyMap<MatrixRole, ParsedMatrix>;
  readonly tokens: Stacked | undefined;
  readonly others: readonly ParsedMatrix[];
  readonly notes: string[];
  readonly program: ReadProgram;
  /** Why names with these roles are not known. */
  readonly unknown: ReadonlyMap<MatrixRole, NamedProblem>;
}

export interface Assembled {
  readonly spec: AttentionSpec;
  /** What a person should know about how the input was taken: one sentence each. */
  readonly notes: readonly string[];
  /** What the source says of fields of the spec, followed or not: notes that depend on what is computed. */
  readonly said?: readonly StatedField[];
  /** What stands in the selection and is not part of the explanation, each at its place there. */
  readonly unfollowed?: readonly Problem[];
  /** The matrices that the spec was made of. */
  readonly used: readonly ParsedMatrix[];
}
