import { encodingNames, fail, ok, validateSpec, type Problem, type Result } from '../../engine/index';
import { alongActs, pageActions, type HostMessage, type PageMessage } from './messages';
import {
  anyObject,
  count,
  flag,
  isCount,
  isFields,
  list,
  object,
  oneOf,
  test,
  text,
  unexpected,
  type Check,
  type Shape,
} from './shape';

/* Validates messages. Both ends check what they receive. */

/** Validates a message of the host. Never throws; a problem has the path of its field. */
export const parseHostMessage = (value: unknown): Result<HostMessage> => parse<HostMessage>(value, hostMessages);

/** Validates a message of the page. Never throws; a problem has the path of its field. */
export const parsePageMessage = (value: unknown): Result<PageMessage> => parse<PageMessage>(value, pageMessages);

/** Validates a message by the shapes of its union. */
export function parse<M extends { type: string }>(value: unknown, shapes: Record<M['type'], Shape>): Result<M> {
  const problems: Problem[] = [];
  const type = isFields(value) ? value['type'] : undefined;
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type as M['type']] : undefined;
  if (!shape) return fail(unexpected('type', Object.keys(shapes).join(', '), type));
  object(shape)(value, '', problems);
  return problems.length ? fail(...problems) : ok(value as M);
}

const encoding = oneOf(...encodingNames);
/** A name without a folder, so that the page cannot choose where a file is saved. */
const fileName = test('a file name', (v) => typeof v === 'string' && /^[\w-][\w.-]{0,100}$/.test(v));

const spec: Check = (value, path, problems) => {
  const result = validateSpec(value);
  if (!result.ok) problems.push(...result.problems.map((p) => ({ ...p, path: `${path}.${p.path ?? ''}` })));
};

const range = object({ required: { start: count, end: count } });
const source = object({ required: { label: text }, optional: { uri: text, range, textHash: text } });

const locatedProblem = object({
  required: { code: text, message: text },
  optional: { hint: text, range, path: text, line: count, column: count },
});

const fieldValue = test('a word, a number or an object', (v) =>
  typeof v === 'string' || typeof v === 'number' || isFields(v));
/** Spec fields that the source states. Whether they are valid in a spec is checked when the reader chooses them. */
const statedField = object({
  required: {
    change: object({ required: {}, optional: { dtype: text, scale: fieldValue, mask: fieldValue } }),
    otherwise: text,
  },
  optional: { followed: text },
});

/** These checks are exported for explanations and settings that do not come in a message, but from the page's saved state. */

const specNumber = test('a number of a spec', (v) =>
  typeof v === 'number' ? Number.isFinite(v) : ['inf', '-inf', 'nan', '-0'].includes(v as string));
const specNumbers = list(specNumber);

const checked = object({
  required: {
    name: text,
    is: oneOf('step', 'mistake', 'several', 'none'),
    says: text,
    findings: list(object({ required: { lines: list(text), write: list(text) } })),
    rows: test('rows of one length', isRows),
    digits: test('a whole number', (v) => Number.isInteger(v)),
    differs: list(text),
  },
  optional: {
    at: object({
      required: { step: text, form: oneOf('plain', 'transposed', 'averaged') },
      optional: { head: count },
    }),
    isCode: test('true', (v) => v === true),
    right: test('rows of one length', isRows),
    cell: test('[row, column]', (v) => Array.isArray(v) && v.length === 2 && v.every(isCount)),
  },
});

function isRows(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const rows: readonly unknown[] = value;
  const [first] = rows;
  return (
    Array.isArray(first) &&
    first.length > 0 &&
    rows.every((row) => {
      const problems: Problem[] = [];
      specNumbers(row, '', problems);
      return problems.length === 0 && (row as readonly unknown[]).length === first.length;
    })
  );
}

