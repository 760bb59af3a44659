import { withSigns } from './signs';
import { settableFields } from './spec';

/* Fields as they are written in a line: `--set` of the terminal, the opening line of a lesson's block. */

/** `random.seed` and what it is to be. */
export interface FieldSetting {
  readonly path: string;
  readonly value: unknown;
}

/** Whether a path begins at a field that may be changed. */
export const isSettable = (path: string): boolean =>
  (settableFields as readonly string[]).includes(path.split('.')[0] ?? '');

/** `causal` is a word, `2` a number, `{"kind":…}` JSON. */
export function settingValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A copy of a spec with settings, not checked; a −0 among the numbers of a matrix is kept. */
export function withSettings(spec: unknown, settings: readonly FieldSetting[]): unknown {
  const copy = JSON.parse(JSON.stringify(withSigns(spec))) as Record<string, unknown>;
  for (const { path, value } of settings) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const at = keys.reduce<Record<string, unknown>>((from, key) => objectAt(from, key), copy);
    write(at, last, value);
  }
  return withSigns(copy);
}

function objectAt(from: Record<string, unknown>, key: string): Record<string, unknown> {
  const found = Object.hasOwn(from, key) ? from[key] : undefined;
  if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  const made: Record<string, unknown> = {};
  write(from, key, made);
  return made;
}

/** Also a field that is called `__proto__`. */
function write(at: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
}
