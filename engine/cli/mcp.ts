// `explain-attention mcp`: the tools as a server of the Model Context Protocol, one JSON message a line on standard input and output.
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createAnswering } from '../formula';
import type { NamedFile } from '../program';
import { fail, finish, inStretches, ok, t, type Result } from '../text';
import { createServer, type ToolHost } from '../tools';
import { readBounded } from './files';
import { importsBeside } from './imports';
import { errorText, failedOutcome, type Outcome } from './lesson';

const mcpUsage = (): string =>
  t(`Usage: explain-attention mcp

Serves tools to language models over the Model Context Protocol, on standard input and output: check_attention_numbers, explain_attention_cell,
check_shapes, explain_live_variable. An agent starts it by itself; its configuration is {"command": "explain-attention", "args": ["mcp"]}.
Files are read below the folder in which it is started, and nowhere else; nothing is written or sent, and no code is run.
`);

/** Larger files are no code. */
const largestFile = 4_000_000;

/** Runs until standard input ends. */
export async function serveTools(words: readonly string[], version: string): Promise<Outcome> {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: mcpUsage(), error: '' };
  if (words.length > 0) return failedOutcome(2, `explain-attention mcp: ${t('unknown option {0}', words[0])}\n\n${mcpUsage()}`); // prettier-ignore
  const serve = createServer(terminalHost(process.cwd()), version);
  let last: Promise<void> = Promise.resolve();
  for await (const line of createInterface({ input: process.stdin })) {
    last = last.then(async () => {
      const answer = await serve(line);
      if (answer !== undefined) process.stdout.write(`${answer}\n`);
    });
  }
  await last;
  return { status: 0, out: '', error: '' };
}

/** Times that a question is asked again because its program imports files: a file may import others. */
const mostRounds = 6;

function terminalHost(folder: string): ToolHost {
  const answering = createAnswering();
  const run: ToolHost['run'] = async (work) => (await inStretches(work, () => false)) as never;
  return {
    run,
    read: (path) => Promise.resolve(readWithin(folder, path)),
    async ask(kind, asked, path) {
      const find = path === undefined ? undefined : importsBeside(resolve(folder, path));
      const files: NamedFile[] = [];
      for (let round = 1; ; round++) {
        const { answer, missing } = finish(answering({ kind, ...asked, files } as Parameters<typeof answering>[0]));
        const found = missing.flatMap((module) => {
          const file = find?.(module);
          return file ? [{ module, ...file }] : [];
        });
        if (found.length === 0 || round === mostRounds) return ok(answer as never);
        files.push(...found);
      }
    },
  };
}

/** A file of the folder or below it, links followed. */
function readWithin(folder: string, path: string): Result<string> {
  try {
    const real = realpathSync(resolve(folder, path));
    const below = relative(realpathSync(folder), real);
    if (below === '' || below.startsWith('..') || isAbsolute(below))
      return fail({ code: 'file', message: t('{0} is outside of the folder', path), hint: t('Files are read in {0} and below.', folder) });
    return readBounded(real, largestFile);
  } catch (error) {
    return fail({ code: 'file', message: t('cannot read {0}: {1}', path, errorText(error)) });
  }
} // prettier-ignore
