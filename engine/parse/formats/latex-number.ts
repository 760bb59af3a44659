/** Commands beside a number that do not affect it. */
const silent =
  /\\(?:,|;|!|:|>| |quad|qquad|phantom\{[^{}]*\}|hphantom\{[^{}]*\}|color\{[^{}]*\}|displaystyle|textstyle|bf|rm|it|left|right)(?![A-Za-z])|~|\$/g;
const wrappers =
  /\\(?:mathbf|mathrm|mathit|mathsf|mathtt|text|textbf|textit|textrm|mbox|boldsymbol|bm|num|ensuremath|underline|boxed|color\{[^{}]*\}|textcolor\{[^{}]*\})\{([^{}]*)\}/g;

const plain = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const scientific = /^([-+]?(?:\d+(?:\.\d*)?|\.\d+))(?:\\times|\\cdot)10\^(?:\{([-+]?\d+)\}|(\d))$/;
const fraction = /^([-+]?)\\[dtc]?frac(?:\{([-+]?[\d.]+)\}|(\d))(?:\{([-+]?[\d.]+)\}|(\d))$/;
const slash = /^([-+]?[\d.]+)\/([\d.]+)$/;
const words = new Map([
  ['\\infty', Infinity],
  ['inf', Infinity],
  ['\\inf', Infinity],
  ['∞', Infinity],
  ['nan', NaN],
  ['NaN', NaN],
  ['\\nan', NaN],
]);

/**
 * The number of a LaTeX cell: decimals, `\frac{1}{2}` and `1/2` (one division), `1.5 \times 10^{-3}`, `-\infty`, `\text{NaN}`, thousands as
 * `1{,}000` or `1\,000`, in bold or colour. Undefined for anything else.
 */
export function latexNumber(written: string): number | undefined {
  const text = bare(written);
  if (text === undefined) return undefined;
  if (plain.test(text)) return Number(text);
  const sign = text.startsWith('-') ? -1 : 1;
  const word = words.get(text.replace(/^[-+]/, ''));
  if (word !== undefined) return sign * word;
  const power = scientific.exec(text);
  if (power) return Number(`${power[1]}e${power[2] ?? power[3]}`);
  const quotient = fraction.exec(text);
  if (quotient) return divide(quotient[1], quotient[2] ?? quotient[3], quotient[4] ?? quotient[5]);
  const line = slash.exec(text);
  return line ? divide('', line[1], line[2]) : undefined;
}

function divide(sign: string | undefined, numerator = '', denominator = ''): number | undefined {
  if (!plain.test(numerator) || !plain.test(denominator)) return undefined;
  const quotient = Number(numerator) / Number(denominator);
  return sign === '-' ? -quotient : quotient;
}

/** Two numbers between which `&` may have been forgotten, although TeX sets `3 4` as 34; not the `1 2` of `\frac 1 2`. */
const twoNumbers = /(?<!frac\s*)(?<![\d.])[\d.]+\s+[\d.]/;

/** The cell without comments, space, formatting and outer braces; undefined for two numbers. */
function bare(written: string): string | undefined {
  let text = written.replace(/%[^\n]*(?:\n|$)/g, '').replace(/\\\\(?=[A-Za-z,;!])/g, '\\');
  if (twoNumbers.test(text)) return undefined;
  text = text
    .replace(silent, '')
    .replace(/\{,\}/g, '')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/\s+(?=[^A-Za-z]|$)/g, '');
  for (let i = 0; i < 3 && text.includes('{'); i++) {
    text = text.replace(wrappers, '$1');
    const inner = /^([-+]?)\{([^{}]*)\}$/.exec(text);
    if (inner) text = `${inner[1]}${inner[2]}`;
  }
  return text.replace(/\s+/g, '').replace(/^\{([-+])\}/, '$1');
}
