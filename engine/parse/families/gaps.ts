import { code, isNewline, isSpace, peek, type Scanner } from '../scanner';

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

export function skipLine(s: Scanner): void {
  while (s.at < s.end && !isNewline(s.text.charCodeAt(s.at))) s.at++;
}

function skipBlock(s: Scanner): boolean {
  if (s.at >= s.noBlockEndFrom) return false;
  for (let i = s.at + 2; i + 1 < s.end; i++) {
    if (s.text.charCodeAt(i) !== code.star || s.text.charCodeAt(i + 1) !== code.slash) continue;
    s.at = i + 2;
    return true;
  }
  s.steps += s.end - s.at;
  s.noBlockEndFrom = s.at;
  return false;
}
