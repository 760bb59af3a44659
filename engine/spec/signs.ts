/* JSON.parse reads -0 as −0, and JSON.stringify writes −0 as 0: what a spec is saved, sent or linked as would have other numbers. */

/** Fields of a spec with whole numbers, to which a sign says nothing. */
const counted: ReadonlySet<string> = new Set(['ids', 'pieces']);

/** A spec with each −0 of its matrices as '-0'; elsewhere a sign of 0 says nothing, and is dropped. The same object where there is none. */
export const withSigns = <T>(spec: T): T => signed(spec, 0) as T;

function signed(value: unknown, negativeZero: 0 | '-0'): unknown {
  if (Object.is(value, -0)) return negativeZero;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? items(value, negativeZero) : fields(value as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: Fields): Fields {
  let made: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const now = signed(field, Array.isArray(field) && !counted.has(name) ? '-0' : 0);
    if (Object.is(now, field)) continue;
    made ??= { ...value };
    made[name] = now;
  }
  return made ?? value;
}

function items(value: readonly unknown[], negativeZero: 0 | '-0'): readonly unknown[] {
  let made: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const now = signed(value[i], negativeZero);
    if (!Object.is(now, value[i])) (made ??= value.slice())[i] = now;
  }
  return made ?? value;
}
