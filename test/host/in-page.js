// Runs in every frame before anything else (as a file, because functions compiled from TypeScript call a helper that
// pages do not have; that helper is given to them here, so that tests may pass functions to `evaluate`).
globalThis.__name ??= (target) => target;

{
  const report = ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
    globalThis.__explainAttentionCsp?.(`${effectiveDirective} blocked ${blockedURI} (${sourceFile}:${lineNumber})`);
  };
  document.addEventListener('securitypolicyviolation', report);
  // `document.open()`, by which VS Code fills a webview, removes all listeners: put ours back.
  const open = Document.prototype.open;
  Document.prototype.open = function (...args) {
    const opened = open.apply(this, args);
    this.addEventListener('securitypolicyviolation', report);
    return opened;
  };
}
