/** `\\alpha^t = \\dots`: what an equation defines is no power. Where a document defines a name with a letter above it, that letter counts everywhere. */
import type { Parsed } from './meaning';
import { bare, mapped, statements, type Expression, type SymbolPart } from './tree';

interface Above {
  readonly base: SymbolPart;
  readonly letter: SymbolPart;
}

/** Replaces the expressions in which such a name stands. */
export function readCountedAbove(parsed: Parsed[]): void {
  const names = new Set<string>();
  for (const { expression } of parsed)
    for (const one of expression ? statements(expression) : []) {
      const [left] = one.kind === 'relation' && /^[=∈]$/.test(one.signs[0] ?? '') ? one.sides : [];
      const found = left && aboveOf(left);
      if (found) names.add(keyOf(found));
    }
  if (names.size === 0) return;
  parsed.forEach((one, i) => {
    if (one.expression) parsed[i] = { ...one, expression: mapped(one.expression, (of) => indexed(of, names)) };
  });
}

const keyOf = ({ base, letter }: Above): string => `${base.name}^${letter.name}`;

function aboveOf(of: Expression): Above | undefined {
  if (of.kind === 'transpose' && of.small && of.of.kind === 'symbol' && /^[a-zα-ω]$/.test(of.of.name))
    return { base: of.of, letter: { kind: 'symbol', name: 't', range: of.range } };
  if (of.kind !== 'power' || of.base.kind !== 'symbol' || !/^[a-zα-ω]$/.test(of.base.name)) return undefined;
  const letter = bare(of.exponent);
  return letter.kind === 'symbol' && /^[a-z]$/.test(letter.name) && !letter.index && letter.label === undefined ? { base: of.base, letter } : undefined; // prettier-ignore
}

function indexed(of: Expression, names: ReadonlySet<string>): Expression {
  const found = aboveOf(of);
  return found && names.has(keyOf(found)) ? { ...found.base, index: [...(found.base.index ?? []), found.letter], range: of.range } : of; // prettier-ignore
}
