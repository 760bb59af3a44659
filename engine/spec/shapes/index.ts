/** Compares the shapes of a well-formed spec's tensors with each other, a file for each part of attention. */
import { t, counted, type Problem } from '../../text';
import { checkAlsoHidden } from './also-hidden';
import { checkBlock } from './block';
import { maskShape } from './mask';
import { checkLimit, labelLimit, wholeFrom, widthLimit } from '../limits';
import { dimsOf, rowCounts, scoresDims, textRows, type Dims } from '../dims';
import { checkBatches, report, show, tensor, type Checker, type StartOf } from './checker';
import { checkProgram } from './program';
import { checkOutput } from './output';
import { checkDecode, checkPositions } from './places';
import { checkFused, checkHeadWidth, checkUnprojected, checkWeights, type SourceWidths } from './projections';
import { valueHeads, hasX } from '../fields';
import { fieldNames, fields, type AttentionSpec, type SpecHeads } from '../spec';
import { checkPieces, largestId, tokensOf, usesVocabulary } from '../pieces';

/** What does not fit in a well-formed spec, each with the path of the field, what was found and what was expected. */
export function checkSpec(spec: AttentionSpec): Problem[] {
  const check: Checker = { spec, problems: [] };
  checkLimits(check);
  const { start } = spec;
  if (start.from === 'program') {
    checkProgram(check, start);
    if (check.problems.length === 0) checkLabels(check);
    return check.problems;
  }
  if (start.from === 'qkv') checkQkv(check, start);
  else if (start.from === 'scores') checkScoresAndV(check, 'start.scores', start.scores, start.v);
  else if (start.from === 'weights') checkScoresAndV(check, 'start.weights', start.weights, start.v);
  else checkProjected(check);
  checkModelWidth(check);
  checkMask(check);
  checkAlsoHidden(spec, check.problems);
  checkPositions(spec, check.problems);
  checkDecode(spec, check.problems);
  checkLabels(check);
  if (check.problems.length === 0) checkOutput(check);
  if (check.problems.length === 0 && hasX(spec)) {
    const widths = sourceWidths(check);
    checkBlock(check, widths.q, (layer) => {
      const { projections } = layer.spec;
      if (projections.from === 'given') checkWeights(layer, projections, widths);
    });
  }
  return check.problems;
}

/** Columns of what queries, keys and values are made of. */
function sourceWidths(check: Checker): SourceWidths {
  const q = inputWidth(check);
  const k = contextWidth(check, q);
  return { q, k, v: valuesWidth(check, k) };
}

/** What each field's value may be by itself, and beside the others: said where the field is declared. */
function checkLimits({ spec, problems }: Checker): void {
  for (const name of fieldNames) {
    const { limits } = fields[name];
    if (limits !== 'none') limits(spec, problems);
  }
}

/**
 * Where there is no X, d_model is as wide as a random W_O and what √d_model divides by. As a width it has the bound of what can be named;
 * a plan of it may still be too large to compute. What it divides by is only a number.
 */
function checkModelWidth(check: Checker): void {
  const { start, dModel, outputProjection, scale } = check.spec;
  if (start.from !== 'qkv' && start.from !== 'scores' && start.from !== 'weights') return;
  const isWidth = outputProjection?.from === 'random' && start.v !== undefined;
  const divides = scale === 'sqrt_d_model' && start.from !== 'weights';
  const most = isWidth ? labelLimit : Number.MAX_SAFE_INTEGER;
  if (isWidth || divides) checkLimit(check.problems, 'dModel', dModel, wholeFrom(1, most));
}

