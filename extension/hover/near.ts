import { axesOf, fitsOf, formatShape, roleByValues, t, type ParsedMatrix } from '../../engine/index';

/** A matrix near the pointer, and where it is. */
export interface NearMatrix {
  readonly matrix: ParsedMatrix;
  /** For example `line 12`, or `cell 3, line 2`. */
  readonly place: string;
  /** Characters between it and the matrix at the pointer. */
  readonly distance: number;
}

/** Characters to each side of a literal in which other matrices are looked for. */
export const nearReach = 8192;

/** The role of a matrix by its name, else by name and numbers: an `A` whose rows sum to 1 is a matrix of weights. */
const roleIn = (matrix: ParsedMatrix): { readonly role?: string } => {
  const role = matrix.role ?? roleByValues(matrix);
  return role === undefined ? {} : { role };
};

/** The nearest matrix of each role. */
export function nearestByRole(all: readonly NearMatrix[]): NearMatrix[] {
  const nearest = new Map<string, NearMatrix>();
  for (const near of all) {
    const { role } = roleIn(near.matrix);
    const known = role === undefined ? undefined : nearest.get(role);
    if (role !== undefined && (!known || near.distance < known.distance)) nearest.set(role, near);
  }
  return [...nearest.values()];
}

/** What nearby matrices tell about a matrix. */
export interface MatrixNotes {
  /** `with K (4×8), line 12: QKᵀ is 4×4`, or `does not fit K (4×6), line 12: K has 6 columns, Q has 8`. */
  readonly notes: readonly string[];
  /** What each dimension counts, such as tokens. Undefined if no nearby matrix fits, because the name alone (`values`, `x`) may mean anything. */
  readonly axes: readonly string[] | undefined;
}

export function notesFromNear(matrix: ParsedMatrix, near: readonly NearMatrix[]): MatrixNotes {
  const part = (m: ParsedMatrix): Parameters<typeof fitsOf>[0] => ({ name: m.name, shape: m.shape, ...roleIn(m) });
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
