/** Parses LaTeX, Unicode and plain text into one tree of expressions. */
export { latexTokens } from './latex';
export { macrosOf } from './macros';
export { parseTokens } from './parse';
export { plainTokens } from './plain';
export { splitAtTimes } from './scripts';
