// What a class's folders say about themselves.

/** A text in a heading or a sentence: nothing in it is Markdown. */
const quoted = (text: string): string => text.replace(/[\\`*_[\]<>#!|]/g, '\\$&');

/** For a student: how to open, work and hand in. */
export const studentReadme = (title: string, lesson: string, student?: string): string => `# ${quoted(title)}
${student === undefined ? '' : `\nThis folder is for **${quoted(student)}**: the numbers in it are yours alone.\n`}
## Open

1. Install the extension **Explain Attention**: VS Code offers it when this folder is opened. If you were given a file that ends in \`.vsix\`, install that
   instead: Extensions view, the menu \`…\`, *Install from VSIX…*. It needs no network, no account and no Python.
2. *File: Open Folder…* and choose this folder.
3. Open \`${lesson}\` and run **Explain Attention: Open Lesson** from the Command Palette (\`F1\`).

Without an installation: in a browser, where your teacher gives you an address (Codespaces or code-server), or in a dev container (*Reopen in Container*; its
image is loaded from the network once).

## Work

The lesson is on one side, the live explanation on the other. Answer, check, take a hint, look at the arithmetic. Your progress is kept in this
workspace and survives closing the window. You can also read \`${lesson}\` as plain Markdown; do not change the numbers in it.

## Hand in

Run **Explain Attention: Hand In**. It writes one file, \`….results.json\`, beside the lesson. Give that file to your teacher, as it is. It holds your
name, your answers, the number of attempts and minutes, and checksums; nothing else, and nothing is sent anywhere by itself.
`;

/** For the teacher: what to hand out and what to keep. */
export const teacherReadme = (
  title: string,
  lesson: string,
  students: number,
): string => `# ${quoted(title)}: for the teacher

Keep this folder to yourself.

| file | what |
|---|---|
| \`${lesson}\` | the lesson as you wrote it |
| \`key.json\` | the lesson and each student's seed: what grading needs |
| \`answers.csv\` | the right answers, ${students ? 'a line for each student' : 'one line for all'} |

## Hand out

${students ? `\`../students\` has ${students} folders, one for each student, each with other numbers of the same difficulty. Give each student theirs.` : '`../students/everybody` is for all: everybody has the same numbers.'}
Put the extension's \`.vsix\` into it where there is no network.

## Collect and grade

Put the results files (\`….results.json\`) into \`../students\`, each into its student's folder or all into one, then run **Explain Attention: Grade Class** on the folder
that holds this one, or in a terminal:

    explain-attention grade FOLDER --csv marks.csv --html report.html

Every right answer is computed again from \`key.json\`. Files that are damaged, incomplete, written for somebody else's numbers, handed in twice or missing are
named. This tells accidents, not forgery: a student has the same program, and can write any file.
`;
