/*
 * The operations that a backend must be able to do, each declared once in a file of its own (`operation.ts` says what belongs to it). A new
 * one is a file and a line in `declared`.
 */
import { add } from './add';
import { additiveScores } from './additive-scores';
import { appendSink } from './append-sink';
import { anyHidden } from './any-hidden';
import { apply } from './apply';
import { bands } from './bands';
import { averageHeads } from './average-heads';
import { bucketBias } from './bucket-bias';
import { combine } from './combine';
import { cut } from './cut';
import { divide } from './divide';
import { exponential } from './exponential';
import { concatHeads, repeatHeads, splitHeads } from './heads';
import { headDifference } from './head-difference';
import { identity } from './identity';
import { join } from './join';
import { layerNorm } from './layer-norm';
import { lookup } from './lookup';
import { mask } from './mask';
import { matmul } from './matmul';
import type { Operation } from './operation';
import { rmsNorm } from './rms-norm';
import { pairFactor } from './pair-factor';
import { pick } from './pick';
import { rearrange } from './rearrange';
import { reduce } from './reduce';
import { replaceHeads } from './replace-heads';
import { rope } from './rope';
import { scale } from './scale';
import { softcap } from './softcap';
import { shareOut } from './share-out';
import { sigmoid } from './sigmoid';
import { softmax } from './softmax';
import { topK } from './top-k';

export type { Cells, CodeLine, Operation, Shape } from './operation';

const declared = {
  lookup,
  add,
  matmul,
  divide,
  softcap,
  splitHeads,
  concatHeads,
  repeatHeads,
  rmsNorm,
  rope,
  bucketBias,
  appendSink,
  cut,
  mask,
  softmax,
  sigmoid,
  shareOut,
  additiveScores,
  bands,
  averageHeads,
  pairFactor,
  headDifference,
  anyHidden,
  identity,
  // What programs do besides: the reference computes them everywhere, since their plans are small (`programLimit`).
  rearrange,
  pick,
  scale,
  combine,
  exponential,
  reduce,
  apply,
  join,
  layerNorm,
  topK,
  replaceHeads,
};

export type OperationName = keyof typeof declared;
type CallIn<O> = O extends Operation<infer C> ? C : never;

/** What a backend is asked to do. */
export type BackendCall = CallIn<(typeof declared)[OperationName]>;

/** Each operation by its name; the validator's shapes, traces, explanations and exports read this table. */
export const operations: {
  readonly [O in OperationName]: Operation<Extract<BackendCall, { readonly op: O }>>;
} = declared;

/** Where a preview on a GPU computes each operation. */
export type OnGpu = { readonly [O in OperationName]: (typeof declared)[O]['gpu'] };

/** The operation of a call, whichever it is. */
export const operationOf = (call: BackendCall): Operation<BackendCall> => operations[call.op] as Operation<BackendCall>;
export {
  type CellExplanation,
  type CellValue,
  type ProductTerm,
  type RestOfProducts,
  type RestOfSoftmax,
  type SoftmaxTerm,
  type Work,
  type WorkFunction,
  type WorkLine,
  mostTerms,
} from './explanation';
export {
  type Expression,
  type Formula,
  type Symbol,
  cell,
  formula,
  inWords,
  isReal,
  latexNumber,
  latexShort,
  latexOf,
  product,
  sizes,
  symbol,
  weight,
} from './formula';
export { type FromTo, numberOrRoot, tuple } from './operation';
export { type Part, rowsOf } from './part';
export { rotationOf } from './rope';
export { type SoftmaxParts, softmaxParts } from './softmax';
export {
  type BesideStep,
  type Labelled,
  type Branch,
  type BranchStep,
  type StepContext,
  type StepSentences,
  type StepWords,
  linkTo,
  placed,
  widthOf,
  words,
} from './step';
export { exp, fraction } from './formula';
export { type Applied, appliedFormula, appliedFunctions } from './apply';
export { joined } from './join';
export { exchangesLastAxes, indexAt, isInside } from './rearrange';
