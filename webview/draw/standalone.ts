/** Whether the page is one saved file: what its bundle and style came from is in it, and there is no VS Code to ask. */
export const isStandalone = (): boolean => document.getElementById('saved-state') !== null;
