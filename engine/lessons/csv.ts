/** One line of CSV (RFC 4180). Text that a spreadsheet would evaluate as a formula gets a leading apostrophe; numbers stay numbers. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvField).join(',')}\r\n`;

// Excel and LibreOffice evaluate these, some even after blanks; Japanese Excel also their full-width forms.
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/;
const number = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
// Where spreadsheets separate cells by semicolons or tabs, as in much of Europe, the rest becomes a cell of its own, even in quotes.
const cellWithin = /[;\t\r\n]["'\s]*/g;
const formulaSign = /[=+\-@＝＋－＠]/;

/** Whether a spreadsheet would compute a text, so that it gets an apostrophe. */
export const isFormula = (written: string): boolean => formula.test(written) && !number.test(written);

function csvField(written: string): string {
  const own = isFormula(written) ? `'${written}` : written;
  const safe = own.replace(cellWithin, (run, at: number) =>
    formulaSign.test(own[at + run.length] ?? '') ? `${run}'` : run,
  );
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
