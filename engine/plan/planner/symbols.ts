import { symbol, weight } from '../../operations';
import type { Branch } from './draft';

/** The symbols of the formulas, one meaning each. */
export const T = symbol('token', 't');
export const E = symbol('x', 'E');
export const TABLE = symbol('parameter', 'W_E');
export const P = symbol('position', 'P');
export const X = symbol('x', 'X');
export const C = symbol('x', 'C');
/** What the values are made of, where it is another input than the keys’. */
export const X_V = symbol('x', 'X_v');
export const S = symbol('scores', 'S');
export const Z = symbol('scores', 'Z');
export const H = symbol('mask', 'H');
export const B = symbol('mask', 'B');
export const M = symbol('scores', 'M');
export const A = symbol('weights', 'A');
/** Differential attention's difference of two weights. */
export const D = symbol('weights', 'D');
export const O = symbol('output', 'O');
export const W_O = weight('W_O');

export const branchSymbols = {
  q: { unicode: 'Q', symbol: symbol('query', 'Q') },
  k: { unicode: 'K', symbol: symbol('key', 'K') },
  v: { unicode: 'V', symbol: symbol('value', 'V') },
} as const;

export const branches: readonly Branch[] = ['q', 'k', 'v'];
