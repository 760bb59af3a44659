import { t, fail, ok, type Paced, type Problem, type Result, type TextRange } from '../text';
import {
  isSettable,
  settingValue,
  withSettings as applySettings,
  type FieldSetting,
  matrixDefaults,
  settableFields,
  textDefaults,
  type AttentionSpec,
  tokenizerName,
  tokenizerOf,
  validateSpec,
} from '../spec';
import { isJson, readingBlockText, type BlockText } from './computed';
import { nearestHint } from './fields';
import { rangeAt, readJson, type LocatedJson } from './json';
import { byModel, isOwnTokenizer, modelField } from './model-block';

/** A field of the spec that the opening line of a block sets: `mask=causal`. */
export interface Setting extends FieldSetting {
  readonly range: TextRange;
}

/** A block `attention`: inputs, and the step and cell to show. */
export interface LessonBlock {
  readonly id: string;
  readonly spec: AttentionSpec;
  /** The step and cell to open. */
  readonly view: { readonly step?: string; readonly cell?: readonly number[] };
  /** Whether variants change the numbers of this block. */
  readonly vary: boolean;
  /** The id of the block whose spec this one modifies. */
  readonly from?: string;
  readonly settings: readonly Setting[];
  /** How the input was interpreted, one sentence each. */
  readonly notes: readonly string[];
  readonly range: TextRange;
  readonly info: TextRange;
}

/** The position of a block in a text. */
export interface Place {
  readonly text: string;
  readonly info: TextRange;
  readonly body: TextRange;
  readonly range: TextRange;
}

interface Info {
  id?: string;
  step?: string;
  cell?: readonly number[];
  vary?: boolean;
  from?: string;
  /** The name of the trained model that reads the block's text. */
  model?: string;
  readonly settings: Setting[];
}

const ownWords = ['id', 'from', 'step', 'cell', 'vary', 'model'];
/** Fields of a spec that the opening line of a block can set. */
export const settingFields: readonly string[] = settableFields;

/** Reads a block. `earlier` are the blocks before it, by id; `id` is its default id. `computed`: see `readingBlockText`. */
export function* readingBlock(
  place: Place,
  id: string,
  earlier: ReadonlyMap<string, LessonBlock>,
  computed: Record<string, BlockText>,
): Paced<Result<LessonBlock>> {
  const info = readInfo(place);
  if (!info.ok) return info;
  const { settings, vary, from, step, cell, model } = info.value;
  const read = from === undefined ? yield* specOf(place, model, settings, computed) : specFrom(place, from, earlier);
  if (!read.ok) return read;
  const changed = withSettings(read.value.spec, settings);
  const problems = changed.ok ? withoutTokens(changed.value) : changed.problems;
  if (!changed.ok || problems.length)
    return fail(...problems.map((p) => withRangeIn(p, settings, read.value.json, place)));
  return ok({
    id: info.value.id ?? id,
    spec: changed.value,
    view: { ...(step === undefined ? {} : { step }), ...(cell ? { cell } : {}) },
    // A trained model means what was measured on its own numbers.
    vary: (vary ?? true) && changed.value.model === undefined,
    ...(from === undefined ? {} : { from }),
    settings,
    notes: read.value.notes,
    range: place.range,
    info: place.info,
  });
}

/** Problems with a tokenizer that needs a vocabulary file: a lesson is one file, so its tokens must follow from its text alone. */
function withoutTokens(spec: AttentionSpec): readonly Problem[] {
  const name = tokenizerOf(spec);
  if (name === undefined || isOwnTokenizer(spec, name)) return [];
  const message = t('start.tokenizer: a lesson takes words, characters or bytes, found {0}', tokenizerName(name));
  return [{ code: 'tokenizer', message, path: 'start.tokenizer' }];
}

/** The spec with the settings of an opening line applied, validated like every spec. */
export const withSettings = (spec: unknown, settings: readonly Setting[]): Result<AttentionSpec> =>
  validateSpec(applySettings(spec, settings));

function readInfo({ text, info }: Place): Result<Info> {
  const out: Info = { settings: [] };
  const problems: Problem[] = [];
  const word = /\S+/g;
  const line = text.slice(info.start, info.end);
  for (let found = word.exec(line); found; found = word.exec(line)) {
    const range = { start: info.start + found.index, end: info.start + word.lastIndex };
    const problem = takeWord(out, found[0], range);
    if (problem) problems.push({ ...problem, range });
  }
  if (out.from !== undefined && out.vary !== undefined)
    problems.push({ code: 'info', message: t('vary with from={0}: it varies as {0} does', out.from), range: info });
  if (out.model !== undefined && out.vary)
    problems.push({
      code: 'info',
      message: t('vary=yes with model={0}: a text that a model reads does not vary', out.model),
      range: info,
    });
  return problems.length ? fail(...problems) : ok(out);
}

/** The value of `from=` in an opening line that is not validated yet. */
export const fromIn = (place: Place): string | undefined => /(?:^|\s)from=([\w-]{1,40})(?!\S)/.exec(lineOf(place))?.[1];
/** The value of `id=` in an opening line that is not validated yet. */
export const idIn = (place: Place): string | undefined => /(?:^|\s)id=([\w-]{1,40})(?!\S)/.exec(lineOf(place))?.[1];
const lineOf = ({ text, info }: Place): string => text.slice(info.start, Math.min(info.end, info.start + 2000));

