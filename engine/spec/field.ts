import type { Problem, Sentence } from '../text';
import type { RecordOf, Shape } from './kinds';
import type { Limit } from './limits';
import type { Piece, VocabularyName } from './text';

/*
 * What a field of a spec is, said in one place: a field without one of these parts does not compile. `Spec` and `S` are the other fields
 * and switches that it looks at: a declaration names those it needs, and `spec.ts` holds it to all of them.
 */

/** A field whose value has type `T`; `Own` are the switches of the panel that stand for it. */
export interface Field<T, Spec, Own, S> {
  /** One line, for JSON schemas, completions and the terminal's help. */
  readonly describe: () => string;
  /** What it is where nothing is said, for text and for matrices; or that it is then absent, or has to be asked for. */
  readonly initial: { readonly text: T; readonly matrix: T } | 'absent' | 'asked';
  /** `--set` and the opening line of a block, behind the field's name: `=causal`, `.seed=3`. */
  readonly example: string | 'fixed';
  /** What its value may be, beyond its kind. Shapes of matrices are `shapes.ts`'s to compare. */
  readonly limits: ((spec: Spec, problems: Problem[]) => void) | 'none';
  /** Why it changes nothing, by the path that is named; or that it always matters. */
  readonly ignored: Readonly<Record<string, Reason<Spec>>> | 'never';
  /** How a reader changes it; or that only the input can say it. */
  readonly panel: Panel<T, Spec, Own, S> | 'none';
}

/** Why a field changes nothing in a plan; undefined where it does, or asks for nothing. */
export type Reason<Spec> = (spec: Spec, plan: Planned) => Sentence | undefined;

/** What a plan has made of a spec, as far as a field asks. */
export interface Planned {
  readonly has: (step: string) => boolean;
  /** The operation of a step, if there is the step. */
  readonly operation: (step: string) => string | undefined;
  /** Columns of a step. */
  readonly width: (step: string) => number;
  /** Whether a step draws random numbers. */
  readonly draws: boolean;
  /** Whether weights or biases are among them. */
  readonly drawsWeights: boolean;
  /** Whether there are keys, and values. */
  readonly branches: Readonly<Partial<Record<'q' | 'k' | 'v', string>>>;
  /** `the walk starts at X`: why what comes before is not computed. */
  readonly begins: Sentence;
}

export interface Panel<T, Spec, Own, S> {
  /** The switches as a spec has them. They are saved with a page: their names stay. */
  readonly read: (spec: Spec) => Own;
  /** The field with a reader's switches, undefined where it is absent then. `spec` is the input as it came: what it gave stays its own. */
  readonly write: (spec: Spec, switches: S, cuts: readonly CutText[]) => T | undefined;
  readonly controls: readonly Control<Spec, S>[];
}

/** What a vocabulary made of the text: going back to it needs no vocabulary. */
export interface CutText {
  readonly tokenizer: VocabularyName;
  readonly pieces: readonly Piece[];
}

/** The groups of the panel's sheet, in their order. */
export type GroupId = 'tokens' | 'input' | 'projections' | 'heads' | 'scores' | 'block' | 'numbers';

interface Common<Spec, S> {
  readonly id: string;
  readonly group: GroupId;
  /** Those of a group with 1 stand behind those without: in each the order is that of the fields. */
  readonly order?: 1;
  readonly label: () => string;
  /** One line: what it does. */
  readonly explain: () => string;
  /** Where in a spec a problem of its value lies. */
  readonly paths: readonly string[];
  /** Whether it means anything for this input with these switches. */
  readonly applies: (spec: Spec, switches: S) => boolean;
  /** What it does as it is set: in place of `explain`. */
  readonly explainChoice?: (switches: S) => string;
  /** Why it cannot be changed just now: shown in place of the explanation. */
  readonly locked?: (spec: Spec, switches: S) => string | undefined;
  /** The switch that it is a part of, where several controls change one: it is changed where the switch is. */
  readonly part?: keyof S & string;
  readonly get: (switches: S) => string;
  /** What a folded group says of it, from the choice's text or the number: empty where it says nothing. Else that text. */
  readonly brief?: (text: string, switches: S) => string;
}

export interface Choice<Spec, S> extends Common<Spec, S> {
  readonly kind: 'choice';
  /** `files`: tokenizer files that are known by name. */
  readonly options: (spec: Spec, files: readonly string[], switches: S) => readonly Option[];
  /** A choice that is none yet: it opens a dialog of the host's. */
  readonly opens?: string;
  /** The switches that change. `spec` is the input as it came: `given` goes back to what it gave. */
  readonly set: (switches: S, value: string, spec: Spec) => Partial<S>;
}

export interface Option {
  readonly value: string;
  readonly text: string;
}

export interface Quantity<Spec, S> extends Common<Spec, S> {
  readonly kind: 'number';
  readonly limit: Limit;
  readonly set: (switches: S, value: number) => Partial<S>;
}

export type Control<Spec, S> = Choice<Spec, S> | Quantity<Spec, S>;

/** The declarations of a group of fields: of each that its shape has, and of no other. `Own` are the switches of each. */
export type Fields<G extends Shape, Spec, Own, S> = {
  readonly [F in keyof RecordOf<G>]-?: Field<
    Exclude<RecordOf<G>[F], undefined>,
    Spec,
    F extends keyof Own ? Own[F] : Readonly<Record<never, never>>,
    S
  >;
};

/** A field that has a default of one kind, whatever the start. */
export const both = <T>(value: T): { readonly text: T; readonly matrix: T } => ({ text: value, matrix: value });

export const listed = (options: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(options).map(([value, text]) => ({ value, text }));

/** A matrix that came with the input is one more choice, under this value. */
export const given = 'given';
export const nameOf = (value: string | object): string => (typeof value === 'object' ? given : value);
