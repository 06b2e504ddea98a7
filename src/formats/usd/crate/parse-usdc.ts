import type { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { isNamespacedName, isTypeName } from '../layer/check-names.ts';
import type { FieldValue, Layer, Spec, SpecType } from '../layer/layer.ts';
import { isIdentifier } from '../layer/path-syntax.ts';
import { FIELD_TYPES, isListOpKeyword } from '../text/metadata-fields.ts';
import { parseFieldText } from '../text/parse-metadata.ts';
import { crateError, createByteReader } from './byte-reader.ts';
import { createMemoryBudget, reserveMemory } from './crate-limits.ts';
import { type CrateReader, pathAt, tokenAt } from './crate-reader.ts';
import { SPEC_TYPES, TARGET_TYPES, TOKEN_WORD_FIELDS, VERSION } from './data-types.ts';
import { fitField, fitTargets, fitValues } from './fit-values.ts';
import { readPaths } from './read-paths.ts';
import {
  END_OF_SET,
  type FieldTable,
  readFieldSets,
  readFields,
  readSpecs,
  readStrings,
  readTableOfContents,
  readTokens,
  type SpecTable,
} from './read-sections.ts';
import { readValue, reportSkippedField } from './read-values.ts';

/** Memory of a spec, and of each of its fields. */
const SPEC_BYTES = 128;
const FIELD_BYTES = 96;

function nameError(name: string, what: string): FormatError {
  return crateError(`Found ${JSON.stringify(name.slice(0, 80))}, expected the name ${what}`, null);
}

/**
 * Converts a value that a program stored in another type than the field has: the text of a field that its OpenUSD did not know, 0 and 1 as booleans,
 * variant selections as a dictionary.
 */
function asFieldType(name: string, value: FieldValue): FieldValue {
  const typeName = FIELD_TYPES.get(name);
  if (value.type === 'unregistered' && typeName !== undefined) {
    const isText = typeName === 'string' || typeName === 'token';
    return (
      parseFieldText(name, value.text) ?? (isText ? { type: typeName, isArray: false, texts: [value.text] } : value)
    );
  }
  if (typeName === 'bool' && 'numbers' in value && 'isArray' in value && !value.isArray) {
    const number = Number(value.numbers[0]);
    if (number === 0 || number === 1) return { type: 'bool', isArray: false, numbers: Uint8Array.of(number) };
  }
  if (name !== 'variantSelection' || value.type !== 'dictionary') return value;
  const selections = new Map<string, string>();
  for (const [set, one] of value.entries) {
    if ((one.type !== 'string' && one.type !== 'token') || one.isArray) return value;
    selections.set(set, one.texts[0]);
  }
  return { type: 'variantSelections', selections };
}

/** Returns a function that reads field values on first use, since many specs share them. */
function fieldReader(
  crate: CrateReader,
  { names, reps }: FieldTable,
): (index: number, path: string) => [string, FieldValue] | null {
  const known = new Array<[string, FieldValue] | null | undefined>(names.length);
  return (index, path) => {
    const before = known[index];
    if (before !== undefined) return before;
    const name = tokenAt(crate, names[index]);
    if (!isNamespacedName(name) || isListOpKeyword(name)) throw nameError(name, 'of a field');
    const rep = { low: reps[2 * index], high: reps[2 * index + 1] };
    let value = readValue(crate, rep, 0);
    if (value === null) reportSkippedField(crate, path, name, rep);
    else if (value.type === 'token' && !value.isArray && TOKEN_WORD_FIELDS.has(name)) {
      value = { type: 'word', word: value.texts[0] };
    }
    if (value !== null) value = asFieldType(name, value);
    const fitted = value === null ? null : fitField(name, value);
    if (value !== null && fitted !== value) {
      const what =
        fitted === null
          ? `The field ${name} of ${path} has a value of type ${value.type}, which this field cannot have; it was left out`
          : `The field ${name} of ${path} has invalid or repeated items, which were left out`;
      crate.issues.push(issue('USD_CRATE_UNUSUAL', what));
    }
    const field: [string, FieldValue] | null = fitted === null ? null : [name, fitted];
    known[index] = field;
    return field;
  };
}

/** Returns the type of a spec; null if the spec is skipped, which is reported if it is unusual. */
function specType(crate: CrateReader, number: number, path: string, specs: Layer['specs']): SpecType | null {
  const type = SPEC_TYPES.get(number);
  if (type !== undefined && path !== '' && !specs.has(path)) return type;
  if (TARGET_TYPES.has(number)) return null;
  const what =
    type === undefined
      ? `The spec of ${path} has the type ${number}, which anyrig does not support; it was skipped`
      : path === ''
        ? `A spec of type ${type} has no path; it was skipped`
        : `The file has several specs of ${path}; the first was used`;
  crate.issues.push(issue('USD_CRATE_UNUSUAL', what));
  return null;
}

/** Lists of target specs in old files; `connectionPaths` and `targetPaths` contain the same. */
const TARGET_LISTS: ReadonlySet<string> = new Set(['connectionChildren', 'targetChildren']);

/** The specifier of prims without one. Text files always have one. */
const OVER: FieldValue = { type: 'word', word: 'over' };

/** Tests whether a field only repeats the default: binary files have such fields, text files omit them. */
function isDefault(type: SpecType, name: string, value: FieldValue): boolean {
  if (name === 'custom') return value.type === 'bool' && value.numbers[0] === 0;
  if (name === 'variability') {
    return value.type === 'word' && value.word === (type === 'relationship' ? 'uniform' : 'varying');
  }
  return TARGET_LISTS.has(name);
}

/** Checks that text files can contain the type name of a spec: that of a prim may be empty, that of an attribute is not. */
function checkTypeName(type: SpecType, typeName: FieldValue | undefined): void {
  if (typeName === undefined || (type !== 'prim' && type !== 'attribute')) return;
  const name = typeName.type === 'token' && !typeName.isArray ? typeName.texts[0] : null;
  if (name === null) throw crateError(`Found a type name of type ${typeName.type}, expected a token`, null);
  const isValid = type === 'prim' ? name === '' || isIdentifier(name) : isTypeName(name);
  if (!isValid) throw nameError(name, type === 'prim' ? 'of a prim type' : 'of a type');
}

function readSpecFields(crate: CrateReader, table: SpecTable, fields: FieldTable, sets: Uint32Array): Layer['specs'] {
  const specs = new Map<string, Spec>();
  const readField = fieldReader(crate, fields);
  for (let i = 0; i < table.paths.length; i++) {
    reserveMemory(crate.budget, SPEC_BYTES);
    const path = pathAt(crate, table.paths[i]);
    const type = specType(crate, table.types[i], path, specs);
    if (type === null) continue;
    const spec: Spec = { type, fields: new Map() };
    let at = table.fieldSets[i];
    for (; at < sets.length && sets[at] !== END_OF_SET; at++) {
      reserveMemory(crate.budget, FIELD_BYTES);
      if (sets[at] >= fields.names.length)
        throw crateError(
          `Found a reference to field ${sets[at]}, but the file has ${fields.names.length} fields`,
          null,
        );
      const field = readField(sets[at], path);
      if (field !== null && !isDefault(type, field[0], field[1])) spec.fields.set(field[0], field[1]);
    }
    if (at >= sets.length) throw crateError(`The field set of ${path} has no end`, null);
    checkTypeName(type, spec.fields.get('typeName'));
    if (fitTargets(spec)) {
      const what = `The property ${path} has targets that are empty, in a variant, repeated or not paths; they were left out`;
      crate.issues.push(issue('USD_CRATE_UNUSUAL', what));
    }
    const misfit = type === 'attribute' || type === 'relationship' ? fitValues(spec) : null;
    if (misfit !== null) {
      const what = `The ${type} ${path} has a value of type ${misfit}, which it cannot have; the value was left out`;
      crate.issues.push(issue('USD_CRATE_UNUSUAL', what));
    }
    if (type === 'prim' && !spec.fields.has('specifier')) spec.fields.set('specifier', OVER);
    specs.set(path, spec);
  }
  return specs;
}

/**
 * Parses a binary layer of any version from 0.0.1 on. Versions newer than 0.12.0 are read as far as possible. Values of unsupported types are
 * skipped with an issue. Fields that only repeat a default are dropped (see {@link Spec}), so that the layer equals that of the text file. Specs and
 * fields are in the order of the file.
 * Aligned arrays are views of `bytes`: a change to one changes the other. Equal values may share one object.
 *
 * @throws FormatError `USD_CRATE` if the file is damaged, incomplete or not binary USD; `USD_LIMIT` if values are nested too deeply or the file
 *   needs far more memory than its size suggests.
 * Source: OpenUSD, crateFile.cpp (versions 0.0.1 to 0.12.0).
 * @example
 * ```ts
 * const layer = parseUsdc(new Uint8Array(await readFile('hero.usdc')));
 * layer.specs.get('/Hero/Mesh.points')?.fields.get('default'); // { type: 'float3', isArray: true, numbers: Float32Array }
 * ```
 */
export function parseUsdc(bytes: Uint8Array): Layer {
  const source = createByteReader(bytes);
  const { version, sections } = readTableOfContents(source);
  const { minor } = version;
  const budget = createMemoryBudget(bytes.length);
  const reading = { source, sections, minor, budget };
  const issues: Issue[] = [];
  if (minor > VERSION.newest) {
    const message = `The file has version 0.${minor}, the newest supported version is 0.${VERSION.newest}; unsupported values were skipped`;
    issues.push(issue('USD_CRATE_UNUSUAL', message, { offset: 8 }));
  }
  const tokens = readTokens(reading);
  const strings = readStrings(reading);
  const fields = readFields(reading);
  const fieldSets = readFieldSets(reading);
  const paths = readPaths(reading, version, tokens);
  const table = readSpecs(reading, version);
  const crate: CrateReader = { source, minor, tokens, strings, paths, budget, issues, arrays: new Map() };
  const specs = readSpecFields(crate, table, fields, fieldSets);
  if (specs.get('/')?.type !== 'pseudoRoot') throw crateError('The spec of the pseudo-root / is missing', null);
  return { specs, issues };
}
