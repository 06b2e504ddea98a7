import type { FieldValue, LayerOffset, ListOp, Reference, Spec } from '../layer/layer.ts';
import { isPath } from '../layer/path-syntax.ts';
import { FIELD_NAMES, FIELD_TYPES, LIST_OP_FIELDS, LIST_OP_KEYWORDS, type ListOpKeyword } from './metadata-fields.ts';
import { serializeDouble } from './serialize-number.ts';
import { serializeAssetPath, serializeKey, serializeString } from './serialize-string.ts';
import { serializeDictionary, serializeUnregistered, serializeValue } from './serialize-value.ts';

/** Fields that are not metadata: other statements of the text declare them. */
const STRUCTURE_FIELDS: ReadonlySet<string> = new Set([
  'specifier',
  'typeName',
  'primChildren',
  'properties',
  'variantSetChildren',
  'variantChildren',
  'connectionChildren',
  'targetChildren',
  'mapperChildren',
  'expressionChildren',
  'primOrder',
  'propertyOrder',
  'custom',
  'variability',
  'default',
  'timeSamples',
  'spline',
  'targetPaths',
  'connectionPaths',
  'subLayerOffsets',
]);

const TEXT_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(FIELD_NAMES).map(([text, field]): [string, string] => [field, text]),
  ['payload', 'payload'],
  ['layerRelocates', 'relocates'],
]);

export const INDENT = '    ';

function offsetParts({ offset, scale }: LayerOffset): string[] {
  const parts: string[] = [];
  if (offset !== 0) parts.push(`offset = ${serializeDouble(offset)}`);
  if (scale !== 1) parts.push(`scale = ${serializeDouble(scale)}`);
  return parts;
}

/** Serializes a path of a field; in quotes where no text file can contain it. */
function serializePath(path: string): string {
  return isPath(path) ? `<${path}>` : serializeString(path);
}

function serializeReference(reference: Reference, indent: string): string {
  const { asset, path, customData } = reference;
  const target = `${asset === '' ? '' : serializeAssetPath(asset)}${path === '' && asset !== '' ? '' : `<${path}>`}`;
  const parts = offsetParts(reference);
  if (customData.size === 0) return parts.length === 0 ? target : `${target} (${parts.join('; ')})`;
  const inner = indent + INDENT;
  const lines = [...parts, `customData = ${serializeDictionary(customData, inner)}`].map((part) => `${inner}${part}\n`);
  return `${target} (\n${lines.join('')}${indent})`;
}

/** Serializes items one per line; a single short one without brackets. */
function serializeLines(items: readonly string[], indent: string): string {
  if (items.length === 0) return 'None';
  if (items.length === 1 && !items[0].includes('\n')) return items[0];
  const inner = indent + INDENT;
  return `[\n${items.map((item) => `${inner}${item}`).join(',\n')}\n${indent}]`;
}

function serializeItems(
  op: ListOp<string> | ListOp<Reference> | ListOp<number> | ListOp<bigint>,
  items: readonly unknown[],
  field: string,
  indent: string,
): string {
  if (items.length === 0) return 'None';
  if (op.of === 'reference' || op.of === 'payload') {
    const references = (items as Reference[]).map((item) => serializeReference(item, indent + INDENT));
    return serializeLines(Object.hasOwn(LIST_OP_FIELDS, field) ? references : references.map(serializeString), indent);
  }
  if (op.of === 'path') return serializeLines((items as string[]).map(serializePath), indent);
  const serialized = items.map((item) =>
    op.of === 'token' || op.of === 'string'
      ? serializeString(String(item))
      : op.of === 'unregistered'
        ? serializeUnregistered(String(item))
        : String(item),
  );
  return serialized.length === 1 && field === 'variantSetNames' ? serialized[0] : `[${serialized.join(', ')}]`;
}

/** Lists the non-empty lists of a list op, in the order of OpenUSD. */
export function listOpEdits(
  op: ListOp<string> | ListOp<Reference> | ListOp<number> | ListOp<bigint>,
): [word: string, items: readonly unknown[]][] {
  if (op.explicit !== null) return [['', op.explicit]];
  return (['delete', 'add', 'prepend', 'append', 'reorder'] as const satisfies readonly ListOpKeyword[])
    .map((word): [string, readonly unknown[]] => [`${word} `, op[LIST_OP_KEYWORDS[word]]])
    .filter(([, items]) => items.length > 0);
}