function checkQkv(check: Checker, start: StartOf<'qkv'>): void {
  const q = tensor(check, 'start.q', start.q);
  const k = tensor(check, 'start.k', start.k);
  const kvHeads = check.spec.kvHeads ?? check.spec.heads;
  const perHead = (dims: Dims, heads: number): number => (dims.length > 2 ? 1 : heads);
  const widths = [q, k].map((d, i) => (d.at(-1) ?? 0) / perHead(d, i === 0 ? check.spec.heads : kvHeads));
  if (widths[0] !== widths[1]) {
    report(
      check,
      'shape-mismatch',
      'start.k',
      t('K has {0}, Q has {1}', counted(widths[1] ?? 0, 'column'), widths[0]),
      t('QKᵀ needs the same d_k in both: Q is {0}, K is {1}.', show(q), show(k)),
    );
  }
  checkGivenHeads(check, 'start.q', q, check.spec.heads);
  checkGivenHeads(check, 'start.k', k, kvHeads);
  checkHeadWidth(check, widths[0] ?? 0);
  checkBatches(check, 4, { 'start.q': q, 'start.k': k });
  if (!start.v) return;
  const v = tensor(check, 'start.v', start.v);
  checkBatches(check, 4, { 'start.q': q, 'start.v': v });
  checkGivenHeads(check, 'start.v', v, valueHeads(check.spec));
  if (v.at(-2) !== k.at(-2)) {
    report(
      check,
      'shape-mismatch',
      'start.v',
      t('V has {0}, K has {1}', counted(v.at(-2) ?? 0, 'row'), k.at(-2)),
      t('Each key needs its value: K is {0}, V is {1}.', show(k), show(v)),
    );
  }
}

/** Two dimensions are cut into heads; three or four give them. */
function checkGivenHeads(check: Checker, path: string, dims: Dims, heads: number): void {
  const symbol = path.slice(-1).toUpperCase();
  if (dims.length === 2 && (dims[1] ?? 0) % heads !== 0) {
    report(
      check,
      'heads',
      path,
      t('{0} has {1}, which {2} heads do not share evenly', symbol, counted(dims[1] ?? 0, 'column'), heads),
    );
  }
  if (dims.length > 2 && dims.at(-3) !== heads) {
    report(
      check,
      'heads',
      path,
      t('{0} is {1}, expected {2} as its number of heads, found {3}', symbol, show(dims), heads, dims.at(-3)),
    );
  }
}

function checkScoresAndV(check: Checker, path: string, given: SpecHeads, values: SpecHeads | undefined): void {
  const dims = tensor(check, path, given);
  const { heads } = check.spec;
  if (dims.length > 2 ? dims.at(-3) !== heads : heads !== 1) {
    report(check, 'heads', path, t('{0} is {1}, expected a matrix for each of {2} heads', path, show(dims), heads));
  }
  if (!values) return;
  const v = tensor(check, 'start.v', values);
  checkGivenHeads(check, 'start.v', v, valueHeads(check.spec));
  checkBatches(check, 4, { [path]: dims, 'start.v': v });
  if (v.at(-2) !== dims.at(-1)) {
    report(
      check,
      'shape-mismatch',
      'start.v',
      t('V has {0}, {1} has {2}', counted(v.at(-2) ?? 0, 'row'), path, counted(dims.at(-1) ?? 0, 'column')),
      t('Each key needs its value.'),
    );
  }
}

function checkProjected(check: Checker): void {
  const { spec } = check;
  const { projections } = spec;
  const widths = sourceWidths(check);
  checkAddedPositions(check, widths.q);
  if (projections.from === 'random') checkHeadWidth(check, projections.dK);
  else if (projections.from === 'given') checkWeights(check, projections, widths);
  else if (projections.from === 'fused') checkFused(check, projections, widths);
  else checkUnprojected(check, widths);
}

function inputWidth(check: Checker): number {
  const { start, dModel, embedding } = check.spec;
  if (start.from === 'x') return tensor(check, 'start.x', start.x, 3).at(-1) ?? 0;
  const most = largestOf(check);
  if (embedding?.from !== 'given') {
    checkLimit(check.problems, 'dModel', dModel, widthLimit);
    return dModel;
  }
  const table = tensor(check, 'embedding.table', embedding.table, 2);
  if (most >= (table[0] ?? 0)) {
    report(
      check,
      'shape-mismatch',
      start.from === 'ids' ? 'start.ids' : 'start.text',
      t('id {0} is outside of the table, which has {1}', most, counted(table[0] ?? 0, 'row')),
    );
  }
  return table[1] ?? 0;
}

