/** Resolves after the next frame is painted. */
export const nextFrame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => void setTimeout(done)));
