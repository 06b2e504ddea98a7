/** Serializes attributes and relationships. */
import type { FieldValue, Spec, TimeSamples } from '../layer/layer.ts';
import { INDENT, listOpEdits, serializeMetadata } from './serialize-metadata.ts';
import { serializeDouble } from './serialize-number.ts';
import { serializeValue } from './serialize-value.ts';

function wordOf(spec: Spec, field: string): string {
  const value = spec.fields.get(field);
  return value?.type === 'word' ? value.word : '';
}

function isCustom(spec: Spec): boolean {
  const value = spec.fields.get('custom');
  return value?.type === 'bool' && value.numbers[0] !== 0;
}

function serializeTimeSamples({ times, values }: TimeSamples, indent: string): string {
  const inner = indent + INDENT;
  const lines = values.map((value, k) => `${inner}${serializeDouble(times[k])}: ${serializeValue(value, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function serializeTargets(paths: readonly unknown[], indent: string): string {
  if (paths.length === 0) return 'None';
  if (paths.length === 1) return `<${paths[0]}>`;
  return `[\n${paths.map((path) => `${indent}${INDENT}<${path}>,\n`).join('')}${indent}]`;
}

/** Serializes a list op of targets, one statement per list. */
function targetLines(value: FieldValue | undefined, head: string, indent: string): string[] {
  if (value?.type !== 'listOp') return [];
  return listOpEdits(value).map(([word, paths]) => `${indent}${word}${head} = ${serializeTargets(paths, indent)}`);
}

function valueLine(field: string, head: string, spec: Spec, indent: string): string[] {
  const value = spec.fields.get(field);
  if (value?.type === 'timeSamples') return [`${indent}${head}.${field} = ${serializeTimeSamples(value, indent)}`];
  return value?.type === 'unregistered' || value?.type === 'block'
    ? [`${indent}${head}.${field} = ${serializeValue(value, indent)}`]
    : [];
}

function withLeadingSpace(metadata: string): string {
  return metadata === '' ? '' : ` ${metadata}`;
}

function serializeAttribute(spec: Spec, name: string, indent: string): string[] {
  const typeName = spec.fields.get('typeName');
  const type = typeName !== undefined && 'texts' in typeName ? typeName.texts[0] : 'unknown';
  const head = `${wordOf(spec, 'variability') === 'uniform' ? 'uniform ' : ''}${type} ${name}`;
  const metadata = serializeMetadata(spec, indent);
  const value = spec.fields.get('default');
  const parts = [
    ...valueLine('timeSamples', head, spec, indent),
    ...valueLine('spline', head, spec, indent),
    ...targetLines(spec.fields.get('connectionPaths'), `${head}.connect`, indent),
  ];
  const hasPlain = isCustom(spec) || value !== undefined || metadata !== '' || parts.length === 0;
  if (!hasPlain) return parts;
  const assignment =
    value === undefined ? '' : ` = ${serializeValue(value as Parameters<typeof serializeValue>[0], indent)}`;
  return [`${indent}${isCustom(spec) ? 'custom ' : ''}${head}${assignment}${withLeadingSpace(metadata)}`, ...parts];
}

function serializeRelationship(spec: Spec, name: string, indent: string): string[] {
  const head = `${wordOf(spec, 'variability') === 'varying' ? 'varying ' : ''}rel ${name}`;
  const plain = `${indent}${isCustom(spec) ? 'custom ' : ''}${head}`;
  const metadata = withLeadingSpace(serializeMetadata(spec, indent));
  const targets = spec.fields.get('targetPaths');
  const values = [...valueLine('timeSamples', head, spec, indent), ...valueLine('default', head, spec, indent)];
  if (targets?.type === 'listOp' && targets.explicit !== null) {
    return [`${plain} = ${serializeTargets(targets.explicit, indent)}${metadata}`, ...values];
  }
  const edits = targetLines(targets, head, indent);
  const hasPlain = isCustom(spec) || metadata !== '' || edits.length === 0;
  return [...(hasPlain ? [`${plain}${metadata}`] : []), ...edits, ...values];
}

/**
 * Serializes the statements about a property.
 *
 * @param spec - Attribute or relationship.
 * @param name - Property name.
 * @param indent - Indentation of the statements.
 * @returns The statements, each with its line end.
 * @throws RangeError if an asset path cannot be written as text.
 */
export function serializeProperty(spec: Spec, name: string, indent: string): string {
  const lines =
    spec.type === 'relationship' ? serializeRelationship(spec, name, indent) : serializeAttribute(spec, name, indent);
  return lines.map((line) => `${line}\n`).join('');
}
