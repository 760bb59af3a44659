/** Beyond engine/platform.d.ts, what both extension hosts (Node and the browser's worker) offer. */
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
declare function btoa(binary: string): string;
declare function atob(base64: string): string;
/** Of our own bundle only (extension.ts): esbuild.mjs puts something in its place. */
declare function require(path: './late'): unknown;
