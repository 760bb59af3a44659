// Mutants that no test can notice, each with the reason. A mutant is identified by its file, the text of its line, and the change.

export interface Equivalent {
  readonly file: string;
  /** The whole line, without leading and trailing blanks. */
  readonly source: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'engine/explain/arithmetic/one-line.ts',
    source: 'const relation: Relation = { result, from, redo, ...(size && { size }) };',
    from: 'size && { size }',
    to: '(size) || ({ size })',
    why: 'A size that is undefined is as good as none.',
  },
  ...['(1e6 + 1)', '(1e6 - 1)'].map((to) => ({
    file: 'engine/explain/arithmetic/sums.ts',
    source: 'const costOfFailure = 1e6;',
    from: '1e6',
    to,
    why: 'The digits of a chain cost far less, and what is compared is how many additions fail.',
  })),
  {
    file: 'engine/explain/arithmetic/sums.ts',
    source: 'Number.isFinite(target) ? Math.abs(found - target) < allowed : Object.is(found, target);',
    from: 'Math.abs(found - target) < allowed',
    to: 'Math.abs(found - target) <= allowed',
    why: 'What is allowed is a billionth less than half a unit, which no difference of rounded numbers is.',
  },
  ...['batch: lead.at(-2) ?? 0,', 'head: lead.at(-1) ?? 0,'].flatMap((source) =>
    ['(0 + 1)', '(0 - 1)'].map((to) => ({
      file: 'engine/explain/terms.ts',
      source,
      from: '0',
      to,
      why: 'An index of a dimension that a step lacks is not looked at.',
    })),
  ),
  {
    file: 'engine/explain/terms.ts',
    source: 'found.splice(at < 0 ? found.length : at, 0, i);',
    from: '0',
    to: '(0 - 1)',
    why: 'Of the two zeros: fewer than none are deleted is none. (The sign of the other is held.)',
  },
  {
    file: 'engine/explain/terms.ts',
    source: 'if (found.length === count) least = size(values[found[count - 1] as number] as number);',
    from: 'found.length === count',
    to: 'false',
    why: 'Values that are too small are looked at, and left out at the end.',
  },
  ...['(0 + 1)', '(0 - 1)'].map((to) => ({
    file: 'engine/spec/fields/differential.ts',
    source: "checkLimit(problems, 'differential.init', differential.init ?? 0, initLimit);",
    from: '0',
    to,
    why: 'Any finite number is within the limit.',
  })),
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
  {
    file: 'engine/parse/table-matrix.ts',
    source: 'if (ragged > 0) return { problems: [raggedProblem(rows, ragged)], plain: true, ...candidatePart };',
    from: 'ragged > 0',
    to: 'ragged >= 0',
    why: 'The first row is as long as itself: what is found is no row, or a later one.',
  },
  {
    file: 'engine/parse/candidate.ts',
    source: 'if (i >= rest) {',
    from: 'i >= rest',
    to: 'i > rest',
    why: 'The work pauses one character later.',
  },
  ...['1e17', '1e18', '1e19', '1e20'].flatMap((from) =>
    [' + 1', ' - 1'].map((by) => ({
      file: 'engine/parse/numbers.ts',
      source:
        '1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,',
      from,
      to: `(${from}${by})`,
      why: 'The same float64.',
    })),
  ),
  ...[
    ['0', '(0 - 1)'],
    ['links.length === 0', 'false'],
  ].map(([from = '', to = '']) => ({
    file: 'engine/explain/arithmetic/sums.ts',
    source: 'if (links.length === 0) return;',
    from,
    to,
    why: 'Without links there is nothing whose digits would be chosen.',
  })),
  ...['(0 + 1)', '(0 - 1)'].flatMap((to) => [
    {
      file: 'engine/explain/arithmetic/sums.ts',
      source:
        'return halfUnit(roundedAt(sum, extra).places) * (1 - 1e-9) - (Number.isFinite(size) ? 1e-15 * size : 0);',
      from: '0',
      to,
      why: 'Where a number of the link is not finite, its sum is not, and is compared as it is.',
    },
    {
      file: 'engine/explain/arithmetic/sums.ts',
      source: 'terms.unshift(stage.terms[at] ?? 0);',
      from: '0',
      to,
      why: 'There is a number for each number of digits.',
    },
    {
      file: 'engine/explain/arithmetic/sums.ts',
      source: 'const cost = costs[at] ?? 0;',
      from: '0',
      to,
      why: 'It is the place of the least of them.',
    },
    {
      file: 'engine/explain/arithmetic/softmax.ts',
      source: 'shares.forEach(({ exponential }, i) => (exponential.extra = before[i] ?? 0));',
      from: '0',
      to,
      why: 'There is one for each share.',
    },
  ]),
  ...['(32 + 1)', '(32 - 1)'].map((to) => ({
    file: 'engine/explain/arithmetic/digits.ts',
    source: 'const halves = Array.from({ length: 32 }, (_, places) => 0.5 * Number(`1e${-places}`));',
    from: '32',
    to,
    why: 'What is not in the list is computed by the same formula.',
  })),
  {
    file: 'engine/parse/code/attention-code.ts',
    source: 'if (!line) break;',
    from: '!line',
    to: 'false',
    why: 'There is a line at each index below their number.',
  },
  {
    file: 'engine/parse/formats/latex-name.ts',
    source: 'if (/\\\\(?:cdot|times|otimes|odot|pm)$/.test(text.slice(Math.max(floor, end - 8), end))) return true;',
    from: '8',
    to: '(8 - 1)',
    why: 'The longest of these commands has seven characters.',
  },
  ...['(0 + 1)', '(0 - 1)'].map((to) => ({
    file: 'engine/parse/formats/semicolons.ts',
    source: 'const [m = 0, n = 0] = first?.shape ?? [];',
    from: '0',
    to,
    why: 'Without a first plane nothing is compared; a plane has rows and columns.',
  })),
  {
    file: 'engine/parse/formats/braces.ts',
    source: 'const at = c === code.openBrace ? s.at : isLetter(c) || c === code.openBracket ? afterType(s) : -1;',
    from: '1',
    to: '(1 + 1)',
    why: 'Any number below 0 says that there is none.',
  },
  {
    file: 'engine/parse/formats/pandas.ts',
    source: 'const match = /^\\.(?:values\\b|to_numpy\\(\\))/.exec(s.text.slice(s.at, Math.min(s.end, s.at + 20)));',
    from: 'Math.min(s.end, s.at + 20)',
    to: 'Math.max(s.end, s.at + 20)',
    why: 'The expression begins at the place and is shorter than 20 characters: more text changes nothing.',
  },
  {
    file: 'engine/parse/formats/pages.ts',
    source: 'const rank = marks[0]?.index.length ?? 0;',
    from: '0',
    to: '(0 - 1)',
    why: 'Without marks there is no rank, and less than 1 is all that is asked.',
  },
  {
    file: 'engine/parse/masks.ts',
    source: 'const [n = 0, columns = 0] = scores.slice(-2);',
    from: '0',
    to: '(0 - 1)',
    why: 'Scores have rows and columns.',
  },
  {
    file: 'engine/explain/arithmetic/sums.ts',
    source: 'const count = most + 1;',
    from: '1',
    to: '(1 + 1)',
    why: 'A number has at most that many ways to be rounded: a place behind them costs Infinity, and is never the cheapest.',
  },
  {
    file: 'engine/explain/arithmetic/softmax.ts',
    source: 'size: ([x = NaN, most = NaN]) => exp(x - most) * (1 + Math.max(Math.abs(x), Math.abs(most))),',
    from: '1',
    to: '(1 + 1)',
    why: 'It allows for the error of doubles, 10⁻¹⁵ of this: less than any distance of rounded numbers from half a unit that is not zero.',
  },
  ...(
    [
      [
        'if (unit !== undefined && places.figures === undefined && isFixed(digits, at)) {',
        ['unit !== undefined && places.figures === undefined && isFixed(digits, at)', 'false'],
        ['unit !== undefined', 'unit === undefined'],
        ['{ const size = value * unit; const whole = Math.round(size); … e / unit, places: at }; }', '{}'],
      ],
      [
        'if (whole !== 0 && Math.abs(whole) < 1e14 && Math.abs(Math.abs(size - whole) - 0.5) > 1e-3)',
        ['whole !== 0 && Math.abs(whole) < 1e14 && Math.abs(Math.abs(size - whole) - 0.5) > 1e-3', 'false'],
        ['1e14', '(1e14 + 1)'],
        ['1e14', '(1e14 - 1)'],
        ['Math.abs(whole) < 1e14', 'Math.abs(whole) <= 1e14'],
        ['1e-3', '(1e-3 + 1)'],
        ['Math.abs(Math.abs(size - whole) - 0.5) > 1e-3', 'Math.abs(Math.abs(size - whole) - 0.5) >= 1e-3'],
      ],
      ['return { value: whole / unit, places: at };', ['return { value: whole / unit, places: at };', '(no return)']],
      [
        'const powers = Array.from({ length: 16 }, (_, places) => Number(`1e${places}`));',
        ['16', '(16 + 1)'],
        ['16', '(16 - 1)'],
        ['Number(`1e${places}`)', 'undefined'],
        ['`1e${places}`', "''"],
      ],
    ] as readonly (readonly [string, ...(readonly [string, string])[]])[]
  ).flatMap(([source, ...changes]) =>
    changes.map(([from, to]) => ({
      file: 'engine/explain/arithmetic/digits.ts',
      source,
      from,
      to,
      why: 'A short cut that is taken less often, or at a border where it gives what writing and reading gives.',
    })),
  ),
  {
    file: 'engine/explain/arithmetic/digits.ts',
    source: 'const halves = Array.from({ length: 32 }, (_, places) => 0.5 * Number(`1e${-places}`));',
    from: '0.5 * Number(`1e${-places}`)',
    to: 'undefined',
    why: 'What is not in the list is computed by the same formula.',
  },
  ...[
    ["'random'", "''"],
    ["call.op === 'random'", "call.op !== 'random'"],
    ['1', '(1 - 1)'],
    ['call.times === undefined', 'call.times !== undefined'],
    ["'float64'", "''"],
    ["call.op === 'random' && call.divideBy === 1 && call.times == …  spec.dtype === 'float64'", 'false'],
    ['return value;', '(no return)'],
  ].map(([from = '', to = '']) => ({
    file: 'engine/explain/cell.ts',
    source:
      "if (call.op === 'random' && call.divideBy === 1 && call.times === undefined && spec.dtype === 'float64') return value;",
    from,
    to,
    why: 'A short cut that is not taken: the generator draws the same number again.',
  })),
];
