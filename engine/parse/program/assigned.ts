import type { TextRange } from '../../text/problems';
import { advance, isAt, isWord, lexerOf, take, wordOf, type Lexer } from './lexer';
import { isHarmlessMethod } from './modules';
import type { Program } from './scope';

/** Operators of `Q += 1`. */
export const augmented = new Set(['+=', '-=', '*=', '/=', '@=', '**=', '//=', '%=', '|=', '&=', '^=', '<<=', '>>=']);

/** How much of a statement is looked at for the names that it assigns. */
const head = 200;

/**
 * Names that a statement assigns or changes, told by its first tokens: those before `=` (also of a statement that cannot be
 * parsed), between `for` and `in`, after `as`, and the owner of a method that may change it. None for prose.
 */
export function assignedNames(program: Program, { start, end }: TextRange): readonly string[] {
  const l = lexerOf(program.text, start, Math.min(end, start + head));
  if (isWord(l, 'async')) advance(l);
  const word = wordOf(l);
  const found = word === 'for' || word === 'with' ? headerNames(l, word) : targetNames(l);
  program.steps += l.steps;
  return found;
}

/** `for a, b in …`, `with … as a`. */
function headerNames(l: Lexer, word: string): string[] {
  const names: string[] = [];
  let inside = word === 'for';
  for (advance(l); l.kind !== 'end' && !isWord(l, 'in'); advance(l)) {
    if (inside && l.kind === 'name') names.push(wordOf(l));
    inside ||= isWord(l, 'as');
  }
  return inside ? names : [];
}

const declarations = new Set(['const', 'let', 'var', 'auto', 'double', 'float', 'int']);

function targetNames(l: Lexer): string[] {
  const names: string[] = [];
  if (declarations.has(wordOf(l))) advance(l);
  take(l, '(');
  while (l.kind === 'name') {
    const path = dottedWord(l);
    if (isAt(l, '(')) return names.length === 0 ? ownerOf(path) : [];
    names.push(path);
    while (isAt(l, '[')) skipSubscript(l);
    take(l, ')');
    if (!take(l, ',')) break;
  }
  if (isAt(l, ':')) while (l.kind !== 'end' && !isAt(l, '=')) advance(l);
  return isAt(l, '=') || (l.kind === 'operator' && augmented.has(wordOf(l))) ? names : [];
}

function dottedWord(l: Lexer): string {
  let path = wordOf(l);
  advance(l);
  while (take(l, '.') && l.kind === 'name') {
    path += `.${wordOf(l)}`;
    advance(l);
  }
  return path;
}

/** `all_x.append(…)` changes all_x; `Q.sum()` changes nothing. */
function ownerOf(path: string): string[] {
  const dot = path.lastIndexOf('.');
  return dot > 0 && !isHarmlessMethod(path.slice(dot + 1)) ? [path.slice(0, dot)] : [];
}

function skipSubscript(l: Lexer): void {
  let depth = 0;
  do {
    if (isAt(l, '[')) depth++;
    if (isAt(l, ']')) depth--;
    advance(l);
  } while (depth > 0 && l.kind !== 'end');
}
