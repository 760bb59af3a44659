import { t } from '../../engine/index';

/** All texts of the lesson's page, apart from those of the lesson, in the reader’s language. */
export const words = {
  previous: t('Previous'),
  next: t('Next'),
  pageOf: (page: number, count: number): string => t('Page {0} of {1}', page, count),
  slideOf: (slide: number, count: number): string => t('{0} of {1}', slide, count),
  pages: t('Pages'),
  answered: (right: number, count: number): string => t('{0} of {1} right', right, count),
  present: t('Present'),
  leave: t('Leave the presentation'),
  notes: t('Notes'),
  note: t('Note for the teacher'),
  print: t('Print'),
  save: t('Save as a web page…'),
  saveShort: t('Save'),
  reset: t('Reset'),
  wasReset: t('All answers in this lesson were reset.'),
  undo: t('Undo'),
  handIn: t('Hand In'),
  handInName: t('Your name or id'),
  handInAs: t('Save the results file'),
  handInHint: (open: number): string => (open === 0 ? '' : open === 1 ? t('1 question is open.') : t('{0} questions are open.', open)),
  loading: t('The lesson is being read…'),
  empty: t('This lesson is empty.'),
  problems: (count: number): string => (count === 1 ? t('This lesson has a problem:') : t('This lesson has {0} problems:', count)),
  more: (count: number): string => t('{0} more', count),
  at: (line: number, column: number): string => t('line {0}, column {1}', line, column),
  question: (number: number): string => t('Question {0}', number),
  check: t('Check'),
  tryAgain: t('Check again'),
  hint: (number: number, count: number): string => t('Hint {0} of {1}', number, count),
  reveal: t('Show the answer'),
  predictFirst: t('Give an answer of your own first.'),
  answer: t('Answer'),
  arithmetic: t('How it is computed'),
  verdicts: { right: t('Right.'), partial: t('Partly right.'), wrong: t('Not right.'), unanswered: t('No answer yet.'), unreadable: t('Cannot be read.') },
  tolerance,
  statements: t('Statements'),
  number: t('Your number'),
  notANumber: (text: string): string => t('“{0}” is not a number.', text),
  nothing: t('Enter an answer first.'),
  shape: t('Your shape, for example 3×4'),
  notAShape: (text: string): string => t('“{0}” is not a shape. Enter whole numbers separated by ×, for example 3×4.', text),
  cell: (symbol: string, row: string, column: string, head?: number): string => head === undefined ? t('{0}, row {1}, column {2}', symbol, row, column) : t('{0}, head {1}, row {2}, column {3}', symbol, head, row, column),
  pickACell: t('Pick a cell.'),
  picked: (cell: string): string => t('Picked: {0}', cell),
  head: (head: number): string => t('head {0}', head),
  order: t('Steps, first on top'),
  up: (step: string): string => t('{0} up', step),
  down: (step: string): string => t('{0} down', step),
  position: (step: string, place: number, count: number): string => t('{0} is number {1} of {2}', step, place, count),
  step: t('Step'),
  show: t('Show in the explainer'),
  window: (shown: string, all: string): string => t('{0} of {1} shown', shown, all),
  pickForArithmetic: t('Pick a cell to see how it is computed.'),
  kept: t('A question asks for this cell. Answer it first.'),
  keptInExam: t('A question asks for this, or it follows from what one asks for.'),
  exam: t('Exam: nothing says what is right.'),
  keep: t('Keep the answer'),
  keptAnswer: (times: number): string => times === 1 ? t('Kept, as attempt 1.') : t('Kept, as attempt {0}.', times),
  answeredOf: (count: number, of: number): string => t('{0} of {1} answered', count, of),
  keptShape: t('A question asks for this shape. Answer it first.'),
} as const; // prettier-ignore

/** `2 digits after the point, ±0.005` */
function tolerance(digits: number, within: string): string {
  if (digits === 0 && within === '0.5') return t('A whole number');
  if (digits === 0) return t('No digits after the point, ±{0}', within);
  return digits === 1
    ? t('1 digit after the point, ±{0}', within)
    : t('{0} digits after the point, ±{1}', digits, within);
}
