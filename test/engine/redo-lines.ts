// Redoes a line of arithmetic from its printed digits alone, as a person would: nothing here knows the engine.
import assert from 'node:assert/strict';

/** What a check came to. */
export interface Redone {
  readonly line: string;
  /** `=` holds to the last digit; `≈` within the bound that stands beside it. */
  readonly holds: boolean;
  readonly about: boolean;
}

/** A number as it is printed: with an exponent, infinite, or none. */
export const number = '−?(?:\\d+(?:\\.\\d+)?(?:e−?\\d+)?|∞|NaN)';
/** `= 1.5`, `≈ 1.5 (±0.1)`, `≈ 1.5 (±0.1, rounded to float32)`, `= ∞ (rounded to float32)`. */
export const result = `(?:[=≈] )?${number}(?: \\((?:±[^()]+|rounded to float\\d+)\\))?`;

export function valueOf(text: string): number {
  const plain = text.replaceAll('−', '-').replace('∞', 'Infinity');
  const value = Number(plain);
  assert.ok(!Number.isNaN(value) || plain === 'NaN', `no number: ${text}`);
  return value;
}

/** One unit of the last digit that is printed. */
function lastPlace(text: string): number {
  const [, fraction = '', exponent = '0'] = /^−?\d+(?:\.(\d+))?(?:e(.*))?$/.exec(text) ?? [];
  return Number(`1e${Number(exponent.replace('−', '-')) - fraction.length}`);
}

/** Whether what was found by hand is what is printed. */
export function compare(line: string, found: number, printed: string): Redone {
  const parts = new RegExp(`^(?:([=≈]) )?(${number})(?: \\((.*)\\))?$`).exec(printed);
  assert.ok(parts, `no result: ${printed} in ${line}`);
  const [, sign = '=', text = '', said = ''] = parts;
  const value = valueOf(text);
  if (!Number.isFinite(value) || !Number.isFinite(found)) {
    const same = Object.is(value, found) || value === found;
    return { line, holds: same || said.startsWith('rounded to float32'), about: false };
  }
  const far = Math.abs(found - value);
  if (sign === '=') return { line, holds: far <= lastPlace(text) * (0.5 + 1e-9), about: false };
  const bound = valueOf(/^±([^ ,]+)/.exec(said)?.[1] ?? 'NaN');
  return { line, holds: far <= bound * (1 + 1e-9), about: true };
}

