/** A mask alone: what it hides and shows under each convention that takes such numbers, and which of these is likely meant. */
import { t } from '../../text';
import { conventions, type Convention, type ConventionId, type MaskKind } from './conventions';
import { shownBy, type Sees, type Shown } from './pattern';
import { oddWords, patternWords, pictureOf, sizeWords } from './words';

/** One meaning of a mask: several conventions may share it. */
export interface MaskReading {
  readonly conventions: readonly ConventionId[];
  /** Their names, for people. */
  readonly names: readonly string[];
  readonly shown: Shown;
  readonly words: readonly string[];
  readonly picture: string;
}

export interface ReadMask {
  readonly kind: MaskKind;
  readonly rows: number;
  readonly columns: number;
  readonly readings: readonly MaskReading[];
  /** What is asked of the reader, where one reading is odd and another is not. */
  readonly question?: string;
}

/** Below this an added number hides a key. */
const addedHides = -50;

/** Numbers that may be a mask: 0 and 1, or 0 beside numbers that hide. Undefined for any other matrix. */
export function maskKindOf(rows: readonly (readonly number[])[]): MaskKind | undefined {
  const all = rows.flat();
  const has = (x: number): boolean => all.includes(x);
  if (all.length < 2 || rows.some((row) => row.length !== rows[0]?.length)) return undefined;
  if (all.every((x) => x === 0 || x === 1)) return has(0) && has(1) ? 'truth' : undefined;
  return all.every((x) => x === 0 || x <= addedHides) && has(0) && all.some((x) => x <= addedHides) ? 'added' : undefined; // prettier-ignore
}

/** What a mask says; undefined for a matrix that is none. `tokens` name the queries in the picture. */
export function readMask(rows: readonly (readonly number[])[], tokens: readonly string[] = []): ReadMask | undefined {
  const kind = maskKindOf(rows);
  if (!kind) return undefined;
  const [n, m] = [rows.length, rows[0]?.length ?? 0];
  const own = conventions.filter(({ takes }) => takes === kind);
  const meanings = [...new Set(own.map(({ hides }) => hides))];
  const readings = meanings.map((hides) => readingOf(rows, own.filter((one) => one.hides === hides), hides, tokens)); // prettier-ignore
  const question = questionOf(readings);
  return { kind, rows: n, columns: m, readings, ...(question !== undefined && { question }) };
}

function readingOf(
  rows: readonly (readonly number[])[],
  of: readonly Convention[],
  hides: Convention['hides'],
  tokens: readonly string[],
): MaskReading {
  const [n, m] = [rows.length, rows[0]?.length ?? 0];
  const sees: Sees = (i, j) => !hides(rows[i]?.[j] ?? 0);
  const shown = shownBy(n, m, sees);
  return {
    conventions: of.map(({ id }) => id),
    names: of.map(({ name }) => name()),
    shown,
    words: [patternWords(shown.pattern), ...oddWords(shown, n), sizeWords(n, m, shown.hidden)],
    picture: pictureOf(n, m, sees, tokens),
  };
}

const reversed = new Set(['future', 'after', 'none']);
const oneOff = new Set(['before', 'next']);

/** Never a finding: what a mask is given to is not known here. */
function questionOf(readings: readonly MaskReading[]): string | undefined {
  const odd = readings.find(({ shown }) => reversed.has(shown.pattern.is));
  const usual = readings.find(({ shown }) => ['causal', 'padding', 'causal padding', 'prefix'].includes(shown.pattern.is)); // prettier-ignore
  if (odd && usual) return t('Given to {0}, this mask shows what others hide: is it meant for {1}?', odd.names[0], usual.names[0]); // prettier-ignore
  const off = readings.find(({ shown }) => oneOff.has(shown.pattern.is));
  if (off) return t('Given to {0}, this mask is one off from causal: does its triangle begin at the right diagonal?', off.names[0]); // prettier-ignore
  return undefined;
}

export { conventions, type Convention, type ConventionId, type MaskKind } from './conventions';
export { shownBy, type Pattern, type Shown } from './pattern';
export { sideBySide } from './words';
