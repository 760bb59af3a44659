import type { Emit, Model } from './models/model';

/** A part's tokens: columns of what `Emit` takes. */
interface Word {
  readonly ids: number[];
  readonly written: string[];
  readonly from: number[];
  readonly to: number[];
}

/** Parts of at most this many units are remembered, and as many of them as this; then it begins anew. */
const LONGEST = 64;
const MOST = 20_000;

const words = new WeakMap<Model, Map<string, Word>>();

/** The model's tokens of a part, or those that it gave before: words come again, and a model gives the same for the same. */
export function tokenizeWord(model: Model, part: string, emit: Emit): void {
  if (part.length > LONGEST) return model.tokenize(part, emit);
  const { ids, written, from, to } = known(model, part);
  for (let i = 0; i < ids.length; i++) emit(ids[i] as number, written[i] as string, from[i] as number, to[i] as number);
}

function known(model: Model, part: string): Word {
  let memo = words.get(model);
  if (!memo) words.set(model, (memo = new Map<string, Word>()));
  const before = memo.get(part);
  if (before) return before;
  if (memo.size === MOST) memo.clear();
  const word: Word = { ids: [], written: [], from: [], to: [] };
  const own = copied(part);
  model.tokenize(own, (id, written, from, to) => {
    word.ids.push(id);
    word.written.push(written);
    word.from.push(from);
    word.to.push(to);
  });
  memo.set(own, word);
  return word;
}

/** A string with memory of its own: a slice of a text would keep all of the text. */
function copied(part: string): string {
  const units = new Array<number>(part.length);
  for (let i = 0; i < part.length; i++) units[i] = part.charCodeAt(i);
  return String.fromCharCode(...units);
}
