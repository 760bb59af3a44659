// The README files in a class's folders, in the language of whoever sets the class up.
import { t } from '../text';

/** Text escaped so that nothing in it is Markdown. */
const quoted = (text: string): string => text.replace(/[\\`*_[\]<>#!|]/g, '\\$&');

const lines = (...parts: readonly (string | undefined)[]): string =>
  `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;

/** For a student: how to open the lesson, work on it and hand it in. */
export const studentReadme = (title: string, lesson: string, student?: string, exam = false): string =>
  lines(
    `# ${quoted(title)}`,
    student === undefined
      ? undefined
      : t('This folder is for **{0}**: the numbers in it are yours alone.', quoted(student)),
    `## ${t('Open')}`,
    `1. ${t('Install the extension **Explain Attention**: VS Code offers it when this folder is opened. If you were given a file that ends in `.vsix`, install that instead: Extensions view, the menu `…`, *Install from VSIX…*. It needs no network, no account and no Python.')}
2. ${t('*File: Open Folder…* and choose this folder. Where VS Code asks whether you trust the authors, either answer will do.')}
3. ${t('Open `{0}` and run **Explain Attention: Open Course or Lesson…** from the Command Palette (`F1`).', lesson)}`,
    t(
      'Without an installation: in a browser, where your teacher gives you an address (Codespaces or code-server), or in a dev container (*Reopen in Container*; its image is loaded from the network once).',
    ),
    `## ${t('Work')}`,
    exam
      ? examWork(lesson)
      : t(
          'The lesson is on one side, the live explanation on the other. Answer, check, take a hint, look at the arithmetic. What a question asks for is hidden on both sides until you have answered it. Your progress is kept in this workspace and survives closing the window. You can also read `{0}` as plain Markdown; do not change the numbers in it.',
          lesson,
        ),
    `## ${t('Hand In')}`,
    t(
      'Press **Hand In** in the lesson, or run **Explain Attention: Hand In**. It writes one file, `….results.json`, beside the lesson. Give that file to your teacher, as it is. It holds your name, your answers, the number of attempts and minutes, whether an answer was shown to you, when you handed it in by your computer’s clock, and checksums; nothing else, and nothing is sent anywhere by itself.',
    ),
  );

const examWork = (lesson: string): string =>
  t(
    'This is an exam. Answer, and keep each answer: you are not told whether it is right, and can change it until you hand in; each time counts as an attempt. Nothing is explained, and the explainer stays closed. What a question asks for is hidden in the figures. Your answers are kept in this workspace and survive closing the window. You can also read `{0}` as plain Markdown; do not change anything in it.',
    lesson,
  );

/** For the teacher: which files to hand out and which to keep. */
export const teacherReadme = (title: string, lesson: string, students: number): string =>
  lines(
    `# ${t('{0}: for the teacher', quoted(title))}`,
    t('Keep this folder to yourself.'),
    `| ${t('file')} | ${t('what')} |
|---|---|
| \`${lesson}\` | ${t('the lesson as you wrote it')} |
| \`key.json\` | ${t('the lesson and each student’s seed: what grading needs')} |
| \`answers.csv\` | ${students ? t('the right answers, a line for each student') : t('the right answers, one line for all')} |`,
    `## ${t('Hand out')}`,
    students
      ? t(
          '`../students` has {0} folders, one for each student, each with other numbers of the same difficulty. Give each student theirs.',
          students,
        )
      : t('`../students/everybody` is for all: everybody has the same numbers.'),
    t('Put the extension’s `.vsix` into it where there is no network.'),
    `## ${t('Collect and grade')}`,
    t(
      'Put the results files (`….results.json`) into `../students`, each into its student’s folder or all into one, then run **Explain Attention: Grade Class…** on the folder that holds this one, or in a terminal:',
    ),
    '    explain-attention grade FOLDER --csv marks.csv --html report.html',
    t(
      'Every right answer is computed again from `key.json`. Files that are damaged, incomplete, written for somebody else’s numbers, handed in twice or missing are named. This tells accidents, not forgery: a student has the same program, and can write any file.',
    ),
  );