function takeWord(out: Info, word: string, range: TextRange): Problem | undefined {
  const at = word.indexOf('=');
  const [name, value] = [word.slice(0, at), word.slice(at + 1)];
  const infoProblem = (what: string): Problem => ({
    code: 'info',
    message: t('{0}: expected {1}', word.slice(0, 80), what),
  });
  if (at < 1 || value === '') return infoProblem(t('NAME=VALUE, for example step=weights'));
  switch (name) {
    case 'id':
    case 'from':
      if (!/^[\w-]{1,40}$/.test(value)) return infoProblem(t('letters, digits, _ and -, at most 40'));
      out[name] = value;
      return undefined;
    case 'model':
      return takeModel(out, value, range);
    case 'step':
      out.step = value;
      return undefined;
    case 'cell':
      if (!/^\d{1,6}(,\d{1,6}){1,3}$/.test(value))
        return infoProblem(t('ROW,COLUMN counted from 0, for example cell=2,1'));
      out.cell = value.split(',').map(Number);
      return undefined;
    case 'vary':
      if (value !== 'yes' && value !== 'no') return infoProblem(t('vary=yes or vary=no'));
      out.vary = value === 'yes';
      return undefined;
    default:
      return takeSetting(out, name, value, range);
  }
}

/** A block with inputs of its own is read by the model; one made from another takes another model's weights. */
function takeModel(out: Info, name: string, range: TextRange): Problem | undefined {
  const value = modelField(name);
  if (!value.ok) return value.problems[0];
  out.model = name;
  out.settings.push({ path: 'model', value: value.value, range });
  return undefined;
}

function takeSetting(out: Info, path: string, value: string, range: TextRange): Problem | undefined {
  const [field = ''] = path.split('.');
  const known = [...ownWords, ...settingFields];
  if (!isSettable(path))
    return { code: 'unknown-field', message: t('{0}: unknown', path.slice(0, 80)), hint: nearestHint(field, known) };
  out.settings.push({ path, value: settingValue(value), range });
  return undefined;
}

interface ReadSpec {
  readonly spec: unknown;
  readonly notes: readonly string[];
  readonly json?: LocatedJson;
}

function specFrom(place: Place, from: string, earlier: ReadonlyMap<string, LessonBlock>): Result<ReadSpec> {
  const { text, body, info } = place;
  const base = earlier.get(from);
  const before = [...earlier.keys()].slice(0, 20).join(', ') || t('none');
  if (!base) return fail({ code: 'unknown-block', message: t('no block {0} before this one', from), hint: t('Before it: {0}.', before), range: info }); // prettier-ignore
  if (text.slice(body.start, body.end).trim() !== '')
    return fail({ code: 'info', message: t('from={0} and inputs of its own', from), hint: t('Leave the block empty.'), range: body }); // prettier-ignore
  return ok({ spec: base.spec, notes: [] });
}

function* specOf(
  place: Place,
  model: string | undefined,
  settings: readonly Setting[],
  computed: Record<string, BlockText>,
): Paced<Result<ReadSpec>> {
  const read = yield* writtenSpec(place, computed);
  if (!read.ok || model === undefined) return read;
  const { spec, notes } = read.value;
  const range = settings.find(({ path }) => path === 'model')?.range ?? place.info;
  const learned = byModel(spec as AttentionSpec, model);
  return learned.ok ? ok({ spec: learned.value, notes }) : fail(...learned.problems.map((p) => ({ ...p, range })));
}

function* writtenSpec(place: Place, computed: Record<string, BlockText>): Paced<Result<ReadSpec>> {
  const body = place.text.slice(place.body.start, place.body.end);
  if (isJson(body)) return specOfJson(place);
  const found = yield* readingBlockText(body, computed);
  if (found.ok) return found;
  return fail(...found.problems.map((p) => ({ ...p, range: shiftedRange(p.range, place) })));
}

const shiftedRange = (range: TextRange | undefined, { body }: Place): TextRange =>
  range ? { start: body.start + range.start, end: body.start + range.end } : body;

/** Reads a spec as JSON. Absent fields have the command line's defaults, for text or for matrices. */
function specOfJson({ text, body }: Place): Result<ReadSpec> {
  const json = readJson(text, body);
  if (!json.ok) return json;
  const given = json.value.value as { start?: { from?: unknown } };
  const from = given.start?.from;
  const defaults = from === 'text' || from === 'ids' ? textDefaults : matrixDefaults;
  const start = from === 'text' ? { start: { tokenizer: 'words', ...given.start } } : {};
  return ok({ spec: { ...defaults, ...given, ...start }, notes: [], json: json.value });
}

/** Adds a range to a problem of a spec: that of the setting that caused it, or of the field in the JSON. */
function withRangeIn(p: Problem, settings: readonly Setting[], json: LocatedJson | undefined, place: Place): Problem {
  const path = p.path ?? '';
  const setting = settings.find((s) => path !== '' && (path.startsWith(s.path) || s.path.startsWith(path)));
  const range = setting?.range ?? (json ? rangeAt(json, path, p.code === 'unknown-field') : place.range);
  return { ...p, range };
}
