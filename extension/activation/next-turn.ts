/** Resolves in a later task of the event loop, so that other extensions and VS Code itself run first. */
export const nextTurn = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
