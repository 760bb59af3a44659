import { notesIn, type Lesson, type LessonBlock, type Question } from '../../engine/index';

/** A part of a page: prose (Markdown without the teacher's notes), a note, a block or a question. */
export type Item =
  | { readonly kind: 'prose' | 'note'; readonly text: string; /** The block to which figures without a block's name refer. */ readonly about?: string }
  | { readonly kind: 'block'; readonly block: LessonBlock }
  | { readonly kind: 'question'; readonly question: Question }; // prettier-ignore

/** A page of a lesson: from one heading or thematic break to the next. */
export interface LessonPage {
  /** The heading, or else the first words. */
  readonly title: string;
  readonly items: readonly Item[];
  /** The block that the explainer opens with the page: the page's first block, or else that of its first question. */
  readonly opens?: LessonBlock;
}

/**
 * Splits a lesson into pages. A page begins at a heading (`#` to `######`) or a thematic break (`---`, `***`, `___` on a line of its own);
 * consecutive headings share a page. Linear in the text.
 */
export function pagesOf(lesson: Lesson): readonly LessonPage[] {
  const pages: Item[][] = [[]];
  let about: string | undefined;
  for (const part of lesson.parts) {
    if (part.kind === 'block') about = part.block.id;
    if (part.kind !== 'prose') {
      pages.at(-1)?.push(part);
      continue;
    }
    for (const { text, begins } of sectionsOf(part.text)) {
      if (begins && hasBody(pages.at(-1) ?? [])) pages.push([]);
      pages.at(-1)?.push(...proseItems(text, about));
    }
  }
  const filled = pages.filter((items) => items.length > 0);
  return filled.map((items) => pageOf(items, lesson));
}

/** The items that are presented one at a time. Teacher's notes are skipped. */
export const slidesOf = (pages: readonly LessonPage[]): readonly { readonly page: number; readonly item: number }[] =>
  pages.flatMap(({ items }, page) => items.flatMap(({ kind }, item) => (kind === 'note' ? [] : [{ page, item }])));

function pageOf(items: readonly Item[], { blocks }: Lesson): LessonPage {
  const block = items.flatMap((i) => (i.kind === 'block' ? [i.block] : []))[0];
  const about = items.flatMap((i) => (i.kind === 'question' ? [i.question.about] : []))[0];
  const opens = block ?? blocks.find(({ id }) => id === about);
  return { title: titleOf(items), items, ...(opens ? { opens } : {}) };
}

function titleOf(items: readonly Item[]): string {
  const words = items.flatMap((i) => (i.kind === 'prose' ? [i.text] : i.kind === 'question' ? [i.question.prompt] : []));
  const line = words.join('\n').split('\n').find((l) => l.trim() !== '') ?? '';
  const plain = line.replace(/^[ \t]*#+[ \t]*/, '').replace(/[*_`]/g, '').trim();
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
} // prettier-ignore

/** Whether the items consist of more than headings. */
const hasBody = (items: readonly Item[]): boolean =>
  items.some((i) => i.kind !== 'prose' || i.text.replace(/^ {0,3}#{1,6}([ \t].*)?$/gm, '').trim() !== '');

interface Section {
  readonly text: string;
  readonly begins: boolean;
}

const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Splits a text before headings and at thematic breaks, except within fenced code. A line of dashes below a paragraph makes that a heading, so it
 * is no break.
 */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let lines: string[] = [];
  let begins = false;
  let open = '';
  const cut = (next: boolean): void => {
    if (lines.length || begins) sections.push({ text: lines.join('\n'), begins });
    lines = [];
    begins = next;
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const [, mark = ''] = fence.exec(line) ?? [];
    if (open) {
      if (mark.startsWith(open) && line.trim() === mark) open = '';
    } else if (mark) open = mark;
    else if (rule.test(line) && (lines.at(-1) ?? '').trim() === '') {
      cut(true);
      continue;
    } else if (heading.test(line)) cut(true);
    lines.push(line);
  }
  cut(false);
  return sections;
}

/** Splits prose into prose and teacher's notes. */
function proseItems(text: string, about: string | undefined): Item[] {
  const named = about === undefined ? {} : { about };
  const items: Item[] = [];
  const add = (kind: 'prose' | 'note', words: string): void => {
    if (words.trim() !== '') items.push({ kind, text: words.replace(/^\s*\n/, '').trimEnd(), ...named });
  };
  let from = 0;
  for (const { start, end } of notesIn(text)) {
    add('prose', text.slice(from, start));
    add('note', noteText(text.slice(start, end)));
    from = end;
  }
  add('prose', text.slice(from));
  return items;
}

const noteText = (written: string): string =>
  written.startsWith('<!--')
    ? written.replace(/^<!--|-->$/g, '').trim().replace(/^note:[ \t]*/i, '')
    : written.replace(/^ {0,3}>[ \t]?/gm, '').trim().replace(/^note:[ \t]*/i, ''); // prettier-ignore
