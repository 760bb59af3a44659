import { axesOf, fitsOf, formatShape, roleByValues, t, type ParsedMatrix } from '../../engine/index';

/** A named matrix near the pointer and where it stands. */
export interface Near {
  readonly matrix: ParsedMatrix;
  /** `line 12`, `cell 3, line 2` */
  readonly place: string;
  /** Characters between it and the pointer. */
  readonly distance: number;
}

/** How far to either side of a literal others are looked for, in UTF-16 units. */
export const nearReach = 8192;

/** By its name, or by its name and its numbers: `A` whose rows sum to 1 are weights. */
const playing = (matrix: ParsedMatrix): { readonly role?: string } => {
  const role = matrix.role ?? roleByValues(matrix);
  return role === undefined ? {} : { role };
};

/** The nearest matrix of each role. */
export function nearestByRole(all: readonly Near[]): Near[] {
  const nearest = new Map<string, Near>();
  for (const near of all) {
    const { role } = playing(near.matrix);
    const known = role === undefined ? undefined : nearest.get(role);
    if (role !== undefined && (!known || near.distance < known.distance)) nearest.set(role, near);
  }
  return [...nearest.values()];
}

/** What others say about a matrix. */
export interface MatrixNotes {
  /** `with K (4×8), line 12: QKᵀ is 4×4`, or `does not fit K (4×6), line 12: K has 6 columns, Q has 8`. */
  readonly notes: readonly string[];
  /** What its dimensions count: a `values` or an `x` alone may be anything, one that fits with keys or weights is what its name says. */
  readonly axes: readonly string[] | undefined;
}

export function notesFromNear(matrix: ParsedMatrix, near: readonly Near[]): MatrixNotes {
  const part = (m: ParsedMatrix): Parameters<typeof fitsOf>[0] => ({ name: m.name, shape: m.shape, ...playing(m) });
  const fits = fitsOf(
    part(matrix),
    near.map((other) => part(other.matrix)),
  );
  const notes = fits.flatMap((fit) => {
    const other = near[fit.with];
    if (!other) return [];
    const { name = '', shape } = other.matrix;
    return [sentence(fit.fits, `${name} (${formatShape(shape)})`, other.place, fit.words)];
  });
  return { notes, axes: fits.some((fit) => fit.fits) ? axesOf(part(matrix)) : undefined };
}

const sentence = (fits: boolean, name: string, place: string, words: string): string =>
  fits ? t('with {0}, {1}: {2}', name, place, words) : t('does not fit {0}, {1}: {2}', name, place, words);
