import type { Role } from './role';

/** What a symbol that stands by its name in a sentence is: the part it plays, and the steps that it can lead to, the first that a plan has. */
export interface Named {
  readonly role?: Role;
  readonly steps: readonly string[];
}

const outputs = ['output', 'concat', 'attended', 'headOutputs'];
const parameter = (...steps: readonly string[]): Named => ({ role: 'parameter', steps });

/** The symbols that a sentence may name: `{Q}`, `{W_O}`, `{Kᵀ}`. */
export const symbols: { readonly [name: string]: Named } = {
  E: { role: 'x', steps: ['embedding', 'given'] },
  P: { role: 'position', steps: ['positions'] },
  X: { role: 'x', steps: ['x'] },
  C: { role: 'x', steps: ['context'] },
  X_v: { role: 'x', steps: ['valueSource'] },
  Q: { role: 'query', steps: ['q'] },
  K: { role: 'key', steps: ['k'] },
  V: { role: 'value', steps: ['v'] },
  S: { role: 'scores', steps: ['scores'] },
  Z: { role: 'scores', steps: ['scaled'] },
  M: { role: 'scores', steps: ['masked'] },
  A: { role: 'weights', steps: ['weights'] },
  'A′': { role: 'weights', steps: ['patched'] },
  D: { role: 'weights', steps: ['differences'] },
  O: { role: 'output', steps: outputs },
  T: { steps: ['tempered'] },
  W_q: parameter('wq'),
  W_k: parameter('wk'),
  W_v: parameter('wv'),
  W_O: parameter('wo'),
  b_q: parameter('bq'),
  b_k: parameter('bk'),
  b_v: parameter('bv'),
  b_O: parameter('bo'),
  d_k: { steps: ['k', 'q'] },
  d_v: { steps: ['v'] },
  d_model: { steps: ['x'] },
};
