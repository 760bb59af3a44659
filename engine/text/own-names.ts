/** A table that has no names but its own: `constructor` and `__proto__`, which a text may ask for, are in none. */
export const ownNames = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, entries);
