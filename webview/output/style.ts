/** Of the frame around the page, in a root of its own: all outputs of a notebook share one document. */
export const styleText = `
:host { display: block; }
.bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 12px; margin: 0 0 4px; }
.label { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.refused { margin: 4px 0; padding: 4px 8px; border: 1px solid var(--vscode-inputValidation-errorBorder, #be1100); overflow-wrap: anywhere; }
button { padding: 2px 10px; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; font: inherit; cursor: pointer;
  color: var(--vscode-button-secondaryForeground, inherit); background: var(--vscode-button-secondaryBackground, transparent); }
button:hover { background: var(--vscode-button-secondaryHoverBackground, transparent); }
button:focus-visible { outline: 1px solid var(--vscode-focusBorder, currentColor); outline-offset: 1px; }
iframe { display: block; box-sizing: border-box; width: 100%; height: 560px; min-height: 200px; resize: vertical; overflow: hidden;
  border: 1px solid var(--vscode-panel-border, #8884); background: var(--vscode-editor-background, transparent); }
`;