const explained = {
  required: { spec, source, notes: list(text) },
  optional: {
    unfollowed: list(locatedProblem),
    said: list(statedField),
    beside: object({
      required: { spec, notes: list(text), says: text },
      optional: { links: object({ required: { there: text, says: text, back: text } }) },
    }),
    checked,
  },
};
export const checkExplanation: Check = object({
  required: explained.required,
  // What was turned from was not itself turned to.
  optional: { ...explained.optional, turnedFrom: object(explained) },
});
export const checkSettings: Check = object({
  required: { backend: oneOf('auto', 'cpu', 'webgpu'), digits: test('0 to 15', isDigits) },
});
export const checkSourceState: Check = oneOf('fresh', 'stale', 'gone');

function isDigits(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 15;
}

const stepName: Check = test('a short text', (v) => typeof v === 'string' && v.length <= 100);
const cellPlace: Check = test('[row, column]', (v) => Array.isArray(v) && v.length === 2 && v.every(isCount));

/** For a view from any source: a file or a link. */
export const checkView: Check = object({
  required: {},
  optional: {
    step: stepName,
    cell: cellPlace,
    slice: object({ required: { batch: count, head: count } }),
    digits: test('0 to 15', isDigits),
    columns: flag,
    opening: flag,
    cursor: count,
  },
});

const hostMessages: Record<HostMessage['type'], Shape> = {
  explain: {
    required: { explanation: checkExplanation, settings: checkSettings },
    optional: { view: checkView, asked: list(text) },
  },
  asked: { required: { label: text, steps: list(text) } },
  numbers: { required: { of: count, index: count, values: test('numbers', (v) => v instanceof Float64Array) } },
  packed: { required: { of: count, parts: count, message: anyObject } },
  problems: { required: { label: text, problems: list(locatedProblem) } },
  source: { required: { state: checkSourceState }, optional: { label: text } },
  settings: { required: { settings: checkSettings } },
  vocabulary: { required: { encoding, bytes: test('bytes', (v) => v instanceof Uint8Array) } },
  modelFile: { required: { file: text, bytes: test('bytes', (v) => v instanceof Uint8Array) } },
  tokenizerFile: { required: { name: text, text } },
  noTokenizer: { required: { name: text, problems: list(locatedProblem) } },
  goTo: { required: { step: stepName } },
  along: {
    required: {},
    optional: {
      place: object({
        required: { at: count, of: count, says: text, playing: flag, pace: text },
        optional: { excerpt: list(text) },
      }),
    },
  },
  act: { required: { action: oneOf(...pageActions) } },
};

const sentNumbers: Check = (value, path, problems) => {
  if (!(value instanceof Float64Array)) specNumbers(value, path, problems);
};
const rewritten = object({
  required: { role: text, symbol: text, shape: list(count), was: sentNumbers, now: sentNumbers },
});

const pageMessages: Record<PageMessage['type'], Shape> = {
  ready: { required: { restored: flag }, optional: { source } },
  recompute: { required: {} },
  reveal: { required: { start: count, end: count } },
  step: { required: { step: stepName, reveal: flag }, optional: { cell: cellPlace } },
  along: { required: { act: oneOf(...alongActs) } },
  askInput: { required: {} },
  explainAsText: { required: {} },
  vocabulary: { required: { encoding } },
  modelFile: { required: { file: text } },
  chooseTokenizer: { required: {} },
  copy: { required: { text, what: text } },
  open: { required: { language: oneOf('python', 'json'), content: text } },
  link: { required: { spec, view: checkView } },
  noLink: { required: { content: test('bytes', (v) => v instanceof Uint8Array) } },
  writeBack: { required: { textHash: text, matrices: list(rewritten) } },
  savePage: { required: { state: anyObject, theme: object({ required: { classes: text, variables: anyObject } }) } },
  kept: { required: { state: text } },
  save: {
    required: {
      name: fileName,
      content: test('a text or bytes', (v) => typeof v === 'string' || v instanceof Uint8Array),
    },
  },
  log: { required: { level: oneOf('info', 'warn', 'error'), message: text } },
};
