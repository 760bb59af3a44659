// `explain-attention check FILE.py`, `FILE.ipynb`: what a program has printed, beside what its code computes and what attention is.
import { parseMatrices, positionAt } from '../index';
import {
  checkCode,
  codeWords,
  createAnswering,
  isRight,
  matrixName,
  resultsInComments,
  stackOf,
  type CellStart,
  type CodeChecked,
  type CodeSide,
  type PrintedMatrix,
  type PrintedStack,
  type Review,
  type StoredOutput,
} from '../program';
import { hasAttentionCode } from '../python';
import { fail, finish, ok, t, type Problem, type Result } from '../text';
import type { NotebookCode } from './notebook';

interface Code {
  readonly text: string;
  readonly cells: readonly CellStart[];
  readonly outputs: readonly StoredOutput[];
}

interface Given extends PrintedStack {
  readonly where: string;
  /** Else it is told of only where it is something known. */
  readonly isResult: boolean;
}

export interface CodeResult {
  readonly given: Given;
  readonly side: CodeSide;
  readonly checked: CodeChecked;
}

/** The attentions of a program, and its results, each beside the attention that it is of. Undefined where the code has no attention. */
export function checkProgram(
  code: Code | NotebookCode,
  asked: string | undefined,
  more: readonly PrintedStack[] = [],
): Result<readonly CodeResult[]> | undefined {
  const { text, cells, outputs } = code;
  if (!hasAttentionCode(text)) return undefined;
  const given = [...more.map((one) => ({ ...one, where: '', isResult: true })), ...resultsOf(code)];
  const chosen = asked === undefined || more.length > 0 ? given : given.filter(({ name }) => name === asked);
  const all = sidesOf(text, cells, outputs);
  if (!all.ok) return all.problems.length > 0 ? fail(...all.problems) : undefined;
  if (chosen.length === 0) return fail(noResult(asked, given));
  const found: CodeResult[] = [];
  for (const one of chosen) {
    const results = all.value.flatMap((side) => {
      const checked = finish(checkCode(side, one));
      return checked.ok ? [{ given: one, side, checked: checked.value }] : [];
    });
    const best = results.find(({ checked }) => checked.own.length > 0) ?? results.findLast(({ checked }) => isKnown(checked)) ?? results.at(-1);
    const told = asked !== undefined || (one.isResult && !(one.isComputed && best?.checked.own.length === 0));
    if (best && (told ? !isInput(best) : isStep(best))) found.push(best);
  }
  return found.length > 0 ? ok(found) : fail(noResult(asked, given));
} // prettier-ignore

const isKnown = ({ other }: CodeChecked): boolean => other !== undefined && other.is !== 'none';
const isStep = (one: CodeResult): boolean =>
  (one.checked.own.length > 0 || (isKnown(one.checked) && !one.given.isComputed)) && !isInput(one);

/** What the attention starts from is no result of it. */
const isInput = ({ checked: { own } }: CodeResult): boolean =>
  own.length > 0 && own.every(({ step }) => step.operands.length === 0);

const mostAttentions = 8;

/** The last attentions of a program: each with what is found in it. */
function sidesOf(text: string, cells: readonly CellStart[], outputs: readonly StoredOutput[]): Result<readonly CodeSide[]> {
  const answering = createAnswering();
  const review = (at?: number): Review =>
    finish(answering({ kind: 'review', text, cells, outputs, ...(at === undefined ? {} : { at }) })).answer as Review;
  const last = review();
  if (last.attention.is !== 'found') return fail(...(last.attention.is === 'refused' ? last.attention.problems : []));
  const { all, which } = last.attention;
  const others = all.map((_, i) => i).filter((i) => i !== which).slice(-mostAttentions + 1);
  return ok([...others.map(review), last].flatMap(({ side }) => side ?? []));
} // prettier-ignore

function resultsOf({ text, cells, outputs }: Code): readonly Given[] {
  if (cells.length === 0)
    return finish(resultsInComments(text)).map(({ range, isPrinted, ...one }) => ({
      ...one, where: t('line {0}', positionAt(text, range.start).line), isResult: isPrinted,
    })); // prettier-ignore
  return outputs.flatMap(({ cell, text: printed }) => {
    const number = cells.find(({ start }) => start === cell.start)?.number ?? 0;
    const shown = finish(createAnswering()({ kind: 'printed', text, outputs: [{ cell, text: printed }] })).answer as readonly PrintedMatrix[]; // prettier-ignore
    return parseMatrices(printed).matrices.flatMap((matrix) => {
      const by = shown.find(({ range }) => range.start === matrix.range.start);
      const name = by && matrixName(text.slice(by.at.start, by.at.end));
      const stack = stackOf(name ?? matrix.name ?? t('a matrix of cell {0}', number), printed, matrix);
      return stack ? [{ ...stack, where: t('cell {0}', number), isResult: by !== undefined, ...(by && by.equal === by.count && { isComputed: true }) }] : []; // prettier-ignore
    });
  });
}

function noResult(asked: string | undefined, given: readonly Given[]): Problem {
  const names = [...new Set(given.map(({ name }) => name))].join(', ') || t('none');
  return {
    code: 'no-result',
    message: asked === undefined ? t('no printed result was found') : t('{0} is no matrix of the file and no file', asked),
    hint: t('Give one with {0}; matrices by name: {1}. What the code itself does wrong says {2}.', '--result', names, 'explain-attention doctor FILE'),
  };
} // prettier-ignore

/** 0 where every result is a step of the code, and the code has no mistake. */
export const statusOf = (all: readonly CodeResult[]): number =>
  all.every(({ checked, given }) => isRight(checked, given)) ? 0 : 1;

export const linesOf = ({ given, side, checked }: CodeResult): string => {
  const [first = '', ...rest] = codeWords(checked, side.spec, given);
  const where = given.where === '' ? '' : `${given.where}: `;
  return [`${where}${first}`, ...rest.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)].join('\n');
};

export function jsonOf({ given, side, checked }: CodeResult): unknown {
  const { own, other, named, findings, departs, nearest, right: _, ...rest } = checked;
  return {
    name: given.name, where: given.where, is: own.length > 0 ? 'step' : 'none', isRight: isRight(checked, given), ...rest,
    steps: own.map((found) => ({ ...found, step: found.step.id })),
    ...(nearest && { nearest: { ...nearest, step: nearest.step.id } }),
    ...(other && { other: { is: other.is, ...('named' in other && { named: other.named }) } }),
    mistakes: named.flatMap(({ mistakes }) => mistakes.map((set) => set.map(({ id }) => id))),
    findings: findings.map(({ line, ...one }) => ({ ...one, where: line.where, code: line.code })),
    ...(departs && { departs: { where: departs.where, code: departs.code } }),
    words: codeWords(checked, side.spec, given),
  }; // prettier-ignore
}
