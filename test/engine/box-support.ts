import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  boxModel,
  boxModels,
  readBox,
  modelFile,
  modelSpec,
  provideModel,
  readModel,
  tokenizerFromJson,
  withPieces,
  type AttentionSpec,
  type BoxModel,
  type Model,
} from '../../engine/index';

/** Where the models of the extension are, from the repository's root. */
export const modelFolder = 'extension/models/';

const read = new Map<string, Model>();

export const boxOf = (name: string): BoxModel => {
  const found = boxModel(name);
  assert.ok(found, name);
  return found;
};

/** A model, read once and provided to the planner. */
export async function modelOf(box: BoxModel): Promise<Model> {
  const known = read.get(box.name);
  if (known) return known;
  const found = await readModel(readFileSync(modelFolder + modelFile(box)), box.sha256);
  assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.problems));
  provideModel(found.value);
  read.set(box.name, found.value);
  return found.value;
}

/** Reads every model of the extension, for lessons that name them. */
export async function provideModels(): Promise<void> {
  for (const { name } of boxModels) {
    const found = await readBox(name, (file) => Promise.resolve(readFileSync(modelFolder + file)));
    assert.ok(found.ok, found.ok ? '' : JSON.stringify(found.problems));
  }
}

/** The spec of a text as a model reads it. */
export async function textSpec(box: BoxModel, text: string): Promise<AttentionSpec> {
  const model = await modelOf(box);
  const tokenizer = tokenizerFromJson(readFileSync(modelFolder + box.tokenizer, 'utf8'));
  assert.ok(tokenizer.ok, tokenizer.ok ? '' : JSON.stringify(tokenizer.problems));
  const cut = withPieces(modelSpec(model, text, box.tokenizer), tokenizer.value);
  assert.ok(cut.ok, cut.ok ? '' : JSON.stringify(cut.problems));
  return cut.value;
}
