/** What is known of Python before any of it is read as a program: whether a text has the words of attention, and where the files that it imports may lie. */
export { type Folders, type ImportPaths, candidatesOf, importLimits, importPaths } from './imports';
export { hasAttentionCode, mayAttend, namesWeights } from './words';
