import { t } from '../text';
import { studentReadme, teacherReadme } from './class-readme';
import type { Lesson } from './lesson';
import { csvLine } from './csv';
import { examFileName } from './front-matter';
import { handedOut } from './handed-out';
import { writeKey, type Key } from './results';
import { folderNameOf } from './students';
import { variantFileName, type VariantFile } from './variant-file';
import type { VariantText } from './variant-text';

/** A file of a class; the path is relative to its folder, with `/`. */
export interface ClassFile {
  readonly path: string;
  readonly text: string;
}

/** A student's variant, and the folder it is written to. */
export interface ClassVariant {
  readonly student: string;
  readonly seed: number | null;
  readonly folder: string;
  readonly variant: VariantText;
}

/** Folder of the teacher's files, separate from all students' folders. */
export const teacherFolder = 'teacher';
export const keyFileName = 'key.json';
/** Folders that are handed out: one for each student, or one for all. */
const studentsFolder = 'students';
const everybodyId = 'everybody';

const extensionId = 'explain-attention.explain-attention';

/** The lesson's file name in all folders: that of the teacher's file, unless one of our own files has that name. */
export function lessonFileName(name: string): string {
  const plain = folderNameOf(name.replace(/\.(?:md|markdown)$/i, ''));
  return /^readme$/i.test(plain) ? 'lesson.md' : `${plain}.md`;
}

/** All files of a class. Only the teacher's folder gets key and answers. */
export function classFiles(
  name: string,
  lesson: Lesson,
  key: Key,
  variants: readonly ClassVariant[],
  answers: string,
): ClassFile[] {
  const teacher = (path: string, text: string): ClassFile => ({ path: `${teacherFolder}/${path}`, text });
  const students = variants.length
    ? variants.flatMap((v) => studentFiles(`${studentsFolder}/${v.folder}`, name, v.variant.lesson, v))
    : studentFiles(`${studentsFolder}/${everybodyId}`, name, lesson);
  return [
    teacher('README.md', teacherReadme(lesson.title, name, variants.length)),
    teacher(keyFileName, writeKey(key)),
    // Without a byte order mark, spreadsheets assume another encoding.
    teacher('answers.csv', `\ufeff${answers}`),
    ...(key.students.some(({ code }) => code !== undefined) ? [teacher('codes.csv', `\ufeff${codesCsv(key)}`)] : []),
    teacher(name, lesson.source),
    ...students,
  ];
}

function studentFiles(
  folder: string,
  name: string,
  { source, title, exam }: Lesson,
  variant?: ClassVariant,
): ClassFile[] {
  const own: VariantFile | undefined = variant && {
    format: 'explain-attention variant', version: 1, student: variant.student, seed: variant.seed, lesson: name,
  }; // prettier-ignore
  return [
    { path: `${folder}/${name}`, text: handedOut(source) },
    ...(exam ? [{ path: `${folder}/${examFileName}`, text: examFile() }] : []),
    ...(own ? [{ path: `${folder}/${variantFileName}`, text: json(own) }] : []),
    { path: `${folder}/README.md`, text: studentReadme(title, name, variant?.student, exam) },
    { path: `${folder}/.vscode/extensions.json`, text: json({ recommendations: [extensionId] }) },
    { path: `${folder}/.vscode/settings.json`, text: json(settings) },
    { path: `${folder}/.devcontainer/devcontainer.json`, text: json(container(title)) },
  ];
}

/** Which code is whose: what the teacher hands folders out by. */
const codesCsv = ({ students }: Key): string =>
  [['student', 'code', 'id', 'email'], ...students.map((s) => [s.student, s.code ?? '', s.id ?? '', s.email ?? ''])].map(csvLine).join(''); // prettier-ignore

/** Its presence counts; what it says is for who opens it. */
const examFile = (): string => `${t('This folder is an exam: nothing in it is explained, checked or reset.')}\n`;

/** VS Code settings: equal digits for all, fixed encoding and line ends, and only the files that matter in the Explorer. */
const settings = {
  'explainAttention.digits': 4,
  'files.encoding': 'utf8',
  'files.eol': '\n',
  'files.exclude': { '.vscode': true, '.devcontainer': true, [variantFileName]: true, [examFileName]: true },
};

const container = (title: string): object => ({
  name: [...title].slice(0, 60).join('') || 'Lesson',
  image: 'mcr.microsoft.com/devcontainers/base:bookworm',
  customizations: { vscode: { extensions: [extensionId] } },
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
