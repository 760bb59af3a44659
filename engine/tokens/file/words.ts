import type { Emit, Model } from './models';

/** The tokens of a part as columns: the arguments of `Emit`. */
interface Word {
  readonly ids: number[];
  readonly written: string[];
  readonly from: number[];
  readonly to: number[];
}

/** Parts up to LONGEST units are cached, at most MOST of them; then the cache is cleared. */
const LONGEST = 64;
const MOST = 20_000;

const words = new WeakMap<Model, Map<string, Word>>();

/** The model's tokens of a part, from the cache if possible: words repeat, and a model is deterministic. */
export function tokenizeWord(model: Model, part: string, emit: Emit): void {
  if (part.length > LONGEST) return model.tokenize(part, emit);
  const { ids, written, from, to } = cachedWord(model, part);
  for (let i = 0; i < ids.length; i++) emit(ids[i] as number, written[i] as string, from[i] as number, to[i] as number);
}

function cachedWord(model: Model, part: string): Word {
  let memo = words.get(model);
  if (!memo) words.set(model, (memo = new Map<string, Word>()));
  const before = memo.get(part);
  if (before) return before;
  if (memo.size === MOST) memo.clear();
  const word: Word = { ids: [], written: [], from: [], to: [] };
  const own = copyOf(part);
  model.tokenize(own, (id, written, from, to) => {
    word.ids.push(id);
    word.written.push(written);
    word.from.push(from);
    word.to.push(to);
  });
  memo.set(own, word);
  return word;
}

/** A copy of the string: a slice would keep the whole text in memory. */
function copyOf(part: string): string {
  const units = new Array<number>(part.length);
  for (let i = 0; i < part.length; i++) units[i] = part.charCodeAt(i);
  return String.fromCharCode(...units);
}
