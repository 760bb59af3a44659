/** The nearest standard attention to one that a program computes, compared with it stage by stage. */
export {
  type Nearest,
  type Parts,
  type StageName,
  cellsOf,
  denseOf,
  hiddenBelow,
  joinedHeads,
  maskOf,
  nearestStandard,
  partsOf,
  specOf,
} from './nearest';
export { productOf } from './stacks';
export { wordsOf } from './text';
