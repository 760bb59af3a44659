import { t, fail, ok, type Problem, type Result, type TextRange } from '../text';
import type { SpecNumber } from '../spec';
import type { Place } from './block';
import { claim, type Claim } from './claim';
import { booleanValue, cell, digits, expected, filledText, listOf, oneOf, positive, record, tagged, text, wholeNumber, type Check, type Fields, type FieldsOf } from './fields'; // prettier-ignore
import { rangeAt, readJson, type LocatedJson } from './json';
import { partFields, quantity, type Quantity } from './quantity';

/** Which way of a question was dealt, and which statement stands at each place; 0 is what the lesson has there. */
export interface Dealt {
  readonly way: number;
  readonly statements: readonly number[];
}

/** A statement, and the claim by which the engine checks it. */
export interface Option {
  readonly text: string;
  readonly claim: Claim;
  /** What is said to who chose it wrongly; without it, the numbers and shapes that decide the claim. */
  readonly feedback?: string;
  /** Statements that a variant may have in its place; each is true where this one is. */
  readonly or?: readonly OtherOption[];
}

export interface OtherOption extends Omit<Option, 'or'> {
  /** In place of the question's, where this statement is dealt. */
  readonly explanation?: string;
}

/** The largest or smallest cell in a part of a step. */
export interface Extreme {
  readonly step: string;
  readonly take: 'largest' | 'smallest';
  readonly row?: number;
  readonly column?: number;
  readonly head?: number;
}

/** What a question asks, as it is in the lesson's JSON. Cells, rows and columns count from 0. */
export type QuestionContent =
  /** Which statement of `options` is true (exactly one is), or which row or column of `among` has the largest or smallest cell. */
  | { readonly kind: 'choose'; readonly options: readonly Option[]; readonly several?: false }
  /** Which statements are true: one or more. Of those that are, the share that was chosen counts, less the false ones that were. */
  | { readonly kind: 'choose'; readonly options: readonly Option[]; readonly several: true; readonly partial?: boolean }
  | { readonly kind: 'choose'; readonly among: Extreme }
  | { readonly kind: 'number'; readonly of: Quantity }
  /** The shape of a step: all its dimensions. */
  | { readonly kind: 'shape'; readonly step: string }
  /** Some cells of a step, to be filled in. */
  | {
      readonly kind: 'matrix';
      readonly step: string;
      readonly cells: readonly (readonly number[])[];
      readonly partial?: boolean;
    }
  /** The largest or smallest cell, or the cell of `claimed` that differs from the step's. */
  | ({ readonly kind: 'pick-cell' } & Extreme)
  | {
      readonly kind: 'pick-cell';
      readonly step: string;
      readonly head?: number;
      readonly claimed: readonly (readonly SpecNumber[])[];
    }
  /** Which statement of an argument is false: exactly one. */
  | { readonly kind: 'find-wrong-step'; readonly steps: readonly Option[] }
  /** Ids of steps, to be put into the order of computation. */
  | { readonly kind: 'order-steps'; readonly steps: readonly string[]; readonly partial?: boolean }
  /** A text, which is collected and not marked. */
  | { readonly kind: 'text'; readonly lines?: number };

export type Question = QuestionContent & {
  readonly id: string;
  readonly prompt: string;
  /** The id of a block; by default the last one before the question. */
  readonly about?: string;
  /** What a right answer is worth; default 1. */
  readonly points?: number;
  /** Requested digits after the point; default 4. */
  readonly digits?: number;
  /** Largest difference that counts as right; default one unit of the last requested digit. */
  readonly tolerance?: number;
  readonly hints?: readonly string[];
  readonly explanation?: string;
  /** Whether it is answered before looking: figures and explainer keep back what it is about until a first answer. */
  readonly predict?: boolean;
  /** Other ways to ask it, of which a variant deals one: fields in place of the question's own. */
  readonly or?: readonly Readonly<Record<string, unknown>>[];
  /** In a variant: what was dealt. */
  readonly dealt?: Dealt;
  readonly range: TextRange;
};