function serializeSubLayers(assets: readonly string[], offsets: readonly LayerOffset[], indent: string): string {
  if (assets.length === 0) return '[]';
  const inner = indent + INDENT;
  const lines = assets.map((asset, k) => {
    const parts = k < offsets.length ? offsetParts(offsets[k]) : [];
    return `${inner}${serializeAssetPath(asset)}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
  });
  return `[\n${lines.join(',\n')}\n${indent}]`;
}

function block(lines: readonly string[], indent: string, between = '\n'): string {
  if (lines.length === 0) return `{\n${indent}}`;
  return `{\n${lines.map((line) => `${indent}${INDENT}${line}`).join(between)}\n${indent}}`;
}

function serializeSubstitutions(value: Extract<FieldValue, { type: 'dictionary' }>, indent: string): string {
  const lines = [...value.entries].map(([from, to]) => `${serializeString(from)}: ${serializeValue(to, indent)}`);
  return block(lines, indent, ', \n');
}

function serializeField(field: string, value: FieldValue, spec: Spec, indent: string): string {
  switch (value.type) {
    case 'word':
      return value.word;
    case 'names':
      return `[${value.names.map(serializeString).join(', ')}]`;
    case 'paths':
      return `[${value.paths.map(serializePath).join(', ')}]`;
    case 'doubles':
      return `[${Array.from(value.numbers, serializeDouble).join(', ')}]`;
    case 'layerOffsets':
      return `[${value.offsets.map(({ offset, scale }) => `(${serializeDouble(offset)}, ${serializeDouble(scale)})`).join(', ')}]`;
    case 'variantSelections':
      return block(
        [...value.selections].map(([set, name]) => `string ${serializeKey(set)} = ${serializeString(name)}`),
        indent,
      );
    case 'relocates': {
      const lines = value.pairs.map(([from, to]) => `<${from}>: <${to}>`);
      return /^(?:layerR|r)elocates$/.test(field)
        ? block(lines, indent, ', \n')
        : `[${lines.map(serializeString).join(', ')}]`;
    }
    case 'timeSamples':
    case 'listOp':
      throw new RangeError(
        `The field ${field} has a value of type ${value.type}, which USD text does not allow for metadata`,
      );
    case 'bool':
      return value.isArray ? serializeValue(value, indent) : value.numbers[0] === 0 ? 'false' : 'true';
    case 'token':
      return FIELD_TYPES.get(field) === 'bareToken' ? value.texts[0] : serializeValue(value, indent);
    case 'string': {
      if (field !== 'subLayers' || spec.type !== 'pseudoRoot') return serializeValue(value, indent);
      const offsets = spec.fields.get('subLayerOffsets');
      return serializeSubLayers(value.texts, offsets?.type === 'layerOffsets' ? offsets.offsets : [], indent);
    }
    case 'dictionary':
      return FIELD_TYPES.get(field) === 'substitutions'
        ? serializeSubstitutions(value, indent)
        : serializeValue(value, indent);
    case 'unregistered':
      // Braces would be read as a dictionary.
      return value.text.startsWith('{') ? serializeString(value.text) : serializeUnregistered(value.text);
    default:
      return serializeValue(value, indent);
  }
}

/** Serializes one field: one entry, or one per list of a list op. An entry may span lines. */
function fieldLines(field: string, value: FieldValue, spec: Spec, indent: string): string[] {
  const name = TEXT_NAMES.get(field) ?? field;
  if (field === 'comment' && value.type === 'string') return [serializeString(value.texts[0])];
  if (value.type !== 'listOp') return [`${name} = ${serializeField(field, value, spec, indent)}`];
  return listOpEdits(value).map(([word, items]) => `${word}${name} = ${serializeItems(value, items, field, indent)}`);
}

export function serializeMetadata(spec: Spec, indent: string): string {
  const names = [...spec.fields.keys()].filter((name) => !STRUCTURE_FIELDS.has(name));
  if (names.length === 0) return '';
  const inner = indent + INDENT;
  const isComment = (name: string): number => (name === 'comment' ? 0 : 1);
  names.sort((a, b) => isComment(a) - isComment(b) || (a < b ? -1 : 1));
  const lines = names.flatMap((name) => fieldLines(name, spec.fields.get(name) as FieldValue, spec, inner));
  return `(\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent})`;
}
