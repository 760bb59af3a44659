/* Outputs of explain(…) in notebooks, and the Python file that makes them. */

export { addHelper, addHelperCommand } from './helper';
export { createOutputs, type HearOutput } from './outputs';
