/** The nearest standard attention to one that a program computes, compared with it stage by stage. */
export {
  type Parts,
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
