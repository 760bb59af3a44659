/** A bundled worker as text (see the `inline-worker` plugin in esbuild.mjs). */
declare module 'worker:*' {
  const source: string;
  export default source;
}

declare module '*.css';
