/** Classifies lines of a text as code or prose, without a parser for any particular language. */

export type Language = 'Python' | 'JavaScript' | 'R' | 'Julia' | 'C';

export interface Line {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
  /** The line with blanks for comments, strings, inline code, addresses and formulas; offsets are unchanged. */
  readonly code: string;
}

/** Most characters that are read. */
const most = 60_000;

const hidden =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|\$\$[\s\S]*?(?:\$\$|$)|https?:\/\/[^\s)>\]]+|\]\((?:#|https?:|mailto:|\.{0,2}\/)[^)\n]{0,200}\)|(?<![\w.+-])[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}\b(?!\()|(?<!\\)"(?:\\.|[^"\\\n])*"|(?<![\p{L}\d\\])'(?:\\.|[^'\\\n])*'(?!\p{L})|`[^`\n]+`|(?<![\p{L}\d:"'])#(?!include|define|ifn?def|endif|undef|pragma|\[)[^\n]*|(?<=^|[\s;{}])\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<=^|\n)[ \t]*%[ %][^\n]*/gu;

/** The beginning of a text with strings and comments replaced by blanks; offsets are unchanged. */
export const codeOf = (text: string): string => blanked(text.slice(0, most));

const blanked = (text: string): string =>
  text.replace(hidden, (part) => part.replace(/[^\r\n]/g, part.startsWith('"') || part.startsWith("'") ? '_' : ' '));

/** The lines of the beginning of a text, with their places. */
export function linesOf(text: string): Line[] {
  const shown = text.slice(0, most);
  const code = blanked(shown);
  const lines: Line[] = [];
  let start = 0;
  for (const line of code.split(/\r\n|\r|\n/)) {
    const end = start + line.length;
    lines.push({ start, end, indent: Math.max(0, line.search(/\S/)), code: line });
    start = end + (shown.startsWith('\r\n', end) ? 2 : 1);
  }
  return lines;
}

const keywords = new Set(
  (
    'if elif else for while in not and or is lambda with as try except finally raise yield async await return del global nonlocal assert ' +
    'pass break continue import from class def print const let var function new typeof instanceof of export default extends static ' +
    'public private int float double void char bool long unsigned auto struct size_t using end begin local then do elseif where mutable ' +
    'fn mut pub use impl match val throw catch switch case include define inline template typename namespace'
  ).split(' '),
);

/** Number of adjacent words separated only by blanks, as in sentences; in code one of the two would be a keyword. */
export function wordPairs(code: string): number {
  let pairs = 0;
  let before: string | undefined;
  let end = -1;
  for (const { 0: word, index } of code.matchAll(/[\p{L}_][\p{L}\d_'’-]*[.!?]?/gu)) {
    const adjacent = before !== undefined && /^[ \t]+$/.test(code.slice(end, index));
    const plain = word.replace(/[.!?]$/, '');
    if (adjacent && before && !keywords.has(before.replace(/[.!?]$/, '')) && !keywords.has(plain)) pairs++;
    before = word;
    end = index + word.length;
  }
  return pairs;
}

const formula = /\\[a-zA-Z]+|[_^]\{|^\s*\$|\\\\\s*$/;
const target = '[\\p{L}_][\\p{L}\\d_.]*(?:\\[[^\\]\\n]*\\])?(?:\\s*,\\s*[\\p{L}_*][\\p{L}\\d_.]*)*';
const declared =
  '(?:(?:const|let|var|auto|static|final|local|float|double|int|long|bool|char|void|val|mut|size_t|unsigned)\\b\\s*(?:[*&]\\s*)?)*';
const assignment = new RegExp(
  `^\\s*${declared}\\(?${target}\\)?\\s*(?::\\s*[\\w.\\[\\],|](?:[\\w.\\[\\], |]*[\\w.\\[\\],|])?)?\\s*(?:[-+*/@%|&^]|\\*\\*|//)?(?:=(?![=>])|<-)\\s*(\\S.*|\\\\?$)`,
  'u',
);
const definition =
  /^\s*(?:async\s+)?(?:def\s+[\p{L}_][\p{L}\d_]*\s*\(|class\s+[\p{L}_][\p{L}\d_]*\(|class\s+[\p{L}_][\p{L}\d_]*\s*(?:\([^)]*\)?\s*|extends\s+[\w.]+\s*)?[:{]\s*$|function\s+[\w.$!]*\s*\(|(?:export\s+)?(?:const|let)\s+\w+\s*=|fn\s+\w+\s*[(<]|export\s+(?:default\b|(?:abstract\s+|declare\s+)?(?:class|interface|type|enum|async|function)\b.*[{=(<]\s*$)|(?:readonly|public|private|protected)\s+[\w$]+[?!]?\s*[:(=].*[;{,(]\s*$|[\w\s&*]*\w::\w+[\s&*]+\w+\s*\(|(?:static\s+|inline\s+)*(?:void|int|float|double|bool|char|auto|size_t)\s*\*?\s*\w+\s*\()/u;
const importing =
  /^\s*(?:from\s+[\w.]+\s+import\s+(?:[*(]|\w+(?:\s+as\s+\w+)?(?:\s*,\s*\w+(?:\s+as\s+\w+)?)*\s*[,;\\]*\s*$)|import\s+[a-z_][\w.]*(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*\s*;?\s*$|import\s+[{*\w].*from\s+_|#include\s*[<"_]|#(?:define|ifn?def|undef|pragma)\s+\w|#endif\b|using\s+(?:namespace\s+)?[A-Z]\w*(?:[.,:]\s*\w+)*\s*;?\s*$|library\(\w|require\(\w|@\w+(?:\.\w+)*(?:\(.*\))?\s*$|[%!]\w+\s)/;
const header =
  /^\s*(?:if|elif|while|for|with|except|match|case)\b.*[([\].=<>!_].*:\s*$|^\s*(?:else|try|finally|except)\s*:\s*$|^\s*(?:if|for|while|switch|\}\s*else\s*if)\s*\(.*\)\s*(?:\{?\s*$|.*[=;])|^\s*for\s+\w+(?:\s*,\s*\w+)*\s+in\s+[\w.]+\s*:\s*$|^\s*for\s+\w+\s*(?:=|in)\s*\d+\s*:/;
const leavingStatement = /^\s*(?:return|yield|raise|assert|del|throw)\b\s*[^.!?]*$/;
const call =
  /^\s*(?:await\s+)?[\p{L}_][\p{L}\d_]*(?:(?:\.|::|\$)[\p{L}_][\p{L}\d_]*!?)*!?\((?:.*\)|.*\)\[.*\])\s*;?\s*$/u;
const openCall = /^\s*(?:(?:return|await)\s+)?[\p{L}_][\p{L}\d_.]*\([^)]*,?\s*$/u;
const operation =
  /[\p{L}\d_)\]]\s*(?:@|%\*%|\.\*|\*\*|->|=>|\|>|&&|\|\||==|!=|<=|>=|::)\s*[\p{L}\d_([-]|\.\p{L}[\p{L}\d_]*\(|[\p{L}_]\[[^\]]*\]/u;
const rich =
  /[\p{L}\d_\])]\(|\[|@|%\*%|\*\*|[\p{L}_]\.[\p{L}_]|^_+|^-?\d|[{}]|\bnew\b|=>|->|^(?:True|False|None|true|false|null|nil|NULL|TRUE|FALSE)\b/u;

/** Characters of a line that are enough to classify it. */
const longestLine = 300;

/** A list item in Markdown. */
const item = /^\s*(?:[*•]|[-+](?=\s+[\p{L}\p{So}_*[]))\s/u;

/** How much a line looks like code: 1, ½ if it may be a formula, or 0. */
export function codeWeight({ code }: Line): number {
  const plain = code.slice(0, longestLine).replace(/^\s*(?:>>>|\.\.\.|julia>|In ?\[\d*\]:)\s?/, '');
  if (plain.trim() === '' || formula.test(plain) || item.test(plain)) return 0;
  if (importing.test(plain) || definition.test(plain)) return 1;
  const pairs = wordPairs(plain);
  if (pairs > (/[;{]\s*$/.test(plain) ? 1 : 0)) return 0;
  const assigned = assignment.exec(plain);
  if (assigned) return rich.test(assigned[1] ?? '') ? 1 : 0.5;
  if (header.test(plain)) return 1;
  if (leavingStatement.test(plain)) return operation.test(plain) || /[([_]/.test(plain) ? 1 : 0.5;
  if (call.test(plain)) return /[,.=_[]|\(\w+\)/.test(plain) ? 1 : 0.5;
  if (openCall.test(plain)) return 0.5;
  if (operation.test(plain)) return 1;
  return /^\s*[\])}]+[;,]?\s*$|^\s*(?:end|pass|break|continue)\s*;?\s*$|\w\)?;\s*$/.test(plain) ? 0.25 : 0;
}

/** How much a line looks like prose, by its words. */
export function proseWeight({ code }: Line): number {
  const pairs = wordPairs(code.replace(formulas, ' '));
  if (pairs < 2) return 0;
  return Math.max(1, pairs / 6);
}

const formulas = /\$[^$\n]*\$|\\[a-zA-Z]+(?:\{[^}]{0,200}\})?/g;

/** The language with the most matching lines. */
export function languageOf(lines: readonly Line[]): Language | undefined {
  const signs: readonly (readonly [Language, RegExp])[] = [
    [
      'Python',
      /^\s*(?:def .*:|class .*:|import \w+|from \S+ import|elif |@\w+|print\(|assert |with .*:)|self\.|\bnp\.|\btorch\.|\bNone\b|\bTrue\b|:\s*$/,
    ],
    ['JavaScript', /^\s*(?:const |let |var |function |export |import .* from)|=>|===|console\.|\bMath\./],
    ['R', /<-|%\*%|^\s*(?:library|require)\(|\$\w+/],
    ['Julia', /^\s*(?:using |end\b|julia>)|^\s*function\b(?!.*\{)|\.[*/+]=?|\bprintln\(|\w'\s*[;)*/]/],
    ['C', /^\s*#include|;\s*$|^\s*(?:int|float|double|void|size_t|char|struct|template)\b|std::|->/],
  ];
  const counts = signs.map(
    ([language, sign]) => [language, lines.filter(({ code }) => sign.test(code.slice(0, longestLine))).length] as const,
  );
  const best = [...counts].sort((a, b) => b[1] - a[1])[0];
  // JavaScript's statements end like those of C.
  const [js, c] = ['JavaScript', 'C'].map((name) => counts.find(([language]) => language === name)?.[1] ?? 0);
  if (best?.[0] === 'C' && (js ?? 0) * 3 > (c ?? 0)) return 'JavaScript';
  return best && best[1] > 0 ? best[0] : undefined;
}

/** Whether a text is a program (or part of one) rather than prose, and in which language. */
export function programIn(
  text: string,
): { readonly language: Language | undefined; readonly lines: readonly Line[] } | undefined {
  const lines = linesOf(text);
  let [code, prose] = [0, 0];
  for (const line of lines) {
    const weight = codeWeight(line);
    if (weight > 0) code += weight;
    else prose += proseWeight(line);
  }
  if (code < 1 || code < prose) return undefined;
  return { language: languageOf(lines), lines };
}
