/** What is used of py-ast. Its own types leave constants without one (`any`); `tree.ts` says what comes back. */
declare module 'py-ast' {
  export function parse(text: string): unknown;
}
