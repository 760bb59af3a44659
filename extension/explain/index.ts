/* The explainer: finds what a command, an editor or a link refers to, and sends its explanation to a panel. */

export { checkCommand } from './check';
export { createCodeMarks, type CodeMarks, type PlaceBeside } from './code-marks';
export {
  chooseAttentionCommand,
  createExplainer,
  explainAsTextCommand,
  watchTrainingCommand,
  explainCommand,
  explainNumberCommand,
  explainInNewPanelCommand,
  type Explainer,
} from './explainer';
export { foundAttention, type ProgramAttention } from './program-place';
export { readLongText, type Read } from './reading';
export { openExplanation, openExplanationCommand } from './spec-file';
