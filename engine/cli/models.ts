// Trained models for the command line: their files stand in the package.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBox } from '../files';
import { chooseModel, type ReadModel } from '../models';
import { boxModel, boxModels, type AttentionSpec } from '../spec';
import { fail, ok, t, type Problem, type Result } from '../text';

const folder = (): string => join(__dirname, '..', 'extension', 'models');

/** With `auto`: the word model where it knows every word, else the character model. */
const automatic = ['words-1', 'characters-1'];

/** Why the value of `--model` is none; undefined if it is one. */
export const misnamedModel = (name: string): string | undefined =>
  name === 'auto' || boxModel(name)
    ? undefined
    : t('{0}: none of {1}', `--model ${name}`, ['auto', ...boxModels.map((box) => box.name)].join(', '));

/** The spec of a text as a model reads it. Problems: no model reads this text (with the reason), or its file cannot be read. */
export async function byModel(text: string, name: string): Promise<Result<AttentionSpec>> {
  const models: ReadModel[] = [];
  for (const each of name === 'auto' ? automatic : [name]) {
    const read = await modelOf(each);
    if (!read.ok) return read;
    models.push(read.value);
  }
  const chosen = chooseModel(text, models);
  return 'spec' in chosen ? ok(chosen.spec) : fail({ code: 'model', message: chosen.why } satisfies Problem);
}

/** Reads the model that a spec names, if it is one of the package. */
export async function provideNamed({ model }: AttentionSpec): Promise<readonly Problem[]> {
  if (!model || boxModel(model.name)?.sha256 !== model.sha256) return [];
  const read = await modelOf(model.name);
  return read.ok ? [] : read.problems;
}

const modelOf = (name: string): Promise<Result<ReadModel>> => readBox(name, (file) => readFile(join(folder(), file)));

/** Reads all models, for commands that read lessons: a lesson of the folder may name any of them. */
export const provideAll = (): Promise<unknown> => Promise.all(boxModels.map(({ name }) => modelOf(name)));
