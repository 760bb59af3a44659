/* Names that VS Code, package.json and saved states refer to. */

/** Keys of the workspace's memento: matrices collected from hovers, and the texts of our virtual documents. */
export const viewTypes = {
  panel: 'explainAttention.panel',
  lesson: 'explainAttention.lesson',
  model: 'explainAttention.model',
  capture: 'explainAttention.capture',
} as const;

/** The renderer of explain(…)'s outputs in notebooks, as package.json names it. */
export const outputRenderer = 'explain-attention.output';

/** Keys of the memento of all windows: whether a window was ever opened with this extension, and whether any of its commands was ever run. */
export const lastingKeys = { started: 'explainAttention.started', used: 'explainAttention.used' } as const;

/** Keys in the workspace's memento: collected matrices, and the texts of our virtual documents. */
export const savedKeys = { inputs: 'explainAttention.inputs', sheets: 'explainAttention.sheets' } as const;

/** The debuggers whose sessions are read: Microsoft's, its older type, and Jupyter's for cells. */
export const debugTypes: readonly string[] = ['debugpy', 'python', 'Python Kernel Debug Adapter'];
