/** Which function a line of Python stands in, and which names are bound where in it, by indentation and without a parser. */

/** A statement's line or lines; of a compound statement its head. Lines are counted from 1. */
export interface StatementLine {
  readonly line: number;
  readonly last: number;
  readonly indent: number;
  /** Without comments behind it. */
  readonly text: string;
}

export interface Scope {
  /** Of the function; undefined at the level of the module. */
  readonly name?: string;
  /** The statements of its own, without those of functions and classes within. */
  readonly statements: readonly StatementLine[];
}

/** Statements with their lines: what is within brackets or strings, or behind a backslash, goes on. */
export function statementLines(text: string): readonly StatementLine[] {
  const found: StatementLine[] = [];
  const token = /'''|"""|'|"|#|\\\r?\n|\r?\n|[([{]|[)\]}]/g;
  let [line, depth, start, first, code] = [1, 0, 0, 1, ''];
  let from = 0;
  const end = (at: number): void => {
    code += text.slice(from, at);
    const whole = code.replace(/\s+$/, '');
    if (whole.trim() !== '') {
      const lead = /^\s*/.exec(whole)?.[0] ?? '';
      const skipped = lead.split('\n').length - 1;
      found.push({ line: first + skipped, last: line, indent: lead.length - (lead.lastIndexOf('\n') + 1), text: whole.slice(lead.length) }); // prettier-ignore
    }
    code = '';
  };
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [mark] = match;
    const at = match.index;
    if (mark === '#') {
      const stop = text.indexOf('\n', at);
      code += text.slice(from, at);
      from = stop < 0 ? text.length : stop;
      token.lastIndex = from;
    } else if (mark.endsWith('\n')) {
      if (depth === 0 && !mark.startsWith('\\')) {
        end(at);
        from = start = token.lastIndex;
        first = line + 1;
      }
      line++;
    } else if (mark.length === 1 && '([{'.includes(mark)) depth++;
    else if (mark.length === 1 && ')]}'.includes(mark)) depth = Math.max(0, depth - 1);
    else {
      const close = endOfString(text, token.lastIndex, mark);
      for (let i = token.lastIndex; i < close; i++) if (text[i] === '\n') line++;
      token.lastIndex = close;
    }
  }
  if (start <= text.length) end(text.length);
  return found;
}

function endOfString(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (quote.length === 1 && text[i] === '\n') return i;
    else if (text.startsWith(quote, i)) return i + quote.length;
  }
  return text.length;
}

const head = /^(?:async\s+)?(def|class)\s+([\p{L}_][\p{L}\d_]*)/u;

/** The innermost function around a line, else the module. */
export function scopeAt(text: string, line: number): Scope {
  const all = statementLines(text);
  const open: { indent: number; name: string; isFunction: boolean; at: number }[] = [];
  const at = all.findLastIndex((one) => one.line <= line);
  for (const [i, { indent, text: own }] of all.slice(0, at + 1).entries()) {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const [, kind, name = ''] = head.exec(own) ?? [];
    // The line of the head itself belongs to the scope around it.
    if (kind && i < at) open.push({ indent, name, isFunction: kind === 'def', at: i });
  }
  const own = open.findLast(({ isFunction }) => isFunction);
  const rest = own ? all.slice(own.at + 1) : all;
  const after = own ? rest.findIndex(({ indent }) => indent <= own.indent) : -1;
  const inside = after < 0 ? rest : rest.slice(0, after);
  return { ...(own && { name: own.name }), statements: withoutInner(inside) };
}

function withoutInner(statements: readonly StatementLine[]): readonly StatementLine[] {
  let inner: number | undefined;
  return statements.filter(({ indent, text }) => {
    if (inner !== undefined && indent > inner) return false;
    inner = head.test(text) ? indent : undefined;
    return inner === undefined;
  });
}

const path = /^[\p{L}_][\p{L}\d_]*(?:\.[\p{L}_][\p{L}\d_]*)*$/u;

/** Names and attributes that a statement binds: `q`, `q, k`, `self.w`; of a loop its variables. */
export function boundBy(statement: string): readonly string[] {
  const loop = /^(?:async\s+)?for\s+(.+?)\s+in\s/.exec(statement)?.[1];
  const targets = loop === undefined ? targetsOf(statement) : [loop];
  return targets
    .flatMap((target) => target.replace(/(?<=[\w\])])\[[^[\]]*\]/g, '?').split(','))
    .map((one) => one.replace(/^[\s([*]+|[\s)\]]+$/g, ''))
    .filter((one) => path.test(one));
}

/** What stands left of each `=` that assigns. */
function targetsOf(statement: string): readonly string[] {
  const targets: string[] = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i < statement.length; i++) {
    const c = statement[i] as string;
    if (c === '"' || c === "'") return targets;
    if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c)) depth--;
    else if (c === '=' && depth === 0) {
      if (statement[i + 1] === '=' || '=!<>:'.includes(statement[i - 1] ?? '')) return targets;
      targets.push((statement.slice(from, i).replace(/[-+*/@%&|^]+$|(?:\/\/|\*\*|<<|>>)$/, '').split(/:(?![^[(]*[\])])/)[0] ?? '').trim()); // prettier-ignore
      from = i + 1;
    }
  }
  return targets;
}
