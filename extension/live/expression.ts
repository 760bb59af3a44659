import { readerSource } from './reader-source';

/** A text as Python writes it, in ASCII. */
const python = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Numbers, texts, None and lists of them as Python writes them. */
export function pythonOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(',')}]`;
  return value === null ? 'None' : typeof value === 'string' ? python(value) : String(value);
}

/**
 * One expression, no statement: what it calls has its names in a dictionary of its own. `names` are those of the frame; they are copied, so nothing
 * can be bound in it. `explicit` is an expression of the program, evaluated because a person asked for that.
 */
export function readerCall(mode: 'describe' | 'deep' | 'tensors', paths: readonly string[]): string {
  const names = mode === 'tensors' ? '{**locals()}' : '{**globals(),**locals()}';
  return `(lambda d,n:(exec(${python(readerSource)},d),d['ea'](n,'${mode}',${pythonOf(paths)}))[1])({},${names})`;
}

/** What a value is read by: a path of names, which runs nothing, or an expression that a person asked for. */
export type Target = { readonly path: string } | { readonly expression: string };

/** Indexes and ranges of the first axes. */
export type Selection = readonly (number | readonly [start: number, end: number])[];

export function infoCall(target: Target): string {
  if ('path' in target) return readerCall('describe', [target.path]);
  return `(lambda d,x:(exec(${python(readerSource)},d),d['ea']({},'info',x))[1])({},(${target.expression}))`;
}

export function bytesCall(target: Target, selection: Selection, start: number, count: number): string {
  const rest = `${pythonOf(selection)},${start},${count}`;
  if ('path' in target)
    return `(lambda d,n:(exec(${python(readerSource)},d),d['ea'](n,'bytes',[${python(target.path)},None,${rest}]))[1])({},{**globals(),**locals()})`;
  return `(lambda d,x:(exec(${python(readerSource)},d),d['ea']({},'bytes',[None,x,${rest}]))[1])({},(${target.expression}))`;
}

/** What the reader answered, or its sentence why not. Anything else comes from the adapter and is an error too. */
export function answerIn(text: string): { readonly bytes: Uint8Array } | { readonly why: string } {
  const inner = /^\s*(['"]?)EA1([:!])([A-Za-z0-9+/=]*)\1\s*$/.exec(text);
  if (!inner) return { why: text.slice(0, 300) };
  const bytes = fromBase64(inner[3] ?? '');
  if (!bytes) return { why: text.slice(0, 300) };
  return inner[2] === ':' ? { bytes } : { why: new TextDecoder().decode(bytes) };
}

function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
