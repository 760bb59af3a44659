/** Globals beyond engine/platform.d.ts that both extension hosts have: Node's and the browser's worker. */
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
declare function btoa(binary: string): string;
declare function atob(base64: string): string;
/** What `setTimeout` gave. */
declare function clearTimeout(timer: unknown): void;
/** Exists in our own bundle only, for extension.ts: esbuild.mjs replaces it. */
declare function require(path: './late'): unknown;
