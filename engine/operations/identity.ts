import { formula, part } from './formula';
import { first, firstShape, need, type CodeLine, type Operation } from './operation';

/** The operand unchanged: a stage that is switched off. */
export interface Identity {
  readonly op: 'identity';
}

const same = (_: Identity, line: CodeLine): string => first(line);

export const identity: Operation<Identity, 'view'> = {
  shape: firstShape,
  work: () => 0,
  kernel: (_, [a]) => need(a),
  gpu: 'view',
  part: 'cell by cell',
  made: (_, cell, cells) => ({ ...cell, kind: 'unchanged', operand: cells.read(0, cell.index) }),
  nextCell: 'same place',
  picture: 'result',
  formula: (_, result, [a]) => formula`${result} = ${part(a)}`,
  step: 'by role',
  numpy: same,
  torch: same,
};
