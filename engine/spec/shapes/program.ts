import { t, counted } from '../../text';
import { programLimit, type ProgramStep } from '../fields';
import { checkLimit, wholeFrom } from '../limits';
import { report, tensor, type Checker, type StartOf } from './checker';

const size = wholeFrom(1, 1 << 20);
const operandsOf: Readonly<Partial<Record<ProgramStep['op'], 1 | 2>>> = { matmul: 2, add: 2, combine: 2, mask: 2 };

/** That each step has operands that come before it and a name of its own. Whether their shapes fit is the planner's to say. */
export function checkProgram(check: Checker, { steps, tokens }: StartOf<'program'>): void {
  checkLimit(check.problems, 'start.tokens.queries', tokens.queries, size);
  checkLimit(check.problems, 'start.tokens.keys', tokens.keys, size);
  if (steps.length === 0) report(check, 'empty', 'start.steps', t('{0} is empty', 'start.steps'));
  if (steps.length > programLimit.steps)
    report(check, 'too-large', 'start.steps', t('the program has {0} steps, the limit is {1}', steps.length, programLimit.steps)); // prettier-ignore
  const known = new Set<string>();
  let numbers = 0;
  for (const [i, step] of steps.entries()) {
    const path = `start.steps[${i}]`;
    checkId(check, `${path}.id`, step.id, known);
    if (step.op === 'given') numbers += tensor(check, `${path}.values`, step.values).reduce((a, b) => a * b, 1);
    else checkOperands(check, path, step, known);
    if (step.op === 'rearrange') checkView(check, path, step);
    if (step.op === 'splitHeads') checkLimit(check.problems, `${path}.heads`, step.heads, wholeFrom(1, 256));
    if (step.op === 'repeatHeads') checkLimit(check.problems, `${path}.times`, step.times, wholeFrom(1, 256));
    if (step.op === 'join') checkLimit(check.problems, `${path}.axis`, step.axis, wholeFrom(1, 4));
    if (step.op === 'pick') checkPicked(check, path, step);
    if (step.range && !(step.range.length === 2 && step.range.every(Number.isInteger)))
      report(check, 'field', `${path}.range`, t('{0}: expected a start and an end', `${path}.range`));
    known.add(step.id);
  }
  if (numbers > programLimit.numbers)
    report(check, 'too-large', 'start.steps', t('the program gives {0} numbers, the limit is {1}', numbers, programLimit.numbers)); // prettier-ignore
}

function checkId(check: Checker, path: string, id: string, known: ReadonlySet<string>): void {
  if (!/^[A-Za-z]\w{0,40}$/.test(id))
    report(check, 'field', path, t('{0}: expected letters and digits, found {1}', path, id));
  if (known.has(id)) report(check, 'field', path, t('{0}: {1} is there twice', path, id));
}

function checkOperands(
  check: Checker,
  path: string,
  { op, operands }: Exclude<ProgramStep, { op: 'given' }>,
  known: ReadonlySet<string>,
): void {
  const wanted = operandsOf[op] ?? 1;
  if (op === 'join') checkLimit(check.problems, `${path}.operands`, operands.length, wholeFrom(1, programLimit.steps));
  else if (operands.length !== wanted)
    report(check, 'field', `${path}.operands`, t('{0}: expected {1}, found {2}', `${path}.operands`, counted(wanted, 'name'), operands.length)); // prettier-ignore
  const missing = operands.find((id) => !known.has(id));
  if (missing !== undefined)
    report(check, 'field', `${path}.operands`, t('{0}: no step {1} before it', `${path}.operands`, missing));
}

function checkPicked(check: Checker, path: string, { shape, places }: Extract<ProgramStep, { op: 'pick' }>): void {
  const cells = shape.reduce((a, b) => a * b, 1);
  const whole = [...shape, ...places].every((x) => Number.isInteger(x) && x >= 0);
  if (!whole || shape.length < 2 || shape.length > 4 || cells === 0 || cells !== places.length)
    report(check, 'field', path, t('{0}: expected 2 to 4 whole sizes and a place for each cell', path));
}

function checkView(
  check: Checker,
  path: string,
  { shape, strides, offset }: Extract<ProgramStep, { op: 'rearrange' }>,
): void {
  const whole = [...shape, ...strides, offset].every((x) => Number.isInteger(x) && Math.abs(x) <= programLimit.numbers);
  const fits = shape.length >= 2 && shape.length <= 4 && shape.length === strides.length && shape.every((x) => x > 0);
  const cells = shape.reduce((a, b) => a * b, 1);
  if (!whole || !fits || offset < 0 || cells > programLimit.numbers)
    report(check, 'field', path, t('{0}: expected 2 to 4 whole sizes and as many strides', path));
}
