import { provideBox, type ReadModel } from '../models';
import { boxModel, modelFile } from '../spec';
import { fail, t, type Result } from '../text';
import { tokenizerFromJson } from '../tokens';
import { readModel } from './model-file';

/** Reads a file of the folder of models: `NAME.safetensors` or a tokenizer. */
export type ReadModelFile = (file: string) => PromiseLike<Uint8Array>;

/**
 * Reads a model of the extension and its tokenizer by name, and makes both known to this thread; at once where they are already. Problems: no such
 * model, a file that is not the pinned one, or one that cannot be read.
 */
export async function readBox(name: string, readFile: ReadModelFile): Promise<Result<ReadModel>> {
  const box = boxModel(name);
  if (!box) return unreadable(t('{0} is no model of this version of the extension', name));
  const files = await bothFiles(modelFile(box), box.tokenizer, readFile);
  if (!files.ok) return files;
  const [bytes, json] = files.value;
  const model = await readModel(bytes, box.sha256);
  if (!model.ok) return model;
  const tokenizer = tokenizerFromJson(new TextDecoder().decode(json));
  if (!tokenizer.ok) return tokenizer;
  const read = { box, model: model.value, tokenizer: tokenizer.value };
  provideBox(read);
  return { ok: true, value: read };
}

async function bothFiles(
  weights: string,
  tokenizer: string,
  readFile: ReadModelFile,
): Promise<Result<readonly [Uint8Array, Uint8Array]>> {
  try {
    return { ok: true, value: await Promise.all([readFile(weights), readFile(tokenizer)]) };
  } catch (error) {
    return unreadable(t('{0} cannot be read: {1}', weights, error instanceof Error ? error.message : String(error)));
  }
}

const unreadable = (message: string) => fail({ code: 'model-file', message, hint: t('Reinstall the extension.') });
