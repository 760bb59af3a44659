import { formatShape, settingFields, type Step, type TextRange } from '../../engine/index';
import { cursorIn, type JsonCursor } from './cursor';
import {
  contextOf,
  blockIds,
  fenceAt,
  infoWordAt,
  stepsAt,
  stepsOf,
  type FenceContext,
  type Fence,
  type InfoWord,
} from './block-at';
import type { Translate } from './read';
import { alternatives, blockRoot, questionRoot, schemasAt, specField, valuesOf, type Located, type Schema } from './schema'; // prettier-ignore

/** One completion. */
export interface Completion {
  readonly label: string;
  /** The text to insert, in VS Code's snippet syntax. */
  readonly insert: string;
  readonly kind: 'field' | 'value' | 'reference';
  readonly detail?: string;
  readonly documentation?: string;
  readonly first: boolean;
}

export interface Completions {
  readonly offers: readonly Completion[];
  /** The range that a completion replaces. */
  readonly range: TextRange;
}

/** The completions at an offset of a lesson. */
export function completionsAt(text: string, at: number, t: Translate): Completions | undefined {
  const fence = fenceAt(text, at);
  if (!fence) return undefined;
  if (at <= fence.info.end) {
    const word = fence.language === 'attention' ? infoWordAt(text, fence, at) : undefined;
    return word && infoCompletions(text, word, fence, t);
  }
  const cursor = at <= fence.body.end ? cursorIn(text, fence.body, at) : undefined;
  if (!cursor) return undefined;
  const root = fence.language === 'attention' ? blockRoot : questionRoot;
  const offers = cursor.what === 'key' ? fieldCompletions(root, cursor) : valueCompletions(root, cursor, contextOf(text, fence), fence);
  return { offers, range: cursor.range };
} // prettier-ignore

function fieldCompletions(root: Located, cursor: JsonCursor): Completion[] {
  const known = cursor.frames.at(-1)?.fields ?? new Map<string, unknown>();
  const offers = new Map<string, Completion>();
  for (const { schema, root: file } of schemasAt(root, cursor.frames, true)) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      // Skips fields that are written already, except the one under the cursor, which may be replaced.
      if (known.has(name) && cursor.word !== `"${name}"`) continue;
      const described = alternatives({ schema: field, root: file });
      const documentation = described[0]?.schema.description;
      offers.set(name, {
        label: name,
        insert: `"${name}": ${placeholder(described)}`,
        kind: 'field',
        ...(documentation === undefined ? {} : { documentation }),
        first: schema.required?.includes(name) ?? false,
      });
    }
  }
  return [...offers.values()];
}

/** A snippet for the beginning of a field's value: quotes, brackets or nothing. */
function placeholder(described: readonly Located[]): string {
  const schemas = described.map((l) => l.schema);
  const is = (type: string) => (s: Schema) => s.type === type;
  if (schemas.some(is('string')) || described.every((l) => typeof valuesOf(l)[0] === 'string')) return '"$1"';
  if (schemas.every((s) => s.items !== undefined || s.type === 'array')) return '[$1]';
  return schemas.some((s) => s.properties) && !schemas.some(is('number')) ? '{ $1 }' : '$1';
}

/** Fields whose value is the id of a step, or a list of such ids. */
const stepFields: readonly unknown[] = ['step', 'of', 'steps'];

function valueCompletions(root: Located, cursor: JsonCursor, around: FenceContext, fence: Fence): Completion[] {
  const frame = cursor.frames.at(-1);
  const name = frame?.list ? cursor.frames.at(-2)?.key : frame?.key;
  const schemas = schemasAt(root, cursor.frames, false);
  const offers = schemas.flatMap((l) => valuesOf(l).map((value) => valueCompletion(value, l.schema)));
  const takesText = schemas.some((l) => l.schema.type === 'string');
  if (fence.language === 'attention-question' && takesText && stepFields.includes(name))
    offers.push(...stepsAt(around, cursor, fence).map(stepCompletion));
  if (name === 'about')
    offers.push(...blockIds(around.lesson, fence.range.start).map((id) => reference(JSON.stringify(id), id)));
  return [...new Map(offers.map((o) => [o.label, o])).values()];
}

const valueCompletion = (value: unknown, { description }: Schema): Completion => ({
  label: String(value),
  insert: JSON.stringify(value),
  kind: 'value',
  ...(description === undefined ? {} : { documentation: description }),
  first: false,
});

const reference = (insert: string, label: string, detail?: string): Completion => ({
  label, insert, kind: 'reference', ...(detail === undefined ? {} : { detail }), first: true,
}); // prettier-ignore

const stepCompletion = (step: Step): Completion => ({
  ...reference(JSON.stringify(step.id), step.id, `${step.words.name} ${formatShape(step.shape)}`),
  documentation: step.words.question,
});

function infoCompletions(text: string, word: InfoWord, fence: Fence, t: Translate): Completions {
  if (word.value !== undefined) {
    const range = { start: word.start + word.name.length + 1, end: word.end };
    return { offers: valuesOfWord(text, word, fence), range };
  }
  const own = Object.entries(ownWords(t)).map(([name, documentation]) => infoCompletion(name, documentation, true));
  const settings = settingFields.map((name) => infoCompletion(name, specField(name)[0]?.schema.description, false));
  return { offers: [...own, ...settings], range: word };
}

const infoCompletion = (name: string, documentation: string | undefined, first: boolean): Completion => ({
  label: `${name}=`,
  insert: `${name}=`,
  kind: 'field',
  ...(documentation === undefined ? {} : { documentation }),
  first,
});

/** Words of an opening line that are not fields of a spec, each with its description. */
export const ownWords = (t: Translate): Readonly<Record<string, string>> => ({
  id: t('The name of the block; default block1, block2, …'),
  from: t('The inputs of a block before this one, which stays empty.'),
  step: t('The step that is opened.'),
  cell: t('The cell that is opened: ROW,COLUMN counted from 0, with several heads HEAD,ROW,COLUMN.'),
  vary: t('no: the same numbers in every variant of a class.'),
});

/** The text with a word blanked out: if half written it would prevent its block from being read. */
const without = (text: string, { start, end }: TextRange): string =>
  text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);

function valuesOfWord(text: string, word: InfoWord, fence: Fence): Completion[] {
  const { name } = word;
  const plain = (value: string, detail?: string): Completion => reference(value, value, detail);
  switch (name) {
    case 'vary':
      return [plain('no'), plain('yes')];
    case 'from': {
      const { blocks } = contextOf(text, fence).lesson;
      return blocks.filter((b) => b.range.start < fence.range.start).map((b) => plain(b.id));
    }
    case 'step': {
      const steps = stepsOf(contextOf(without(text, word), fence).block);
      return steps.map((s) => plain(s.id, `${s.words.name} ${formatShape(s.shape)}`));
    }
    default:
      return specField(name).flatMap((l) => valuesOf(l).map((v) => plain(String(v))));
  }
}
