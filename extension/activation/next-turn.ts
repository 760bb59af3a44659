/** The next turn of the host's thread: other extensions, and what VS Code itself waits for, get theirs before. */
export const nextTurn = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
