import { code, isSpace, peek, skipBlock, skipLine, type Scanner } from '../scanner';

/** White space, `// …` and block comments; a `#` begins a directive, which could leave out rows, and is none. */
export function codeGap(s: Scanner): void {
  const start = s.at;
  for (;;) {
    const c = peek(s);
    if (isSpace(c)) s.at++;
    else if (c === code.slash && peek(s, 1) === code.slash) skipLine(s);
    else if (!(c === code.slash && peek(s, 1) === code.star && skipBlock(s))) break;
  }
  s.steps += s.at - start;
}
