/** What Python's `repr`, `str` and format specifications write. */
import { typeName, type Value } from '../machine';

/** `repr` of a float: the shortest digits that come back to it. */
export function floatText(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  if (Math.abs(x) === Infinity) return x > 0 ? 'inf' : '-inf';
  if (Object.is(x, -0)) return '-0.0';
  const [digits = '', power = '0'] = x.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16)
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const text = Math.abs(x) < 1e21 ? plainDigits(x) : String(x);
  return text.includes('.') ? text : `${text}.0`;
}

/** Without an exponent, which JavaScript writes below 1e-6. */
function plainDigits(x: number): string {
  const text = String(x);
  if (!text.includes('e')) return text;
  const [digits = '', power = '0'] = text.split('e');
  const sign = digits.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(-Number(power) - 1)}${digits.replace(/[-.]/g, '')}`;
}

export function stringText(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(quote, `\\${quote}`);
  return quote + escaped + quote;
}

/** Of plain values; undefined for those whose text depends on more (tensors, instances, what is not known). */
export function plainText(value: Value, asRepr: boolean): string | undefined {
  switch (value.kind) {
    case 'none':
      return 'None';
    case 'bool':
      return value.value ? 'True' : 'False';
    case 'int':
      return String(value.value);
    case 'float':
      return floatText(value.value);
    case 'str':
      return asRepr ? stringText(value.value) : value.value;
    case 'bytes':
      return `b${stringText(value.value)}`;
    case 'ellipsis':
      return value.name ?? 'Ellipsis';
    case 'dtype':
      return value.library === 'torch' ? `torch.${value.dtype}` : value.dtype;
    case 'device':
      return asRepr ? `device(type='${value.name}')` : value.name;
    case 'range':
      return `range(${value.start}, ${value.stop}${value.step === 1 ? '' : `, ${value.step}`})`;
    case 'class':
      return `<class '${value.name}'>`;
    default:
      return undefined;
  }
}

interface Specification {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly zero: boolean;
  readonly width: number;
  readonly group: string;
  readonly precision: number | undefined;
  readonly type: string;
}

const pattern = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su;

function specificationOf(text: string): Specification | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [, fill, align, sign, alternate, zero, width, group, precision, type] = found;
  return {
    fill: fill ?? (zero ? '0' : ' '),
    align: align ?? (zero ? '=' : ''),
    sign: sign ?? '-',
    alternate: alternate !== undefined,
    zero: zero !== undefined,
    width: Math.min(Number(width ?? 0), 1000),
    group: group ?? '',
    precision: precision === undefined ? undefined : Math.min(Number(precision), 100),
    type: type ?? '',
  };
}

/** `format(value, specification)`; undefined where we cannot say. */
export function formatted(value: Value, text: string): string | undefined {
  if (text === '') return plainText(value, false);
  const spec = specificationOf(text);
  if (!spec) return undefined;
  if (value.kind === 'str')
    return padded(spec.precision === undefined ? value.value : value.value.slice(0, spec.precision), spec, '<');
  const number = value.kind === 'int' || value.kind === 'float' ? value : undefined;
  if (!number)
    return value.kind === 'bool'
      ? padded(spec.type === 'd' ? String(Number(value.value)) : value.value ? 'True' : 'False', spec, '<')
      : undefined;
  const digits =
    value.kind === 'int' && 'dbxXo'.includes(spec.type || 'd')
      ? wholeDigits(number.value, spec)
      : realDigits(Number(number.value), spec);
  if (digits === undefined) return undefined;
  const negative = Number(number.value) < 0 || Object.is(number.value, -0);
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign;
  return padded(digits, spec, '>', sign);
}

function padded(text: string, { fill, align, width }: Specification, usual: string, sign = ''): string {
  const room = Math.max(0, width - [...text].length - sign.length);
  switch (align || usual) {
    case '<':
      return sign + text + fill.repeat(room);
    case '^':
      return fill.repeat(Math.floor(room / 2)) + sign + text + fill.repeat(Math.ceil(room / 2));
    case '=':
      return sign + fill.repeat(room) + text;
    default:
      return fill.repeat(room) + sign + text;
  }
}

function wholeDigits(value: number | bigint, { type, group, alternate }: Specification): string {
  const size = BigInt(value) < 0n ? -BigInt(value) : BigInt(value);
  const base = { b: 2, o: 8, x: 16, X: 16 }[type] ?? 10;
  const digits = type === 'X' ? size.toString(base).toUpperCase() : size.toString(base);
  return (alternate && base !== 10 ? `0${type}` : '') + grouped(digits, group, base === 10 ? 3 : 4);
}

const grouped = (digits: string, mark: string, size: number): string =>
  mark === '' ? digits : digits.replace(new RegExp(`\\B(?=(?:\\w{${size}})+$)`, 'g'), mark);

function realDigits(x: number, spec: Specification): string | undefined {
  const size = Math.abs(x);
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : 'inf';
  const { precision = 6, type } = spec;
  if (type === 'f' || type === 'F') return withGroups(fixed(size, precision), spec);
  if (type === '%') return `${withGroups(fixed(size * 100, precision), spec)}%`;
  if (type === 'e' || type === 'E')
    return type === 'E' ? scientific(size, precision).toUpperCase() : scientific(size, precision);
  if (type === 'g' || type === 'G') return general(size, precision, true);
  if (type === '' && spec.precision !== undefined) {
    const text = general(size, precision, true);
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  return type === '' ? withGroups(floatText(size), spec) : undefined;
}

function withGroups(text: string, { group }: Specification): string {
  const [whole = '', ...rest] = text.split('.');
  return [grouped(whole, group, 3), ...rest].join('.');
}

/** Correctly rounded from the number's exact value, ties to even: `toFixed` rounds ties up. */
function fixed(x: number, digits: number): string {
  if (x >= 1e21) return BigInt(x).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '');
  const up = x.toFixed(digits);
  // A tie is exact in binary, so that it has at most as many digits as its exponent says; only then are the two different.
  const exact = x.toFixed(Math.min(100, digits + 1));
  if (
    !exact.endsWith('5') ||
    Number(exact) !== x ||
    x.toFixed(Math.min(100, digits + 30)) !== exact + '0'.repeat(Math.min(100, digits + 30) - digits - 1)
  )
    return up;
  const last = Number(up.at(-1));
  return last % 2 === 0 ? up : lowered(up);
}

/** One less in the last digit, which is odd. */
const lowered = (digits: string): string => digits.slice(0, -1) + String(Number(digits.at(-1)) - 1);

function scientific(x: number, precision: number): string {
  const [digits = '', power = '0'] = x.toExponential(precision).split('e');
  const exponent = Number(power);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function general(x: number, precision: number, trim: boolean): string {
  const digits = Math.max(1, precision);
  if (x === 0) return '0';
  const exponent = Number(x.toExponential(digits - 1).split('e')[1]);
  const text = exponent < -4 || exponent >= digits ? scientific(x, digits - 1) : fixed(x, digits - 1 - exponent);
  if (!trim || !text.includes('.')) return text;
  const [mantissa = '', ...rest] = text.split('e');
  return [mantissa.replace(/\.?0+$/, ''), ...rest].join('e');
}

/** `'%d of %.2f' % values` and the like; undefined where we cannot say. */
export function percentFormatted(
  template: string,
  values: readonly Value[],
  textOf: (value: Value, asRepr: boolean) => string | undefined,
): string | undefined {
  let next = 0;
  let failed = false;
  const text = template.replace(
    /%([-+ 0#]*)(\d+)?(?:\.(\d+))?([sdifeEgGrx%])/g,
    (_, flags: string, width = '', precision: string | undefined, type: string) => {
      if (type === '%') return '%';
      const value = values[next++];
      const plain = value && (type === 's' || type === 'r' ? textOf(value, type === 'r') : undefined);
      const align = flags.includes('-') ? '<' : '>';
      const zero = flags.includes('0') && !flags.includes('-') ? '0' : '';
      const sign = flags.includes('+') ? '+' : '';
      const found =
        plain === undefined
          ? value && 'srx'.includes(type) === false
            ? formatted(
                type === 'd' || type === 'i' ? wholePart(value) : value,
                `${zero ? '' : align}${sign}${zero}${width}${precision === undefined ? '' : `.${precision}`}${type === 'i' ? 'd' : type}`,
              )
            : undefined
          : formatted({ kind: 'str', value: plain }, `${align}${width}`);
      failed ||= found === undefined;
      return found ?? '';
    },
  );
  return failed || next !== values.length ? undefined : text;
}

const wholePart = (value: Value): Value =>
  value.kind === 'float' ? { kind: 'int', value: Math.trunc(value.value) } : value;

export const kindText = (value: Value): string => `<class '${typeName(value)}'>`;
