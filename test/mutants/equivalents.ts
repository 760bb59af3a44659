// Mutants that no test can notice, with the reason. A mutant is known by its file, the line it stands on, and the change.

export interface Equivalent {
  readonly file: string;
  /** The whole line, without the blanks around it. */
  readonly source: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'engine/lessons/claim.ts',
    source: "const [left = '', right] = line.slice(0, 400).split(/(?<![=!<>+\\-*/])=(?!=)/, 2);",
    from: '2',
    to: '(2 + 1)',
    why: 'Only the first two parts are looked at.',
  },
  ...['(0 + 1)', '(0 - 1)'].map((to) => ({
    file: 'engine/lessons/claim.ts',
    source: 'const shape = [a.at(-2) ?? 0, b.at(-1) ?? 0];',
    from: '0',
    to,
    why: 'A step has two dimensions at least: what stands in for one that is missing is never taken.',
  })),
  ...['(0 + 1)', '(0 - 1)'].map((to) => ({
    file: 'engine/lessons/quantity.ts',
    source: 'const inside = lead >= 0 && at.every((i, d) => i < (step.shape[lead + d] ?? 0));',
    from: '0',
    to,
    why: 'An index that is no longer than the shape has a size for each of its places.',
  })),
  ...['(0 + 1)', '(0 - 1)'].map((to) => ({
    file: 'engine/lessons/remarks.ts',
    source: 'return i >= 0 && (left[i] ?? 0) > (right[i] ?? 0);',
    from: '0',
    to,
    why: 'Both versions have three numbers.',
  })),
  ...[
    ['return decimals;', '(no return)'],
    ['most === 0', 'false'],
  ].map(([from = '', to = '']) => ({
    file: 'engine/explain/arithmetic/digits.ts',
    source: 'if (most === 0) return decimals;',
    from,
    to,
    why: 'Zero has the power 0, so that the line below gives as many decimals.',
  })),
];
