/** Binary files of USD: `.usdc`, crates. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { FieldValue, Layer, Spec, SpecType } from '../layer/layer.ts';
import { createByteReader, crateError } from './byte-reader.ts';
import { type CrateReader, pathAt, tokenAt } from './crate-reader.ts';
import { createMemoryBudget, reserveMemory } from './crate-limits.ts';
import { readPaths } from './read-paths.ts';
import {
  END_OF_SET,
  type FieldTable,
  readFieldSets,
  readFields,
  readTableOfContents,
  readSpecs,
  readStrings,
  readTokens,
  type SpecTable,
} from './read-sections.ts';
import { readValue, reportSkippedField } from './read-values.ts';
import { SPEC_TYPES, TARGET_TYPES, TOKEN_WORD_FIELDS, VERSION } from './data-types.ts';

/** What a spec takes in memory, and each of its fields. */
const SPEC_BYTES = 128;
const FIELD_BYTES = 96;

/** Values of fields, read when they are first asked for: many specs share them. */
function fieldReader(
  crate: CrateReader,
  { names, reps }: FieldTable,
): (index: number, path: string) => [string, FieldValue] | null {
  const known = new Array<[string, FieldValue] | null | undefined>(names.length);
  return (index, path) => {
    const before = known[index];
    if (before !== undefined) return before;
    const name = tokenAt(crate, names[index]);
    const rep = { low: reps[2 * index], high: reps[2 * index + 1] };
    let value = readValue(crate, rep, 0);
    if (value === null) reportSkippedField(crate, path, name, rep);
    else if (value.type === 'token' && !value.isArray && TOKEN_WORD_FIELDS.has(name)) {
      value = { type: 'word', word: value.texts[0] };
    }
    const field: [string, FieldValue] | null = value === null ? null : [name, value];
    known[index] = field;
    return field;
  };
}

/** The type of a spec; null, and reported when that is odd, for one that is left out. */
function specType(crate: CrateReader, number: number, path: string, specs: Layer['specs']): SpecType | null {
  const type = SPEC_TYPES.get(number);
  if (type !== undefined && path !== '' && !specs.has(path)) return type;
  if (TARGET_TYPES.has(number)) return null;
  const what =
    type === undefined
      ? `The spec of ${path} is of type ${number}, which anyrig does not read`
      : path === ''
        ? `A spec of type ${type} has no path`
        : `There are several specs of ${path}; the first was taken`;
  crate.issues.push(issue('USD_CRATE_UNUSUAL', what));
  return null;
}

/** Lists of the specs of targets, which old files have; `connectionPaths` and `targetPaths` say the same. */
const TARGET_LISTS: ReadonlySet<string> = new Set(['connectionChildren', 'targetChildren']);

/** What prims are where files do not say, and texts always do. */
const OVER: FieldValue = { type: 'word', word: 'over' };

/** Whether a field of a spec says only what is so anyway: files have it, texts leave it out. */
function isImplied(type: SpecType, name: string, value: FieldValue): boolean {
  if (name === 'custom') return value.type === 'bool' && value.numbers[0] === 0;
  if (name === 'variability') {
    return value.type === 'word' && value.word === (type === 'relationship' ? 'uniform' : 'varying');
  }
  return TARGET_LISTS.has(name);
}

function makeSpecs(crate: CrateReader, table: SpecTable, fields: FieldTable, sets: Uint32Array): Layer['specs'] {
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
        throw crateError(`Field ${sets[at]} is referred to, of ${fields.names.length}`, null);
      const field = readField(sets[at], path);
      if (field !== null && !isImplied(type, field[0], field[1])) spec.fields.set(field[0], field[1]);
    }
    if (at >= sets.length) throw crateError(`The fields of ${path} have no end`, null);
    if (type === 'prim' && !spec.fields.has('specifier')) spec.fields.set('specifier', OVER);
    specs.set(path, spec);
  }
  return specs;
}

/**
 * Reads a binary layer of any version from 0.0.1 on; newer ones than are known as far as they can be read. All that it says is kept but for
 * what is so anyway (see {@link Spec}), so that the layer is that of its text; values of types that are not read are left out with an issue. Arrays
 * are views of `bytes` where these are aligned: whoever changes one, changes the other. Equal values may be one object. Specs and fields are in the
 * order of the file.
 *
 * Source: OpenUSD, crateFile.cpp (versions 0.0.1 to 0.12.0).
 *
 * @throws FormatError USD_CRATE for files that are damaged, incomplete or not binary USD, USD_LIMIT for values nested too deeply, and for files that
 * would fill far more memory than their size lets expect.
 */
export function parseUsdc(bytes: Uint8Array): Layer {
  const source = createByteReader(bytes);
  const { version, sections } = readTableOfContents(source);
  const { minor } = version;
  const budget = createMemoryBudget(bytes.length);
  const reading = { source, sections, minor, budget };
  const issues: Issue[] = [];
  if (minor > VERSION.newest) {
    const message = `The file is of version 0.${minor}, which is newer than 0.${VERSION.newest}; what can be read was read`;
    issues.push(issue('USD_CRATE_UNUSUAL', message, { offset: 8 }));
  }
  const tokens = readTokens(reading);
  const strings = readStrings(reading);
  const fields = readFields(reading);
  const fieldSets = readFieldSets(reading);
  const paths = readPaths(reading, version, tokens);
  const table = readSpecs(reading, version);
  const crate: CrateReader = { source, minor, tokens, strings, paths, budget, issues, arrays: new Map() };
  const specs = makeSpecs(crate, table, fields, fieldSets);
  if (specs.get('/')?.type !== 'pseudoRoot') throw crateError('The spec of the root / is missing', null);
  return { specs, issues };
}
