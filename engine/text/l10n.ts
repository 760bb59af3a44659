/** What a message says in the reader's language, by its English text. */
export type Texts = Readonly<Record<string, string>>;

let texts: Texts = {};

/**
 * Chooses the language of every message from now on: the bundle of VS Code's `l10n`, or {} for English. Texts alone: numbers,
 * formulas, ids and the bytes of a trace do not depend on it.
 */
export function useTexts(bundle: Texts): void {
  texts = bundle;
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
  (form === undefined ? undefined : texts[`${english}:${form}`]) ?? texts[english] ?? english;

/**
 * A message in the reader's language. `english` is the key and what is shown without a translation; `{0}`, `{1}`, … are replaced by
 * `values`, which are not translated. As in `vscode.l10n.t`, so that one bundle serves the extension, the page and the engine.
 */
export function t(english: string, ...values: readonly (string | number | undefined)[]): string {
  const text = texts[english] ?? english;
  return values.length === 0
    ? text
    : text.replace(/\{(\d+)\}/g, (hole, i: string) => String(values[Number(i)] ?? hole));
}
