/** An output of explain(…): what the frame's page explains. */
export interface Output {
  readonly label: string;
  readonly notes: readonly string[];
  /** The page validates it. */
  readonly spec: object;
}

/**
 * Reads an output, or says what it should have been. Its spec is JSON in a text, since a notebook's file puts every number of a list on a line of its
 * own; an object is taken too.
 */
export function readOutput(value: unknown): Output | string {
  const { version, label, notes, spec } = (value ?? {}) as { readonly [name: string]: unknown };
  if (version !== 1) return `This output has version ${shown(version)}, expected 1: explain_attention.py and the extension differ in age.`;
  const read = typeof spec === 'string' ? parsed(spec) : spec;
  if (typeof read !== 'object' || read === null) return `The spec of this output is ${shown(spec)}, expected JSON.`;
  return {
    label: typeof label === 'string' ? label : 'explain',
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [],
    spec: read,
  };
} // prettier-ignore

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const shown = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40));
