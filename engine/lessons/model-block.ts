import { providedBox, readsWhole } from '../models';
import { boxModel, boxModels, type AttentionSpec } from '../spec';
import { fail, ok, t, type Problem, type Result } from '../text';

/** The models that blocks of a lesson name in their opening lines, each once: their files are to be read (`readBox`) before the lesson is. */
export function modelsNamed(source: string): readonly string[] {
  const found = new Set(
    [...source.matchAll(/^ {0,3}[`~]{3,}[ \t]*attention[ \t].*$/gm)].flatMap(([line]) => namesIn(line)),
  );
  return boxModels.map(({ name }) => name).filter((name) => found.has(name));
}

const namesIn = (line: string): readonly string[] =>
  [...line.matchAll(/\smodel=([\w-]+)/g)].map(([, name = '']) => name);

/** The name and hash of a model that a block names. */
export function modelField(name: string): Result<{ readonly name: string; readonly sha256: string }> {
  const box = boxModel(name);
  if (box) return ok({ name: box.name, sha256: box.sha256 });
  const message = t('model={0}: unknown', name.slice(0, 80));
  return fail({
    code: 'model-unknown',
    message,
    hint: t('Models: {0}.', boxModels.map((each) => each.name).join(', ')),
  });
}

/** Code of the problem that a model's files have not been read in this thread. */
export const unreadModelCode = 'model-unread';

/** The spec of a block's text as a model reads it. Problems: no text, the model is not read, or it does not know the whole text. */
export function byModel({ start }: AttentionSpec, name: string): Result<AttentionSpec> {
  if (start.from !== 'text')
    return fail({ code: 'model', message: t('model={0}: expected a text in the block', name) });
  const box = providedBox(name);
  return box
    ? readsWhole(box, start.text)
    : fail({ code: unreadModelCode, message: t('{0} has not been read', name) } satisfies Problem);
}

/** Whether a problem is that a block's tokenizer is a file that is not the block's model's. */
export const isOwnTokenizer = ({ model }: AttentionSpec, tokenizer: unknown): boolean =>
  typeof tokenizer === 'object' &&
  tokenizer !== null &&
  'file' in tokenizer &&
  tokenizer.file === boxModel(model?.name ?? '')?.tokenizer;
