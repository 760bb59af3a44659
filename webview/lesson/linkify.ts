/** Stands in for the package `linkify-it`, which markdown-it makes one of and asks nothing: no lesson has its addresses found (esbuild.mjs). */
export default function Linkify(): void {
  // Nothing is asked of it.
}
