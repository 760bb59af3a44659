/* What VS Code, package.json and what was saved know by name. */

/** Panels that explain, and panels that play a lesson. */
export const viewTypes = { panel: 'explainAttention.panel', lesson: 'explainAttention.lesson' } as const;

/** In the workspace's memento: matrices that were collected, and the texts of our own documents. */
export const savedKeys = { inputs: 'explainAttention.inputs', sheets: 'explainAttention.sheets' } as const;
