// Names of a program as the reader of programs reads them.
import { finish } from '../../engine/text';
import {
  readingName,
  setNameReader,
  type Above,
  type Meaning,
  type NameAt,
  type NamedValues,
} from '../../engine/parse/index';
import { nameReader, namesOf } from '../../engine/program/index';

setNameReader(nameReader);

export interface Names extends NamedValues {
  readonly meaningOf: (name: string) => Meaning | undefined;
  /** Places to stop. */
  readonly steps: () => number;
}

export function readNames(text: string, above?: Above): Names {
  let steps = 0;
  const work = namesOf(text, above);
  let next = work.next();
  for (; !next.done; next = work.next()) steps++;
  const found = next.value;
  return { ...found, steps: () => steps, meaningOf: (name) => found.names.find((one) => one.name === name)?.meaning };
}

export const nameAt = (text: string, offset: number, above?: Above): NameAt => finish(readingName(text, offset, above));
