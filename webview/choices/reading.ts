/* Display options of the reader, saved with the page. No number depends on them. */

const asked = ['largest', 'sign', 'share'] as const;

/** What a reader entered for a step before its result was shown. */
export interface Guess {
  readonly step: string;
  /** For a number: the index of its cell. Absent for a shape. */
  readonly index?: readonly number[];
  /** What was asked where an answer was chosen: the largest of the row of `index`, whether the number is above zero, or above the even share. */
  readonly asks?: (typeof asked)[number];
  /** The number, shape or choice that was entered. A string, since JSON has no infinities. */
  readonly said: string;
  readonly right: boolean;
}

export interface Reading {
  /** Whether arcs are drawn. If undefined, they are drawn at the weights only. */
  readonly arcs?: boolean;
  /** Results are hidden until the reader has entered one. */
  readonly predict: boolean;
  /** The hash of the spec that `guesses` belong to; another spec discards them. */
  readonly about: string;
  readonly guesses: readonly Guess[];
  readonly score: { readonly right: number; readonly of: number };
  /** Seconds for a step while it plays. */
  readonly pace: number;
  /** Tokens are the columns of what is drawn, not its rows. */
  readonly columns: boolean;
  /** Steps that an unanswered question of a lesson asks for. They are hidden until it is answered. */
  readonly asked: readonly string[];
  /** Groups of controls that are unfolded. */
  readonly unfolded: readonly string[];
  /** Whether the question is shown, rather than a step. */
  readonly opening: boolean;
  /** Whether the input has opened on its question. */
  readonly opened: boolean;
  /** Where the cursor stood in the text when it was asked about. */
  readonly cursor?: number;
}

/** Seconds for each step at half, normal, double and fourfold speed. */
export const paces: readonly number[] = [8, 4, 2, 1];

export const initialReading: Reading = {
  predict: false,
  about: '',
  guesses: [],
  score: { right: 0, of: 0 },
  pace: 4,
  columns: false,
  asked: [],
  unfolded: [],
  opening: false,
  opened: false,
};

/** The saved options. Damaged or missing fields have their initial values. */
export function readingFrom(saved: unknown): Reading {
  const {
    arcs,
    predict,
    about,
    guesses,
    score,
    pace,
    columns,
    asked: withheld,
    unfolded,
    opening,
    opened,
    cursor,
  } = (saved ?? {}) as Partial<Reading>;
  const known = Array.isArray(guesses) && guesses.every(isGuess) && typeof about === 'string';
  return {
    ...(typeof arcs === 'boolean' ? { arcs } : {}),
    predict: predict === true,
    about: known ? about : '',
    guesses: known ? guesses : [],
    score: isCount(score?.right) && isCount(score?.of) ? { right: score.right, of: score.of } : initialReading.score,
    pace: paces.find((p) => p === pace) ?? initialReading.pace,
    columns: columns === true,
    asked: textsIn(withheld),
    unfolded: textsIn(unfolded),
    opening: opening === true,
    opened: opened === true,
    ...(isCount(cursor) ? { cursor } : {}),
  };
}

const textsIn = (saved: unknown): readonly string[] =>
  Array.isArray(saved) ? saved.filter((text) => typeof text === 'string') : [];

const isCount = (x: unknown): x is number => Number.isInteger(x) && (x as number) >= 0;

function isGuess(guess: unknown): guess is Guess {
  const { step, index, asks, said, right } = (guess ?? {}) as Partial<Guess>;
  const placed = index === undefined || (Array.isArray(index) && index.every(isCount));
  return (
    typeof step === 'string' &&
    typeof said === 'string' &&
    typeof right === 'boolean' &&
    placed &&
    (asks === undefined || asked.includes(asks))
  );
}
