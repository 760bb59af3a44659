/** Shapes that follow from equations: of W in Q = XW, where Q and X are declared. */
import type { Dim, Shape } from '../../program';
import { statements, type Expression } from '../tree';
import { shapeOf, type Document, type Reading } from './context';
import { readingAt } from './shapes';
import { hasOpen, isOpen, resolved, restore, undecided, unify } from './sizes';

/** Each equation by itself; where two disagree on a size, it stays open. */
export function inferFrom(document: Document, expression: Expression): void {
  for (const one of statements(expression)) {
    if (one.kind !== 'relation') continue;
    const before = document.sizes.order.length;
    const r = { ...readingAt(document, one), statedOnly: true };
    shapeOf(r, one);
    if (r.problems.length > 0) {
      restore(document.sizes, before);
      continue;
    }
    for (const [key, shape] of [...r.local]) learnShape(document, key, shape, one.range.start, isGuessed(r, key));
    // Sizes that rest on a guess are no sizes of other formulas.
    if (r.ground.guesses > 0) restore(document.sizes, before);
  }
}

/** With two names whose shape is only usual, an equation forces neither. */
const isGuessed = ({ guessed, ground }: Reading, key: string): boolean =>
  ground.guesses > 0 || [...guessed].some((one) => one !== key);

function learnShape(document: Document, key: string, shape: Shape, at: number, isGuessed: boolean): void {
  const { sizes, declared, defined } = document;
  const found = shape.map((dim) => resolved(sizes, dim)).map((dim) => (isOpen(dim) || !hasOpen(dim) ? dim : undecided));
  if (found.every(isOpen) || defined.has(key)) return;
  const known = declared.get(key);
  if (!known) return void declared.set(key, [{ at, shape: found, inferred: true, ...(isGuessed && { isGuessed }) }]);
  const [first] = known;
  if (!first?.inferred || first.shape.length !== found.length) return;
  const agreed = first.shape.map((dim, i) => (unify(sizes, dim, found[i] as Dim) === true ? dim : undecided));
  declared.set(key, [{ ...first, shape: agreed, isGuessed: first.isGuessed === true && isGuessed }]);
}
