/** The part a matrix plays; one colour each, everywhere. */
export type Role =
  'token' | 'x' | 'position' | 'query' | 'key' | 'value' | 'scores' | 'mask' | 'weights' | 'output' | 'parameter';
