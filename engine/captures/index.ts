/** Files that `capture(model)` of explain_attention.py writes: what attentions are in them, a head of one as a spec, and its exact result beside the process's own. */
export { captureIn, type Capture, type CapturedAttention, type HeadAt } from './capture';
export { readHead, type CapturedHead } from './read-head';
export { exactHead, type ExactHead } from './exact';
export { judgeHead, type Judged } from './judge';
export { specOfCaptured } from './spec';
export { judgedWords } from './words';
