/** One line of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay numbers. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvField).join(',')}\r\n`;

// Excel and LibreOffice take these for formulas, some after blanks; Japanese Excel their wide forms too.
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/;
const number = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
// Where a spreadsheet separates by semicolons or tabs, as in much of Europe, the rest of a cell is a cell of its own, quoted or not.
const cellWithin = /[;\t\r\n]["'\s]*/g;
const formulaSign = /[=+\-@＝＋－＠]/;

function csvField(written: string): string {
  const own = formula.test(written) && !number.test(written) ? `'${written}` : written;
  const safe = own.replace(cellWithin, (run, at: number) =>
    formulaSign.test(own[at + run.length] ?? '') ? `${run}'` : run,
  );
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
