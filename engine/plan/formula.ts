import type { Role } from './words';

/** A symbol of a formula with the part it plays. */
export interface Symbol {
  readonly role: Role;
  readonly latex: string;
}

export interface Formula {
  /** LaTeX as one would paste it into a paper. */
  readonly plain: string;
  /** The same with each symbol in `\htmlClass{role-…}{…}`, for a renderer that colours roles. */
  readonly roles: string;
}

export const symbol = (role: Role, latex: string): Symbol => ({ role, latex });

/** LaTeX from a template whose holes are symbols (coloured) or plain strings: formula`${S} = ${Q}${K}^{\\top}`. */
export function formula(parts: TemplateStringsArray, ...holes: readonly (Symbol | string | number)[]): Formula {
  const join = (render: (s: Symbol) => string): string =>
    parts.raw.reduce((latex, part, i) => {
      const hole = holes[i];
      return latex + part + (hole === undefined ? '' : typeof hole === 'object' ? render(hole) : String(hole));
    }, '');
  return { plain: join((s) => s.latex), roles: join((s) => `\\htmlClass{role-${s.role}}{${s.latex}}`) };
}

/** A number as LaTeX: JavaScript's `1e-7` would be typeset as 1e − 7. */
export function latexNumber(x: number): string {
  const [digits = '', power] = String(x).split('e');
  if (power === undefined) return digits;
  const ten = `10^{${Number(power)}}`;
  return digits === '1' || digits === '-1' ? digits.replace('1', ten) : `${digits} \\times ${ten}`;
}
