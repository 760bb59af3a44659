/** After the next frame is on the screen. */
export const nextFrame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => void setTimeout(done)));
