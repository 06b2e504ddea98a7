/** Metadata of USD texts: what is between parentheses. */
import type { FieldValue, LayerOffset, ListOp, Reference, Spec } from '../layer/layer.ts';
import { FIELD_NAMES, FIELD_TYPES, LIST_WORDS, type ListWord } from './fields.ts';
import { printDouble } from './print-number.ts';
import { printAsset, printKey, printString } from './print-string.ts';
import { printDictionary, printValue } from './print-value.ts';

/** Fields that are no metadata: they have their own places in the text. */
const STRUCTURE: ReadonlySet<string> = new Set([
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

/** One step further in. */
export const STEP = '    ';

function offsetParts({ offset, scale }: LayerOffset): string[] {
  const parts: string[] = [];
  if (offset !== 0) parts.push(`offset = ${printDouble(offset)}`);
  if (scale !== 1) parts.push(`scale = ${printDouble(scale)}`);
  return parts;
}

function printReference(reference: Reference, indent: string): string {
  const { asset, path, customData } = reference;
  const target = `${asset === '' ? '' : printAsset(asset)}${path === '' && asset !== '' ? '' : `<${path}>`}`;
  const parts = offsetParts(reference);
  if (customData.size === 0) return parts.length === 0 ? target : `${target} (${parts.join('; ')})`;
  const inner = indent + STEP;
  const lines = [...parts, `customData = ${printDictionary(customData, inner)}`].map((part) => `${inner}${part}\n`);
  return `${target} (\n${lines.join('')}${indent})`;
}

/** Items one a line, or a single one in the line itself. */
function printLines(items: readonly string[], indent: string): string {
  if (items.length === 0) return 'None';
  if (items.length === 1 && !items[0].includes('\n')) return items[0];
  const inner = indent + STEP;
  return `[\n${items.map((item) => `${inner}${item}`).join(',\n')}\n${indent}]`;
}

function printItems(
  op: ListOp<string> | ListOp<Reference> | ListOp<number> | ListOp<bigint>,
  items: readonly unknown[],
  field: string,
  indent: string,
): string {
  if (items.length === 0) return 'None';
  if (op.of === 'reference' || op.of === 'payload') {
    return printLines(
      (items as Reference[]).map((item) => printReference(item, indent + STEP)),
      indent,
    );
  }
  if (op.of === 'path')
    return printLines(
      items.map((item) => `<${item}>`),
      indent,
    );
  const printed = items.map((item) =>
    op.of === 'token' || op.of === 'string' ? printString(String(item)) : String(item),
  );
  return printed.length === 1 && field === 'variantSetNames' ? printed[0] : `[${printed.join(', ')}]`;
}

/** The lists of an edit that say something, each with the word before it, in the order of OpenUSD. */
export function editsOf(
  op: ListOp<string> | ListOp<Reference> | ListOp<number> | ListOp<bigint>,
): [word: string, items: readonly unknown[]][] {
  if (op.explicit !== null) return [['', op.explicit]];
  return (['delete', 'add', 'prepend', 'append', 'reorder'] as const satisfies readonly ListWord[])
    .map((word): [string, readonly unknown[]] => [`${word} `, op[LIST_WORDS[word]]])
    .filter(([, items]) => items.length > 0);
}

function printSubLayers(assets: readonly string[], offsets: readonly LayerOffset[], indent: string): string {
  if (assets.length === 0) return '[]';
  const inner = indent + STEP;
  const lines = assets.map((asset, k) => {
    const parts = k < offsets.length ? offsetParts(offsets[k]) : [];
    return `${inner}${printAsset(asset)}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
  });
  return `[\n${lines.join(',\n')}\n${indent}]`;
}

function block(lines: readonly string[], indent: string, between = '\n'): string {
  if (lines.length === 0) return `{\n${indent}}`;
  return `{\n${lines.map((line) => `${indent}${STEP}${line}`).join(between)}\n${indent}}`;
}

function printSubstitutions(value: Extract<FieldValue, { type: 'dictionary' }>, indent: string): string {
  const lines = [...value.entries].map(([from, to]) => `${printString(from)}: ${printValue(to, indent)}`);
  return block(lines, indent, ', \n');
}

function printField(field: string, value: FieldValue, spec: Spec, indent: string): string {
  switch (value.type) {
    case 'word':
      return value.word;
    case 'names':
      return `[${value.names.map(printString).join(', ')}]`;
    case 'paths':
      return `[${value.paths.map((path) => `<${path}>`).join(', ')}]`;
    case 'numbersOfDouble':
      return `[${Array.from(value.numbers, printDouble).join(', ')}]`;
    case 'layerOffsets':
      return `[${value.offsets.map(({ offset, scale }) => `(${printDouble(offset)}, ${printDouble(scale)})`).join(', ')}]`;
    case 'variantSelections':
      return block(
        [...value.selections].map(([set, name]) => `string ${printKey(set)} = ${printString(name)}`),
        indent,
      );
    case 'relocates':
      return block(
        value.pairs.map(([from, to]) => `<${from}>: <${to}>`),
        indent,
        ', \n',
      );
    case 'timeSamples':
    case 'listOp':
      throw new RangeError(`The field ${field} has values of ${value.type}, which texts do not have there`);
    case 'bool':
      return value.isArray ? printValue(value, indent) : value.numbers[0] === 0 ? 'false' : 'true';
    case 'token':
      return FIELD_TYPES.get(field) === 'bareToken' ? value.texts[0] : printValue(value, indent);
    case 'string': {
      if (field !== 'subLayers' || spec.type !== 'pseudoRoot') return printValue(value, indent);
      const offsets = spec.fields.get('subLayerOffsets');
      return printSubLayers(value.texts, offsets?.type === 'layerOffsets' ? offsets.offsets : [], indent);
    }
    case 'dictionary':
      return FIELD_TYPES.get(field) === 'substitutions' ? printSubstitutions(value, indent) : printValue(value, indent);
    default:
      return printValue(value, indent);
  }
}

/** The entries of one field: one, or several of an edited list. Each may go over lines. */
function fieldLines(field: string, value: FieldValue, spec: Spec, indent: string): string[] {
  const name = TEXT_NAMES.get(field) ?? field;
  if (field === 'comment' && value.type === 'string') return [printString(value.texts[0])];
  if (value.type !== 'listOp') return [`${name} = ${printField(field, value, spec, indent)}`];
  return editsOf(value).map(([word, items]) => `${word}${name} = ${printItems(value, items, field, indent)}`);
}

/** `( … )` with all metadata of a spec, comment first, then by the names of the fields; empty without any. `indent`: where its end stands. */
export function printMetadata(spec: Spec, indent: string): string {
  const names = [...spec.fields.keys()].filter((name) => !STRUCTURE.has(name));
  if (names.length === 0) return '';
  const inner = indent + STEP;
  const isComment = (name: string): number => (name === 'comment' ? 0 : 1);
  names.sort((a, b) => isComment(a) - isComment(b) || (a < b ? -1 : 1));
  const lines = names.flatMap((name) => fieldLines(name, spec.fields.get(name) as FieldValue, spec, inner));
  return `(\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent})`;
}
