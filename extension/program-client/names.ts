import * as vscode from 'vscode';
import type { NameReader, Paced, Questions } from '../../engine/index';
import type { ProgramClient } from './client';

/** Answers that are kept: what was read with places to stop may be asked for again where nobody can wait. */
const most = 16;

/** Lets texts be read with what their code computes, by the process that reads programs. */
export function createNameReader(programs: Pick<ProgramClient, 'ask'>): NameReader {
  const known = new Map<string, { readonly answer: unknown }>();
  /** What a selection computes is its own: files of the workspace take no part. */
  const nowhere = vscode.Uri.parse('untitled:selection');
  const keep = (key: string, answer: unknown): void => {
    known.delete(key);
    known.set(key, { answer });
    for (const old of [...known.keys()].slice(0, -most)) known.delete(old);
  };
  function* asked<K extends 'names' | 'name'>(
    kind: K,
    question: Omit<Questions[K]['asked'], 'files'>,
  ): Paced<Questions[K]['answer'] | undefined> {
    const key = JSON.stringify([kind, question]);
    if (!known.has(key))
      yield programs
        .ask(kind, question, nowhere)
        .then((reply) => reply && 'answer' in reply && keep(key, reply.answer));
    return known.get(key)?.answer as Questions[K]['answer'] | undefined;
  }
  return {
    namesOf: (text, above) => asked('names', { text, ...(above ? { above } : {}) }),
    nameAt: (text, offset, above) => asked('name', { text, offset, ...(above ? { above } : {}) }),
  };
}
