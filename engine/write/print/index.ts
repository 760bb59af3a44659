/* Writes a matrix as text in the notations of languages and formats: NumPy, PyTorch, LaTeX, CSV and others. */
import type { Result } from '../../text';
import { toJavaScript, toJson, toMatlab, toNumpy, toTorch } from './code';
import type { Printable, Printed } from './notation';
import { toCsv, toLatex, toMarkdown } from './text';

export type { Printable, Printed } from './notation';

const printers = {
  numpy: { title: 'NumPy', print: toNumpy },
  torch: { title: 'PyTorch', print: toTorch },
  latex: { title: 'LaTeX', print: toLatex },
  csv: { title: 'CSV', print: toCsv },
  json: { title: 'JSON', print: toJson },
  javascript: { title: 'JavaScript', print: toJavaScript },
  markdown: { title: 'Markdown', print: toMarkdown },
  matlab: { title: 'MATLAB', print: toMatlab },
} as const satisfies Readonly<Record<string, { title: string; print: (matrix: Printable) => Result<Printed> }>>;

export type Notation = keyof typeof printers;

/** All notations, in the order in which menus offer them. */
export const notations = Object.keys(printers) as readonly Notation[];
export const titleOfNotation = (notation: Notation): string => printers[notation].title;

/**
 * A matrix in a notation, with its name and labels where the notation has them. Numbers have the shortest digits that give the same float64.
 * A Problem if the notation cannot hold the dimensions. The text assumes `import numpy as np` or `import torch`.
 */
export const printMatrix = (matrix: Printable, notation: Notation): Result<Printed> => printers[notation].print(matrix);
