// What Node computes; run-web.ts puts the values in when it bundles the tests, so that the worker compares with another engine's work.
export const hashes: {
  readonly literals: readonly string[];
  readonly lesson: readonly string[];
  readonly variant: string;
} = {
  literals: [],
  lesson: [],
  variant: '',
};
export const lesson: string = '';
export const literals: readonly string[] = [];
