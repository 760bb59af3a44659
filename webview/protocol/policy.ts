/**
 * The page's content security policy: everything that is not named here is blocked. `cspSource` is `webview.cspSource`; `nonce` must be random and
 * new for each load.
 */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    // No network (fetch, sockets, frames, images and media fall back to this): nothing that a reader selects can be sent anywhere.
    "default-src 'none'",
    // Only the bundle, identified by the nonce. No eval, inline handlers or further scripts. 'wasm-unsafe-eval' lets a worker compile the
    // WebAssembly kernels, which are bytes in the bundle; it does not allow JavaScript from text. If a host refuses it there are no previews, only
    // exact values.
    `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    // Only the stylesheet next to the bundle. The toolkit tests for CSS grid with one <style> element that has the nonce of <meta
    // property="csp-nonce">; its components use constructed style sheets, and KaTeX uses the CSSOM. So 'unsafe-inline' is not needed.
    `style-src ${cspSource} 'nonce-${nonce}'`,
    // KaTeX's woff2 files, next to the stylesheet.
    `font-src ${cspSource}`,
    // Large inputs are computed in a worker that is started from a blob with the bundle's own text.
    'worker-src blob:',
    // default-src does not cover these.
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
