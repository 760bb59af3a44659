/** Shapes that follow from equations: of W in Q = XW, where Q and X are declared. */
import type { Dim, Shape } from '../../program/tensor/dims';
import { statements } from '../document';
import type { Expression } from '../tree';
import { readingAt, type Document } from './context';
import { shapeOf } from './shapes';
import { open, resolved, soleName, unify } from './sizes';

const isOpen = (dim: Dim): boolean => soleName(dim)?.startsWith('?') ?? false;

/** Each equation by itself; where two disagree on a size, it stays open. */
export function inferFrom(document: Document, expression: Expression): void {
  for (const one of statements(expression)) {
    if (one.kind !== 'relation') continue;
    const r = readingAt(document, one.range.end);
    shapeOf(r, one);
    if (r.problems.length > 0) continue;
    for (const [key, shape] of r.local) learnShape(document, key, shape, one.range.start);
  }
}

function learnShape(document: Document, key: string, shape: Shape, at: number): void {
  const { sizes, declared, defined } = document;
  const found = shape.map((dim) => resolved(sizes, dim));
  if (found.every(isOpen) || defined.has(key)) return;
  const known = declared.get(key);
  if (!known) return void declared.set(key, [{ at, shape: found, inferred: true }]);
  const [first] = known;
  if (!first?.inferred || first.shape.length !== found.length) return;
  const agreed = first.shape.map((dim, i) => (unify(sizes, dim, found[i] as Dim) === true ? dim : open(sizes, 'n')));
  declared.set(key, [{ ...first, shape: agreed }]);
}
