/**
 * Formulas of public tutorials, notes and papers beside what their texts mean: `npx tsx test/precision/formulas.ts FOLDER [--all]`. The list of documents is
 * formulas/wild.csv, what each formula means formulas/wild.txt (another pair: `--list=unseen-1`); FOLDER has the documents under the names of the list, and their text is not kept here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formulasOf, type Formula } from '../../engine/formula/index';
import { agreesWith, meaningsOf, saidOf } from './formulas/compare';

const own = join(__dirname, 'formulas');

/** `usual`: a guess, shown as one, that agrees with the text; `guess`: one that does not. */
type Verdict = 'right' | 'usual' | 'guess' | 'refused' | 'alone' | 'wrong' | 'silent';

interface Judged {
  readonly at: string;
  readonly verdict: Verdict;
  /** Whether the text gives it shapes, so that refusing it is a gap. */
  readonly hasShapes: boolean;
  readonly said: string;
  readonly meant: string;
}

const offsetOf = (text: string, line: number, column: number): number => {
  let start = 0;
  for (let i = 1; i < line; i++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
};

function verdictOf(formula: Formula | undefined, meant: string): Verdict {
  if (!formula) return agreesWith('-', meant) ? 'right' : 'silent';
  const isGuess = formula.status === 'understood' && formula.assumed;
  if (agreesWith(saidOf(formula), meant)) return isGuess ? 'usual' : 'right';
  if (isGuess) return 'guess';
  if (formula.status === 'understood') return 'wrong';
  return formula.status === 'refused' ? 'refused' : 'alone';
}

function judge(
  folder: string,
  name: string,
  places: readonly { readonly at: string; readonly meant: string }[],
): readonly Judged[] {
  const file = ['md', 'tex'].map((end) => join(folder, `${name}.${end}`)).find((path) => existsSync(path));
  if (!file) return [];
  const text = readFileSync(file, 'utf8');
  const { formulas } = formulasOf(text, file.endsWith('.tex') ? 'latex' : 'markdown');
  return places.map(({ at, meant }) => {
    const [line = 1, column = 1] = at.split(':').map(Number);
    const offset = offsetOf(text, line, column);
    // A formula may begin behind the place: the place is that of its signs, or of its environment.
    const formula = formulas.find(({ outer }) => outer.start <= offset && offset < outer.end) ?? formulas.find(({ outer }) => outer.start > offset && outer.start <= offset + 3); // prettier-ignore
    const said = formula ? saidOf(formula) : 'none';
    const problem = formula?.problems[0]?.message;
    return { at: `${name} ${at}`, verdict: verdictOf(formula, meant), hasShapes: /[×1-9*A-Za-z]/.test(meant.replace(/[RS|;\- ]/g, '')), said: problem === undefined ? said : `${said} (${problem})`, meant }; // prettier-ignore
  });
}

function main([folder, ...options]: readonly string[]): void {
  if (folder === undefined) throw new Error('npx tsx test/precision/formulas.ts FOLDER [--all]');
  const list = options.find((one) => one.startsWith('--list='))?.slice(7) ?? 'wild';
  const judged = [...meaningsOf(readFileSync(join(own, `${list}.txt`), 'utf8'))].flatMap(([name, places]) =>
    judge(folder, name, places),
  );
  const withShapes = judged.filter(({ hasShapes }) => hasShapes);
  const count = (all: readonly Judged[], verdict: Verdict): number =>
    all.filter((one) => one.verdict === verdict).length;
  const line = (all: readonly Judged[]): string => (['right', 'usual', 'guess', 'refused', 'alone', 'wrong', 'silent'] as const).map((verdict) => `${verdict} ${count(all, verdict)}`).join(', '); // prettier-ignore
  console.log(`${judged.length} formulas: ${line(judged)}`);
  console.log(
    `${withShapes.length} whose text gives shapes: ${line(withShapes)}; right ${((100 * count(withShapes, 'right')) / Math.max(1, withShapes.length)).toFixed(1)} %`,
  );
  for (const { at, verdict, said, meant } of judged)
    if (verdict !== 'right' || options.includes('--all'))
      console.log(`${verdict.padEnd(8)} ${at}: ${said}  —  ${meant}`);
}

main(process.argv.slice(2));
