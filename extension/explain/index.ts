/* The explainer: reads what a command, an editor or a link offers, and sends its explanation to a panel. */

export {
  createExplainer,
  explainAsTextCommand,
  explainCommand,
  explainInNewPanelCommand,
  type Explainer,
} from './explainer';
export { readLongText, type CodeReader } from './reading';
export { openExplanation, openExplanationCommand } from './spec-file';
