import type { Code } from './mask-use';
import type { AttentionSpec } from '../spec';
import type { Problem } from '../text';
import type { NamedProblem } from './gather';
import type { MatrixRole, ParsedMatrix } from './matrix';
import type { ReadProgram } from './named';
import type { StatedField } from './stated-fields';
import type { Stacked } from './stack-tokens';

/** The matrices of a selection by role, and what else was found. */
export interface SelectionParts {
  readonly text: string;
  /** The selection and the text directly above and below it. */
  readonly code: Code;
  readonly byRole: ReadonlyMap<MatrixRole, ParsedMatrix>;
  readonly tokens: Stacked | undefined;
  readonly others: readonly ParsedMatrix[];
  readonly notes: string[];
  readonly program: ReadProgram;
  /** Why the values of names with these roles are not known. */
  readonly unknown: ReadonlyMap<MatrixRole, NamedProblem>;
}

export interface Assembled {
  readonly spec: AttentionSpec;
  /** How the input was interpreted, one sentence each. */
  readonly notes: readonly string[];
  /** Values of spec fields that the source states, followed or not. Their notes depend on the final spec. */
  readonly said?: readonly StatedField[];
  /** Parts of the selection that the explanation leaves out, each with its range. */
  readonly unfollowed?: readonly Problem[];
  /** The matrices that the spec uses. */
  readonly used: readonly ParsedMatrix[];
}
