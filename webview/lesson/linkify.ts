/** Replaces the package `linkify-it` in the bundle (see esbuild.mjs). markdown-it constructs one but never calls it, as `linkify` is off. */
export default function Linkify(): void {
  // Needs no members: none is called.
}