/** The largest id, which a table must reach. */
function largestOf(check: Checker): number {
  const { start } = check.spec;
  if (start.from === 'ids') return checkIds(check, start.ids);
  return start.from === 'text' ? checkTextIds(check, start) : 0;
}

function checkTextIds(check: Checker, start: StartOf<'text'>): number {
  const problem = usesVocabulary(start) ? checkPieces(start) : undefined;
  if (problem) check.problems.push(problem);
  return tokensOf(start).reduce((most, t) => Math.max(most, t.id), 0);
}

/** The largest id; a table of random rows reaches that far. */
function checkIds(check: Checker, ids: readonly number[]): number {
  if (ids.length === 0) report(check, 'empty', 'start.ids', t('start.ids is empty'));
  ids.forEach((id, i) => {
    checkLimit(check.problems, `start.ids[${i}]`, id, wholeFrom(0, largestId));
  });
  return ids.reduce((most, id) => Math.max(most, id), 0);
}

function contextWidth(check: Checker, dModel: number): number {
  const { start } = check.spec;
  if (start.from !== 'x' || !start.context) return dModel;
  const context = tensor(check, 'start.context', start.context, 3);
  checkBatches(check, 3, { 'start.x': dimsOf(start.x), 'start.context': context });
  return context.at(-1) ?? 0;
}

/** The input of the values, where it is one of its own: a row for each key. */
function valuesWidth(check: Checker, keyWidth: number): number {
  const { start } = check.spec;
  if (start.from !== 'x' || !start.values) return keyWidth;
  const path = 'start.values';
  const found = tensor(check, path, start.values, 3);
  checkBatches(check, 3, { 'start.x': dimsOf(start.x), [path]: found });
  const { keys } = rowCounts(start);
  if (found.at(-2) !== keys)
    report(check, 'shape-mismatch', path, t('{0} has {1}, expected {2}', path, counted(found.at(-2) ?? 0, 'row'), keys), t('Each key needs its value.')); // prettier-ignore
  return found.at(-1) ?? 0;
}

function checkAddedPositions(check: Checker, dModel: number): void {
  const { positions, start } = check.spec;
  if (positions === 'sinusoidal-concatenated' && dModel % 2 === 1) {
    report(
      check,
      'odd-width',
      'positions',
      t('concatenated positions need an even d_model, found {0}', dModel),
      t('Half of the columns are sines, half are cosines.'),
    );
  }
  if (typeof positions !== 'object') return;
  const dims = tensor(check, 'positions.learned', positions.learned, 2);
  const n =
    start.from === 'x'
      ? dimsOf(start.x).at(-2)
      : start.from === 'ids'
        ? start.ids.length
        : (textRows(start) ?? dims[0]);
  if (dims[0] !== n || dims[1] !== dModel) {
    report(check, 'shape-mismatch', 'positions.learned', t('positions are {0}, X is {1}×{2}', show(dims), n, dModel));
  }
}

function checkMask(check: Checker): void {
  const { mask } = check.spec;
  if (typeof mask !== 'object') return;
  if (mask.kind !== 'boolean' && mask.kind !== 'additive') return;
  const dims = tensor(check, 'mask.values', mask.values);
  const expected = scoresDims(check.spec);
  if (expected.length && !maskShape(dims, expected)) {
    report(
      check,
      'shape-mismatch',
      'mask.values',
      t('the mask is {0}, the scores are {1}', show(dims), show(expected)),
      t('Each of its axes is 1, or as large as that of the scores.'),
    );
  }
}

/** A name for each row, or none: a name too few would stand at the wrong rows. */
function checkLabels(check: Checker): void {
  const { start, labels } = check.spec;
  if (!labels || start.from === 'text' || start.from === 'ids') return;
  const counts = rowCounts(start);
  for (const side of ['queries', 'keys'] as const) {
    const found = labels[side]?.length;
    if (found === undefined || found === counts[side]) continue;
    report(
      check,
      'shape-mismatch',
      `labels.${side}`,
      t('labels.{0} has {1}, expected {2}', side, counted(found, 'name'), counts[side]),
    );
  }
}

export { maskShape, spread, writeSpread } from './mask';
