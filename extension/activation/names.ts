/* Names that VS Code, package.json and saved states refer to. */

/** The types of our webview panels: those that explain, and those that play a lesson. */
export const viewTypes = { panel: 'explainAttention.panel', lesson: 'explainAttention.lesson' } as const;

/** Keys in the workspace's memento: collected matrices, and the texts of our virtual documents. */
export const savedKeys = { inputs: 'explainAttention.inputs', sheets: 'explainAttention.sheets' } as const;
