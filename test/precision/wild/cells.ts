/** A file as one program with its cells: a notebook's code cells, or a module's classes, functions and what stands between them. */
export interface Cell {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What a notebook keeps of what the cell printed. */
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

/** A cell of another language keeps its place as a comment. */
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

/** Lines at the margin begin a piece where a definition begins or ends. */
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

/** Comments and strings blanked, every other character where it was. */
export const code = (text: string): string =>
  text.replace(/("""|''')[\s\S]*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*/g, (found) =>
    found.replace(/[^\n]/g, ' '),
  );
