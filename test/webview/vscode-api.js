globalThis.playVsCode = ({ variables, state }) => {
  // VS Code's part, as far as the page can tell: its API, its variables, its saved state (kept by a reload).
  const kept = sessionStorage.getItem('state');
  const played = { messages: [], state: kept === null ? (state ?? undefined) : JSON.parse(kept) };
  // The root element does not exist yet.
  new MutationObserver((_, observer) => {
    observer.disconnect();
    for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
  }).observe(document, { childList: true });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    console.error(`violation of ${violatedDirective}: ${blockedURI} ${sample}`),
  );
  window.played = played;
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => void played.messages.push(structuredClone(message)),
    getState: () => played.state,
    setState: (next) => {
      played.state = structuredClone(next);
      sessionStorage.setItem('state', JSON.stringify(next));
    },
  });
};
