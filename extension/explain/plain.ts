import { literalInDocument, textOf, type Input } from '../documents';
import { isData } from './data';

/** Longer selections are not looked at for what they hold beside data. */
const longest = 400_000;

/** Whether an input is what its matrices say, whatever the program around it does: several parts, a literal, lines of them. */
export async function isPlain({ document, parts }: Input): Promise<boolean> {
  const [part, second] = parts;
  if (!part || second || part.end - part.start > longest) return true;
  const text = textOf(document, part);
  if (isData(text)) return true;
  const [start, end] = [part.start + text.length - text.trimStart().length, part.start + text.trimEnd().length];
  const found = await literalInDocument(document, start);
  return found?.ok === true && found.value.named.start <= start && found.value.range.end >= end;
}
