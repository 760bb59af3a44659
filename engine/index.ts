/** The engine's public face: everything the page, the extension, tests and other programs may use. */
export * from './problems';
export * from './tensor';
export * from './spec';
export * from './validate';
export * from './words';
export * from './plan';
export { planOf } from './planner';
export * from './operations';
export * from './trace';
export * from './run';
export * from './cell';
export { splitText } from './tokens/split';
export * from './parse/index';
export { hashSpec, hashTrace, valuesOf } from './hash';
export * from './insights';
export * from './trace-json';
export * from './backend/webgpu/index';
