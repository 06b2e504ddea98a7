/** The JSON Schemas of the package, compiled by ajv. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const folder = new URL('../../../schema/', import.meta.url);

/** File names of all schemas. */
export const SCHEMA_NAMES: readonly string[] = readdirSync(folder).filter((name) => name.endsWith('.schema.json'));

/** Returns a schema as an object. */
export function schemaOf(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, unknown>;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
for (const name of SCHEMA_NAMES) ajv.addSchema(schemaOf(name));

/** Validates a value against a schema, named without `.schema.json`. */
export function keepsSchema(schema: string, value: unknown): boolean {
  const validate = ajv.getSchema(`${schema}.schema.json`);
  if (validate === undefined) throw new Error(`There is no schema ${schema}`);
  return validate(value) === true;
}

export const ROOT_SCHEMA = 'glTF.EXT_skeleton_humanoid';
export const TARGET_SCHEMA = 'animation.channel.target.EXT_skeleton_humanoid';
export const EXTRAS_SCHEMA = 'animation.extras.EXT_skeleton_humanoid';