/** erf by Maclaurin's series (Abramowitz and Stegun 1964, 7.1.5): numbers that a person would redo are small. */
function erfOf(x: number): number {
  if (Math.abs(x) > 3.5) return Math.sign(x) * (1 - Math.exp(-x * x) / (Math.abs(x) * Math.sqrt(Math.PI)));
  let [term, sum] = [x, x];
  for (let n = 1; n < 100; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** The value of `a·b + c ÷ (e^d + f)`: numbers, names in front of them or in brackets behind them left out. */
export function evaluate(text: string): number {
  const tokens = text
    .replace(/ ?\(\w+\[[\d,]*\]\)/g, '')
    .replace(/\w+\[[\d,]*\] /g, '')
    .replace(/ \(\d+ others\)/g, '')
    .match(
      new RegExp(
        `e\\^|(?:exp|erf|tanh|sin|cos)(?=\\()|(?<![\\d∞)²³] ?)${number}|${number.slice(2)}|[-+−·×÷()²³√]`,
        'g',
      ),
    );
  assert.ok(tokens, text);
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const squared = (value: number): number => {
    if (tokens[at] !== '²' && tokens[at] !== '³') return value;
    return tokens[at++] === '²' ? value * value : value * value * value;
  };
  const factor = (): number => {
    const token = next();
    if (token === '−') return -factor();
    if (token === 'e^') return Math.exp(factor());
    if (token === '√') return Math.sqrt(factor());
    if (token === '(') {
      const inside = sum();
      assert.equal(next(), ')', text);
      return squared(inside);
    }
    const named = { exp: Math.exp, erf: erfOf, tanh: Math.tanh, sin: Math.sin, cos: Math.cos }[token];
    return named ? named(factor()) : squared(valueOf(token));
  };
  const product = (): number => {
    let value = factor();
    while (/^[·×÷]$/.test(tokens[at] ?? '')) value = next() === '÷' ? value / factor() : value * factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '−') value = next() === '+' ? value + product() : value - product();
    return value;
  };
  let value: number;
  try {
    value = sum();
  } catch {
    assert.fail(`cannot be redone: ${text}`);
  }
  assert.equal(at, tokens.length, `${text}: ${tokens.slice(at).join(' ')}`);
  return value;
}

const match = (pattern: string, line: string): readonly string[] | undefined =>
  new RegExp(`^${pattern.replaceAll('NUMBER', `(${number})`).replaceAll('RESULT', `(${result})`)}$`)
    .exec(line)
    ?.slice(1);

/** What stands behind `name = ` and in brackets behind the value. */
const head = /^\w+\[[\d,]*\] (?<value>[=≈] .*?)(?: \((?<matrix>[^()]* in the matrix)\))?$/;

/** Every line that a terminal prints of a cell. */
export function redoTerminal(text: string): Redone[] {
  const [first = '', ...lines] = text.split('\n');
  const value = head.exec(first)?.groups?.['value'] ?? '';
  const body = lines.map((line) => line.trim());
  if (body.some((line) => line.startsWith('row maximum'))) return redoSoftmax(body, value, first);
  if (body[0]?.includes('Σ')) return redoProducts(body, value, first);
  const [line = ''] = body;
  const same = match('(?:row \\d+ of the table|visible): \\w+\\[[\\d,]*\\] NUMBER', line);
  if (same) return [compare(`${first} ${line}`, valueOf(same[0] ?? ''), value)];
  if (/^the (largest|sum) of these:$/.test(line)) return [redoReduced(body, value, first)];
  if (body.length > 1) return redoWork(body, value, first);
  const [arithmetic = ''] = line.split(', drawn from');
  return /[·×÷+(]| − /.test(arithmetic) && !/^(given|hidden|the |visible)/.test(line)
    ? [compare(`${first} ${line}`, evaluate(arithmetic), value)]
    : [];
}

/** The terms of a sum or a maximum, one in each line. */
function redoReduced([how = '', ...terms]: readonly string[], value: string, first: string): Redone {
  const numbers = terms.map((term) => valueOf(match('\\w+\\[[\\d,]*\\] NUMBER', term)?.[0] ?? term));
  const found = how.includes('largest') ? Math.max(...numbers) : numbers.reduce((a, b) => a + b, 0);
  return compare(`${first} ${how} ${terms.join(', ')}`, found, value);
}

/** Lines of which each says what it makes; the last one makes the value. */
function redoWork(body: readonly string[], value: string, first: string): Redone[] {
  return body.map((line, i) => {
    if (i === body.length - 1) return compare(`${first} ${line}`, evaluate(line), value);
    const [, work = '', printed = ''] =
      match(`(?:([^:]*): )?(.*) ((?:[=≈] )${result.slice('(?:[=≈] )?'.length)})`, line) ?? [];
    return compare(line, evaluate(work), printed);
  });
}

/** The number alone. */
const plainOf = (printed: string): string => new RegExp(number).exec(printed)?.[0] ?? '';

function redoProducts(body: readonly string[], value: string, first: string): Redone[] {
  let before: number | undefined = 0;
  const checks: Redone[] = [];
  for (const line of body) {
    const parts = match(`(.*?) ((?:[=≈] )${result.slice('(?:[=≈] )?'.length)})   Σ (… )?RESULT`, line);
    if (!parts) continue;
    const [factors = '', product = '', gap, sum = ''] = parts;
    checks.push(compare(line, evaluate(factors), product));
    if (!gap && before !== undefined)
      checks.push(compare(`${before} + ${line}`, before + valueOf(plainOf(product)), sum));
    before = valueOf(plainOf(sum));
  }
  if (before !== undefined && !/others, in their places/.test(body.at(-1) ?? ''))
    checks.push(compare(`${first}: the last sum`, before, value));
  return checks;
}

function redoSoftmax(body: readonly string[], value: string, first: string): Redone[] {
  const [max = '', sum = ''] = match('row maximum NUMBER, sum RESULT', body[0] ?? '') ?? [];
  if (body.some((line) => line.startsWith('nothing but'))) return [];
  let total = 0;
  const checks: Redone[] = [];
  const weights: string[] = [];
  for (const line of body.slice(1)) {
    const others = match('\\d+ others: NUMBER ÷ sum RESULT', line);
    const [x = '', z = '', e = '', w = ''] = match('exp\\(NUMBER − max RESULT\\) RESULT ÷ sum RESULT', line) ?? [];
    const raised = valueOf(others?.[0] ?? plainOf(e));
    total += raised;
    checks.push(compare(line, raised / valueOf(plainOf(sum)), others?.[1] ?? w));
    if (others) continue;
    checks.push(compare(line, valueOf(x) - valueOf(max), z), compare(line, Math.exp(valueOf(plainOf(z))), e));
    weights.push(plainOf(w));
  }
  checks.push(compare(body[0] ?? '', total, sum));
  assert.ok(weights.includes(plainOf(value)), `${first} is among its row’s weights: ${weights.join(', ')}`);
  return checks;
}

/** Several lines in one: the last of them first. */
function redoLines(behind: string): Redone[] {
  const lines = behind.replace(/^\w+\[[\d,]*\] = /, '').split('; ');
  return lines.map((line) => {
    const [work = '', printed = ''] =
      match(`(.*) ((?:[=≈] )${result.slice('(?:[=≈] )?'.length)})`, line.replace(/ \([^()]* in the matrix\)$/, '')) ??
      [];
    return compare(line, evaluate(work), printed);
  });
}

/** Every line that a lesson prints of a cell. */
export function redoLesson(line: string): Redone[] {
  const behind = line.replace(/ \([^()]* in the matrix\)$/, '');
  const largest = match('\\w+\\[[\\d,]*\\] = max\\((.*)\\) RESULT', behind);
  if (largest) return [compare(line, Math.max(...(largest[0] ?? '').split(', ').map(valueOf)), largest[1] ?? '')];
  const drawn = match('\\w+\\[[\\d,]*\\] RESULT = (.*), drawn from .*', behind);
  if (drawn) return [compare(line, evaluate(drawn[1] ?? ''), drawn[0] ?? '')];
  if (/; [^=≈]*[·÷²√(]/.test(behind)) return redoLines(behind);
  const parts = match('\\w+\\[[\\d,]*\\] = (.*(?:[·×÷+(²√]| − ).*?) ([=≈] .*?)(?:; .*)?', behind);
  return parts ? [compare(line, evaluate(parts[0] ?? ''), parts[1] ?? '')] : [];
}
