// Finds the fields and values that are allowed at a position, from the JSON schemas. Tests compare the schemas with the parser.
import { schemaFiles } from '../../engine/index';
import questionSchema from '../schemas/lesson-question.schema.json';
import type { Frame } from './cursor';

/** The keywords of JSON Schema that our schemas use. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | boolean;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** A schema, and the file that its references are relative to. */
export interface Located {
  readonly schema: Schema;
  readonly root: Schema;
}

const files: Readonly<Record<string, Schema>> = {
  // Descriptions are translated: this file is loaded after the language is known.
  ...schemaFiles(),
  'lesson-question.schema.json': questionSchema as unknown as Schema,
};
const rootOf = (name: string): Located => ({ schema: files[name] ?? {}, root: files[name] ?? {} });
export const questionRoot = rootOf('lesson-question.schema.json');
export const blockRoot = rootOf('lesson-block.schema.json');

/** The schemas of a field of a spec, for words in a block's opening line. `path` has the field's name, with dots. */
export const specField = (path: string): readonly Located[] =>
  path.split('.').reduce<readonly Located[]>(
    (at, name) => at.flatMap((l) => childOf(l, name)).flatMap((l) => alternatives(l)),
    alternatives(blockRoot),
  ); // prettier-ignore

/** The schemas of the value that the last frame's key leads to, or of the last frame itself (`inside: true`). */
export function schemasAt(root: Located, frames: readonly Frame[], inside: boolean): readonly Located[] {
  let at: readonly Located[] = [root];
  for (const [i, frame] of frames.entries()) {
    at = fittingSchemas(at.flatMap((l) => alternatives(l)).filter(({ schema }) => isFor(schema, frame)), frame);
    if (inside && i === frames.length - 1) return at;
    at = at.flatMap((l) => (frame.key === undefined ? [] : childOf(l, frame.key)));
  }
  return at.flatMap((l) => alternatives(l));
} // prettier-ignore

const isFor = (schema: Schema, { list }: Frame): boolean =>
  list ? schema.items !== undefined : schema.properties !== undefined;

/** The alternatives of a schema that fit the written fields: `"kind": "number"` leaves one. All of them if none fits. */
function fittingSchemas(all: readonly Located[], { fields }: Frame): readonly Located[] {
  let left = all;
  for (const [name, value] of fields) {
    const has = left.filter(({ schema }) => schema.properties && Object.hasOwn(schema.properties, name));
    if (has.length) left = has;
    const same = left.filter((l) => childOf(l, name).flatMap((c) => alternatives(c)).some(({ schema }) => allows(schema, value)));
    if (same.length) left = same;
  }
  return left;
} // prettier-ignore

function allows(schema: Schema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  return schema.enum === undefined || schema.enum.includes(value);
}

function childOf({ schema, root }: Located, key: string | number): Located[] {
  const { items, properties } = schema;
  if (typeof key === 'number') return typeof items === 'object' ? [{ schema: items, root }] : [];
  const found = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return found ? [{ schema: found, root }] : [];
}

/** A schema with references resolved and alternatives listed. A description beside a reference overrides that of its target. */
export function alternatives({ schema, root }: Located, depth = 0): readonly Located[] {
  if (depth > 12) return [];
  const described = (l: Located): Located =>
    schema.description === undefined ? l : { ...l, schema: { ...l.schema, description: schema.description } };
  if (schema.$ref !== undefined) {
    const target = resolve(schema.$ref, root);
    return target ? alternatives(target, depth + 1).map(described) : [];
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (!branches) return [{ schema, root }];
  return branches.flatMap((branch) =>
    alternatives({ schema: { ...(schema.description === undefined ? {} : { description: schema.description }), ...branch }, root }, depth + 1),
  );
} // prettier-ignore

function resolve(ref: string, root: Schema): Located | undefined {
  const [name = '', pointer = ''] = ref.split('#');
  const file = name === '' ? root : files[name];
  const found = pointer.split('/').filter((p) => p !== '').reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined),
    file,
  ); // prettier-ignore
  return file && found ? { schema: found as Schema, root: file } : undefined;
}

/** The values that a schema enumerates. */
export const valuesOf = ({ schema }: Located): readonly unknown[] =>
  schema.const !== undefined ? [schema.const] : (schema.enum ?? (schema.type === 'boolean' ? [true, false] : []));
