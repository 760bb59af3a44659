import { t, fail, ok, type Problem, type Result, type TextRange } from '../text';
import type { SpecNumber } from '../spec';
import type { Place } from './block';
import { claim, type Claim } from './claim';
import { cell, digits, expected, filledText, listOf, oneOf, positive, record, tagged, text, whole, type Check, type Fields, type FieldsOf } from './fields'; // prettier-ignore
import { rangeAt, readJson, type LocatedJson } from './json';
import { partFields, quantity, type Quantity } from './quantity';

/** A statement, and what the engine checks it by. */
export interface Option {
  readonly text: string;
  readonly claim: Claim;
}

/** The largest or the smallest cell of a part of a step. */
export interface Extreme {
  readonly step: string;
  readonly take: 'largest' | 'smallest';
  readonly row?: number;
  readonly column?: number;
  readonly head?: number;
}

/** What a question asks, as it is written. Cells, rows and columns count from 0. */
export type Asked =
  /** Which statement is true: exactly one of `options`; or which row or column of `among` has the largest or smallest cell. */
  | { readonly kind: 'choose'; readonly options: readonly Option[] }
  | { readonly kind: 'choose'; readonly among: Extreme }
  | { readonly kind: 'number'; readonly of: Quantity }
  /** The shape of a step: all its dimensions. */
  | { readonly kind: 'shape'; readonly step: string }
  /** Blanked cells of a step. */
  | { readonly kind: 'matrix'; readonly step: string; readonly cells: readonly (readonly number[])[] }
  /** The cell that is largest or smallest; or the one of `claimed` that is not what the step has. */
  | ({ readonly kind: 'pick-cell' } & Extreme)
  | {
      readonly kind: 'pick-cell';
      readonly step: string;
      readonly head?: number;
      readonly claimed: readonly (readonly SpecNumber[])[];
    }
  /** Which statement of an argument is false: exactly one. */
  | { readonly kind: 'find-wrong-step'; readonly steps: readonly Option[] }
  /** Ids of steps, to be put in the order in which they are computed. */
  | { readonly kind: 'order-steps'; readonly steps: readonly string[] };

export type Question = Asked & {
  readonly id: string;
  readonly prompt: string;
  /** The block; by default the one before the question. */
  readonly about?: string;
  /** Digits after the point that are asked for; default 4. */
  readonly digits?: number;
  /** Largest difference that is right; default one unit of the last digit asked for. */
  readonly tolerance?: number;
  readonly hints?: readonly string[];
  readonly explanation?: string;
  readonly range: TextRange;
};

const name = expected(
  () => t('letters, digits, _ and -, at most 40'),
  (v) => typeof v === 'string' && /^[\w-]{1,40}$/.test(v),
);
const option = record({ required: { text: filledText, claim } });
const take = oneOf('largest', 'smallest');
const extreme = record({ required: { step: text, take }, optional: partFields });
const numbers = { digits, tolerance: positive };
const common: Readonly<Record<string, Check>> = {
  id: name, about: name, hints: listOf(filledText), explanation: filledText,
}; // prettier-ignore
const asks = (required: Fields['required'], optional: Fields['required'] = {}): Fields => ({
  required: { prompt: filledText, ...required },
  optional: { ...common, ...optional },
});
const written = expected(
  () => t('a number, "inf", "-inf" or "nan"'),
  (v) => typeof v === 'number' || v === 'inf' || v === '-inf' || v === 'nan' || v === '-0',
);

/** The fields of each kind's block. */
const shapes: Readonly<Record<Asked['kind'], Fields | FieldsOf>> = {
  choose: (given) => ('among' in given ? asks({ among: extreme }, { digits }) : asks({ options: listOf(option, 2) })),
  number: asks({ of: quantity }, numbers),
  shape: asks({ step: text }),
  matrix: asks({ step: text, cells: listOf(cell, 1) }, numbers),
  'pick-cell': (given) =>
    'claimed' in given
      ? asks({ step: text, claimed: listOf(listOf(written, 1), 1) }, { head: whole, tolerance: positive })
      : asks({ step: text, take }, { ...partFields, digits }),
  'find-wrong-step': asks({ steps: listOf(option, 2) }),
  'order-steps': asks({ steps: listOf(text, 2) }),
};
const asked = tagged('kind', shapes);

export const questionKinds = Object.keys(shapes) as readonly Asked['kind'][];

/** The statements of a question, each of which the engine decides. */
export function statementsOf(q: Asked): readonly Option[] {
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
      return [];
  }
}

/** Reads a block `attention-question`; `id` is its name when it gives none, `about` the block before it. */
export function readQuestion({ text: source, body, range }: Place, id: string, about?: string): Result<Question> {
  const json = readJson(source, body);
  if (!json.ok) return json;
  const problems: Problem[] = [];
  asked(json.value.value, '', problems);
  if (problems.length) return fail(...problems.map((p) => locatedIn(json.value, p)));
  const given = json.value.value as Asked & { readonly prompt: string };
  return ok({ id, ...(about === undefined ? {} : { about }), ...given, range });
}

/** A problem with a path in a block's JSON, at its place in the text. */
export function locatedIn(json: LocatedJson, p: Problem): Problem {
  return { ...p, range: rangeAt(json, p.path ?? '', p.code === 'unknown-field') };
}