const name = expected(
  () => t('letters, digits, _ and -, at most 40'),
  (v) => typeof v === 'string' && /^[\w-]{1,40}$/.test(v),
);
const statement = { text: filledText, claim };
const other = record({ required: statement, optional: { feedback: filledText, explanation: filledText } });
const option = record({ required: statement, optional: { feedback: filledText, or: listOf(other, 1) } });
const take = oneOf('largest', 'smallest');
const extreme = record({ required: { step: text, take }, optional: partFields });
const numbers = { digits, tolerance: positive };
const common: Readonly<Record<string, Check>> = {
  id: name, about: name, hints: listOf(filledText), explanation: filledText, points: positive,
}; // prettier-ignore
const partial = { partial: booleanValue };
const lines = expected(
  () => t('a whole number from 1 to 40'),
  (v) => typeof v === 'number' && Number.isInteger(v) && v >= 1 && v <= 40,
);
/** What is the same in all ways to ask a question. */
const fixed: ReadonlySet<string> = new Set(['id', 'points', 'partial', 'several', 'predict']);
/** Fields that stand in place of the question's own. */
const way = (fields: Readonly<Record<string, Check>>): Check => {
  const own = record({ required: {}, optional: Object.fromEntries(Object.entries(fields).filter(([field]) => !fixed.has(field))) });
  const some = expected(() => t('an object with fields'), (v) => typeof v !== 'object' || v === null || Object.keys(v).length > 0);
  return (value, path, problems) => {
    own(value, path, problems);
    some(value, path, problems);
  };
}; // prettier-ignore
const asks = (required: Fields['required'], optional: Fields['required'] = {}): Fields => {
  const fields = { prompt: filledText, ...required };
  return { required: fields, optional: { ...common, ...optional, or: listOf(way({ ...fields, ...common, ...optional }), 1) } };
}; // prettier-ignore
const written = expected(
  () => t('a number, "inf", "-inf" or "nan"'),
  (v) => typeof v === 'number' || v === 'inf' || v === '-inf' || v === 'nan' || v === '-0',
);

/** The fields of each kind's block. */
const shapes: Readonly<Record<QuestionContent['kind'], Fields | FieldsOf>> = {
  choose: (given) =>
    'among' in given
      ? asks({ among: extreme }, { digits, predict: booleanValue })
      : asks(
          { options: listOf(option, 2) },
          { several: booleanValue, predict: booleanValue, ...(given['several'] === true ? partial : {}) },
        ),
  number: asks({ of: quantity }, numbers),
  shape: asks({ step: text }),
  matrix: asks({ step: text, cells: listOf(cell, 1) }, { ...numbers, ...partial }),
  'pick-cell': (given) =>
    'claimed' in given
      ? asks({ step: text, claimed: listOf(listOf(written, 1), 1) }, { head: wholeNumber, tolerance: positive })
      : asks({ step: text, take }, { ...partFields, digits }),
  'find-wrong-step': asks({ steps: listOf(option, 2) }, { predict: booleanValue }),
  'order-steps': asks({ steps: listOf(text, 2) }, partial),
  text: { required: { prompt: filledText }, optional: { id: name, about: name, hints: listOf(filledText), lines } },
};
const asked = tagged('kind', shapes);

export const questionKinds = Object.keys(shapes) as readonly QuestionContent['kind'][];

/** The statements of a question, each of which the engine decides. */
export function statementsOf(q: QuestionContent): readonly Option[] {
  switch (q.kind) {
    case 'choose':
      return 'options' in q ? q.options : [];
    case 'find-wrong-step':
      return q.steps;
    case 'number':
    case 'shape':
    case 'matrix':
    case 'pick-cell':
    case 'order-steps':
    case 'text':
      return [];
  }
}

/** What a right answer is worth; nothing is, of what is not marked. */
export const pointsOf = (q: Question): number => (q.kind === 'text' ? 0 : (q.points ?? 1));
/** Whether a part of an answer counts. */
export const countsInPart = (q: Question): boolean => !('partial' in q) || q.partial !== false;

/** Reads a block `attention-question`. `id` is its default id, `about` its default block. */
export function readQuestion({ text: source, body, range }: Place, id: string, about?: string): Result<Question> {
  const json = readJson(source, body);
  if (!json.ok) return json;
  const problems: Problem[] = [];
  asked(json.value.value, '', problems);
  if (problems.length) return fail(...problems.map((p) => withRange(json.value, p)));
  const given = json.value.value as QuestionContent & { readonly prompt: string };
  return ok({ id, ...(about === undefined ? {} : { about }), ...given, range });
}

/** Adds to a problem with a path in a block's JSON its range in the text. */
export function withRange(json: LocatedJson, p: Problem): Problem {
  return { ...p, range: rangeAt(json, p.path ?? '', p.code === 'unknown-field') };
}
