import { code, isSpace, peek, skipBlock, skipLine, type Scanner } from '../scanner';

/** Skips white space, `// …` and block comments. `#` begins a preprocessor directive, which may exclude rows, so it is not skipped. */
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
