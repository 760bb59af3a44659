/** What a message says in the reader's language, by its English text. */
export type Texts = Readonly<Record<string, string>>;

let texts: Texts = {};
/** Whether texts of the bundle are under their `packedKey`. */
let isPacked = false;

/** What a key that `packedKey` made begins with. */
const mark = '#';

/**
 * The key of a text in the packaged bundle: its hash (32-bit FNV-1a). The English texts stand in the code already, and would take a quarter of the
 * bundle a second time. Packing refuses two texts with one key.
 */
export function packedKey(english: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < english.length; i++) hash = Math.imul(hash ^ english.charCodeAt(i), 0x01000193);
  return `${mark}${(hash >>> 0).toString(36)}`;
}

const found = (key: string): string | undefined => texts[key] ?? (isPacked ? texts[packedKey(key)] : undefined);

/**
 * Chooses the language of every message from now on: the bundle of VS Code's `l10n`, or {} for English. Texts alone: numbers,
 * formulas, ids and the bytes of a trace do not depend on it.
 */
export function useTexts(bundle: Texts): void {
  texts = bundle;
  isPacked = Object.keys(bundle).some((key) => key.startsWith(mark));
}

/** What `make` says, in English: for what is written for other programs, whatever the reader's language. */
export function inEnglish<T>(make: () => T): T {
  const kept = texts;
  texts = {};
  try {
    return make();
  } finally {
    texts = kept;
  }
}

/** Marks a text that is looked up later: it belongs in the bundles. */
export const textKey = <const T extends string>(english: T): T => english;

/** The text with its places still open; with a `form`, the one that the language has for it (`text:genitive`), else the plain one. */
export const template = (english: string, form?: string): string =>
  (form === undefined ? undefined : found(`${english}:${form}`)) ?? found(english) ?? english;

/**
 * A message in the reader's language. `english` is the key and what is shown without a translation; `{0}`, `{1}`, … are replaced by
 * `values`, which are not translated. As in `vscode.l10n.t`, so that one bundle serves the extension, the page and the engine.
 */
export function t(english: string, ...values: readonly (string | number | undefined)[]): string {
  const text = found(english) ?? english;
  return values.length === 0
    ? text
    : text.replace(/\{(\d+)\}/g, (hole, i: string) => String(values[Number(i)] ?? hole));
}
