/** A file as one program, divided into cells. These are a notebook's code cells, or a module's classes, functions and the statements between them. */
export interface Cell {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The cell's printed output, as saved in the notebook. */
  readonly printed: readonly string[];
}

export interface Source {
  readonly text: string;
  readonly cells: readonly Cell[];
}

interface Piece {
  readonly text: string;
  readonly printed: readonly string[];
}

export const sourceOfFile = (path: string, content: string): Source =>
  path.endsWith('.ipynb') ? joined(notebookPieces(content)) : joined(modulePieces(content));

function joined(pieces: readonly Piece[]): Source {
  const cells: Cell[] = [];
  let text = '';
  for (const piece of pieces) {
    cells.push({ ...piece, start: text.length, end: text.length + piece.text.length });
    text += piece.text.endsWith('\n') ? piece.text : `${piece.text}\n`;
  }
  return { text, cells };
}

/** A cell in another language becomes a comment, so that the lines after it keep their numbers. */
const otherLanguage = /^\s*%%(?!time|timeit|capture)\w+/;

function notebookPieces(content: string): readonly Piece[] {
  const { cells } = JSON.parse(content) as { cells?: readonly Record<string, unknown>[] };
  return (cells ?? [])
    .filter((cell) => cell['cell_type'] === 'code')
    .map((cell) => {
      const text = linesOf(cell['source']);
      const outputs = Array.isArray(cell['outputs']) ? (cell['outputs'] as Record<string, unknown>[]) : [];
      return { text: otherLanguage.test(text) ? text.replace(/^/gm, '#') : text, printed: outputs.flatMap(textOf) };
    });
}

function textOf(output: Record<string, unknown>): readonly string[] {
  if (output['output_type'] === 'stream' && output['name'] !== 'stderr') return [linesOf(output['text'])];
  const data = output['data'] as Record<string, unknown> | undefined;
  return data?.['text/plain'] === undefined ? [] : [linesOf(data['text/plain'])];
}

const linesOf = (lines: unknown): string =>
  Array.isArray(lines) ? lines.join('') : typeof lines === 'string' ? lines : '';

/** An unindented line starts a new cell if a definition begins or ends there. */
function modulePieces(text: string): readonly Piece[] {
  const starts = new Set([0]);
  let inDefinition = false;
  let decorated = false;
  for (const { index } of code(text).matchAll(/^[^\s#)\]}]/gm)) {
    const line = text.slice(index, index + 12);
    const defines = /^(?:async\s+)?(?:def|class)\b|^@/.test(line);
    if ((defines && !decorated) || (inDefinition && !defines)) starts.add(index);
    decorated = line.startsWith('@');
    inDefinition = defines;
  }
  const places = [...starts].sort((a, b) => a - b);
  return places.map((start, i) => ({ text: text.slice(start, places[i + 1] ?? text.length), printed: [] }));
}

/** The text with comments and strings replaced by blanks. All other characters keep their positions. */
export const code = (text: string): string =>
  text.replace(/("""|''')[\s\S]*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*/g, (found) =>
    found.replace(/[^\n]/g, ' '),
  );
