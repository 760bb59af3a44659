/*
 * Stands in for the package `entities`, of which markdown-it wants two functions (esbuild.mjs): 77 kB of names of characters, all of which
 * the browser knows.
 */

/** `&name;` as the character that HTML has for it, else as it is. Nothing of the text becomes an element: it has no `<`. */
export function decodeHTML(reference: string): string {
  if (!/^&[a-z][a-z0-9]*;$/i.test(reference)) return reference;
  const read = new DOMParser().parseFromString(reference, 'text/html').body.textContent;
  // HTML also reads the beginning of a name (`&ampx;`); Markdown does not.
  return read.endsWith(';') && read !== ';' ? reference : read;
}

export const decodeHTMLStrict = decodeHTML;
