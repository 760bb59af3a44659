/** Whether this is a saved page: a single file that contains its bundle and styles, without VS Code. */
export const isStandalone = (): boolean => document.getElementById('saved-state') !== null;
