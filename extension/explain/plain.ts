import { literalInDocument, textOf, type Input } from '../documents';
import { isData } from './data';

/** Longest selection that is checked, in UTF-16 units. */
const longestSelection = 400_000;

/** Whether an input is explained by its matrices, regardless of the program around it: several parts, a literal, or nothing but matrices. */
export async function isPlain({ document, parts }: Input): Promise<boolean> {
  const [part, second] = parts;
  if (!part || second || part.end - part.start > longestSelection) return true;
  const text = textOf(document, part);
  if (isData(text)) return true;
  const [start, end] = [part.start + text.length - text.trimStart().length, part.start + text.trimEnd().length];
  const found = await literalInDocument(document, start);
  return found?.ok === true && found.value.named.start <= start && found.value.range.end >= end;
}
