/** The lines between `---` at the very beginning of a lesson: what holds for the whole lesson. */
import { t, type Problem, type TextRange } from '../text';

export interface FrontMatter {
  /** The lines with both `---`; empty where a lesson has none. */
  readonly range: TextRange;
  /** Nothing shows what is right, and answers are kept without a word. */
  readonly exam: boolean;
  /** When hand-ins are late, as it is written: `2026-12-01T10:00Z`. */
  readonly due?: string;
  readonly problems: readonly Problem[];
}

const none: FrontMatter = { range: { start: 0, end: 0 }, exam: false, problems: [] };

const longest = 4000;
const opening = /^\ufeff?---[ \t]*(?:\r\n?|\n)/;
const closing = /^---[ \t]*$/;
const field = /^([A-Za-z][\w-]*)[ \t]*:(.*)$/;
/** A field, a comment, an item or a continued value: anything else is prose between two rules. */
const isYaml = (line: string): boolean => line.trim() === '' || field.test(line) || /^(?:[ \t]|#|- )/.test(line);

const yes = /^(?:true|yes|on)$/i;
const no = /^(?:false|no|off)$/i;
/** ISO 8601 with a zone: without one it would be another moment on every machine. */
const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds since 1970 of a moment as it is written; undefined if it is none. */
export function momentOf(written: string): number | undefined {
  if (!moment.test(written)) return undefined;
  const time = Date.parse(written.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(time) ? undefined : time;
}

/** Reads the fields `exam` and `due`. Other fields belong to other programs and are passed over. */
export function frontMatterOf(source: string): FrontMatter {
  const begin = opening.exec(source.slice(0, 200))?.[0];
  if (begin === undefined) return none;
  const problems: Problem[] = [];
  let exam = false;
  let due: string | undefined;
  let at = begin.length;
  for (const line of source.slice(at, at + longest).split(/(?<=\r\n|\r(?!\n)|\n)/)) {
    const written = line.replace(/[\r\n]+$/, '');
    const end = at + line.length;
    if (closing.test(written))
      return { range: { start: 0, end }, exam, ...(due === undefined ? {} : { due }), problems };
    if (!isYaml(written)) return none;
    const [, name, value = ''] = field.exec(written) ?? [];
    const plain = value.replace(/(?:^|[ \t])#.*$/, '').trim().replace(/^(["'])(.*)\1$/, '$2'); // prettier-ignore
    const wrong = (message: string, hint: string): void =>
      void problems.push({ code: 'front-matter', message, hint, range: { start: at, end: at + written.length } });
    if (name === 'exam') {
      exam = !no.test(plain);
      if (!yes.test(plain) && !no.test(plain)) wrong(t('exam: expected yes or no, found {0}', plain.slice(0, 40) || t('nothing')), t('It is taken as an exam until this is mended.')); // prettier-ignore
    } else if (name === 'due') {
      due = plain;
      if (momentOf(plain) === undefined) wrong(t('due: expected a moment with a time zone, found {0}', plain.slice(0, 40) || t('nothing')), t('For example 2026-12-01T10:00Z, or 2026-12-01T11:00+01:00.')); // prettier-ignore
    } else if (name !== undefined && /^(?:exam|due)s?$/i.test(name))
      wrong(t('{0}: written {1}', name, name.toLowerCase().replace(/s$/, '')), t('Names are in small letters.'));
    at = end;
  }
  return none;
}

/** A file of this name in a folder makes every lesson there an exam. */
export const examFileName = 'explain-attention.exam';
