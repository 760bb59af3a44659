/** Follows Python's statements and expressions, and reads what is never called with stand-in arguments. */
export { arrayNode, operandNode, operandOf, unknownNode } from './arrays';
export { attribute, setAttribute } from './attributes';
export { makeBuiltins, numberIn } from './builtins';
export { call, newFrame } from './calls';
export { setKey } from './frames';
export {
  derivesFrom,
  exceptionOf,
  exceptionText,
  fieldsNeeded,
  collectFields,
  fieldsFor,
  classAttribute,
  linearized,
  makeClass,
  unready,
} from './classes';
export { makeDict } from './containers';
export { evaluate } from './expressions';
export { plainText } from './format';
export { importedNames } from './imports';
export { getItem } from './indexing';
export { itemsOf, iterator } from './iterate';
export { watched } from './join';
export { dimOf, realOf, wholeOf } from './numbers';
export { Open, causeOf } from './open';
export { compare, equalTo } from './comparisons';
export { binary, inPlace, into, sharesPlaces, truthOf } from './operators';
export { shownParts } from './shown';
export { asSymbol, asTensor, hasArraysOnly, shaped } from './stand-ins';
export { runBody } from './statements';
export { textOf } from './text';
export { type Readings, bare, definitionsOf, isOwn, neededOf, neededToMake, standInCalls } from './uncalled';
export { saysSomething, takeOver, watch } from './watch';
