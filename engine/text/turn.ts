/** The next turn of this thread's event loop: messages, cancellations and other work that came meanwhile get theirs before. */
export const nextTurn = (): Promise<void> => new Promise((done) => void setTimeout(done));
