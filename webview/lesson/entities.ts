/*
 * Replaces the package `entities` in the bundle (see esbuild.mjs). markdown-it uses two functions of it; its table of named characters takes 77 kB,
 * and the browser has it anyway.
 */

/** The character of an HTML reference `&name;`, or the reference itself if HTML has none. Parsing it as HTML is safe: the pattern admits no `<`. */
export function decodeHTML(reference: string): string {
  if (!/^&[a-z][a-z0-9]*;$/i.test(reference)) return reference;
  const read = new DOMParser().parseFromString(reference, 'text/html').body.textContent;
  // HTML also decodes a prefix of a name (`&ampx;`), Markdown does not.
  return read.endsWith(';') && read !== ';' ? reference : read;
}

export const decodeHTMLStrict = decodeHTML;
