import { t } from '../text';
import { definitions, shapeSchema, type Schema } from './kinds';
import { fieldNames, fields, kinds, type FieldName } from './spec';

const draft = 'https://json-schema.org/draft/2020-12/schema';

const isField = (name: string): name is FieldName => Object.hasOwn(fields, name);

/** The JSON schema of a spec, with descriptions in the reader's language. */
export function specSchema(): Schema {
  const { properties, ...rest } = shapeSchema(kinds);
  const described = Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, schema]) => [
    name,
    isField(name) ? { ...schema, description: fields[name].describe() } : schema,
  ]);
  return {
    $schema: draft,
    title: t('Explain Attention: spec, version 1'),
    description: t('Everything needed to get the same numbers again.'),
    ...rest,
    properties: Object.fromEntries(described) as Schema,
    $defs: definitions(),
  };
}

/** That of a lesson's block: a spec whose absent fields have the defaults. */
export function blockSchema(): Schema {
  const references = Object.keys({ ...kinds.required, ...kinds.optional }).map((name) => [
    name,
    { $ref: `spec.schema.json#/properties/${name}` },
  ]);
  return {
    $schema: draft,
    title: t('Explain Attention: block of a lesson'),
    description: t('The block attention as JSON: a spec whose absent fields have the defaults.'),
    type: 'object',
    properties: Object.fromEntries(references) as Schema,
    required: fieldNames.filter((name) => fields[name].initial === 'asked'),
    additionalProperties: false,
  };
}

/** The schema files that are shipped, by name, in English: `npm run build` writes them. */
export const schemaFiles = (): Readonly<Record<string, Schema>> => ({
  'spec.schema.json': specSchema(),
  'lesson-block.schema.json': blockSchema(),
});
