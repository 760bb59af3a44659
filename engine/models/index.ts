/** Trained models that come with the extension: what is known of them, and a spec with their weights. */
export { trainingCurve, type CurvePoint } from './training-curve';
export {
  type HeadEvidence,
  type HeadKind,
  type Model,
  type ModelTensor,
  provideModel,
  providedModel,
  unknownId,
} from './model';
export {
  chooseModel,
  provideBox,
  providedBox,
  readsWhole,
  wordsIn,
  type Chosen,
  type ModelChoice,
  type ReadModel,
} from './choose';
export { modelNeeded, modelProblem } from './problems';
export { modelSpec } from './spec-of';
export { type Filled, type Weight, withWeights } from './weights';
