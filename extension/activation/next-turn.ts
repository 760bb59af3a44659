/** Resolves in the next turn of the event loop: other extensions and VS Code itself run first. */
export const nextTurn = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
