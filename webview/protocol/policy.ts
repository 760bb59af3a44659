/**
 * The page's content security policy: everything is forbidden but what is named here.
 * `cspSource` is `webview.cspSource`, `nonce` a fresh random one for each load.
 */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    // No network at all (fetch, sockets, frames, images, media fall back to this): nothing a reader selects can leave.
    "default-src 'none'",
    // The one bundle, named by its nonce. No eval, no inline handler, no second script. 'wasm-unsafe-eval' lets a worker compile the
    // WebAssembly kernels, which are bytes of the bundle; it allows no JavaScript from text. Where a host refuses it, previews wait for the exact values.
    `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    // The stylesheet beside it. The toolkit tests for CSS grid with one <style> element that carries the nonce of
    // <meta property="csp-nonce">; its components use constructed style sheets, KaTeX the CSSOM: neither needs 'unsafe-inline'.
    `style-src ${cspSource} 'nonce-${nonce}'`,
    // KaTeX's woff2 files, which lie beside the stylesheet.
    `font-src ${cspSource}`,
    // Large inputs compute in a worker started from a blob made of the bundle's own text.
    'worker-src blob:',
    // Not covered by default-src.
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
