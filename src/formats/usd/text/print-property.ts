/** Attributes and relationships of USD texts. */
import type { FieldValue, Spec, TimeSamples } from '../layer/layer.ts';
import { editsOf, printMetadata, STEP } from './print-metadata.ts';
import { printDouble } from './print-number.ts';
import { printValue } from './print-value.ts';

function wordOf(spec: Spec, field: string): string {
  const value = spec.fields.get(field);
  return value?.type === 'word' ? value.word : '';
}

function isCustom(spec: Spec): boolean {
  const value = spec.fields.get('custom');
  return value?.type === 'bool' && value.numbers[0] !== 0;
}

function printTimeSamples({ times, values }: TimeSamples, indent: string): string {
  const inner = indent + STEP;
  const lines = values.map((value, k) => `${inner}${printDouble(times[k])}: ${printValue(value, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function printTargets(paths: readonly unknown[], indent: string): string {
  if (paths.length === 0) return 'None';
  if (paths.length === 1) return `<${paths[0]}>`;
  return `[\n${paths.map((path) => `${indent}${STEP}<${path}>,\n`).join('')}${indent}]`;
}

/** One line for each list of an edit of targets. */
function targetLines(value: FieldValue | undefined, head: string, indent: string): string[] {
  if (value?.type !== 'listOp') return [];
  return editsOf(value).map(([word, paths]) => `${indent}${word}${head} = ${printTargets(paths, indent)}`);
}

function valueLine(field: string, head: string, spec: Spec, indent: string): string[] {
  const value = spec.fields.get(field);
  if (value?.type === 'timeSamples') return [`${indent}${head}.${field} = ${printTimeSamples(value, indent)}`];
  return value?.type === 'unregistered' || value?.type === 'block'
    ? [`${indent}${head}.${field} = ${printValue(value, indent)}`]
    : [];
}

function behind(metadata: string): string {
  return metadata === '' ? '' : ` ${metadata}`;
}

function printAttribute(spec: Spec, name: string, indent: string): string[] {
  const typeName = spec.fields.get('typeName');
  const type = typeName !== undefined && 'texts' in typeName ? typeName.texts[0] : 'unknown';
  const head = `${wordOf(spec, 'variability') === 'uniform' ? 'uniform ' : ''}${type} ${name}`;
  const metadata = printMetadata(spec, indent);
  const value = spec.fields.get('default');
  const parts = [
    ...valueLine('timeSamples', head, spec, indent),
    ...valueLine('spline', head, spec, indent),
    ...targetLines(spec.fields.get('connectionPaths'), `${head}.connect`, indent),
  ];
  const hasPlain = isCustom(spec) || value !== undefined || metadata !== '' || parts.length === 0;
  if (!hasPlain) return parts;
  const said = value === undefined ? '' : ` = ${printValue(value as Parameters<typeof printValue>[0], indent)}`;
  return [`${indent}${isCustom(spec) ? 'custom ' : ''}${head}${said}${behind(metadata)}`, ...parts];
}

function printRelationship(spec: Spec, name: string, indent: string): string[] {
  const head = `${wordOf(spec, 'variability') === 'varying' ? 'varying ' : ''}rel ${name}`;
  const plain = `${indent}${isCustom(spec) ? 'custom ' : ''}${head}`;
  const metadata = behind(printMetadata(spec, indent));
  const targets = spec.fields.get('targetPaths');
  const values = [...valueLine('timeSamples', head, spec, indent), ...valueLine('default', head, spec, indent)];
  if (targets?.type === 'listOp' && targets.explicit !== null) {
    return [`${plain} = ${printTargets(targets.explicit, indent)}${metadata}`, ...values];
  }
  const edits = targetLines(targets, head, indent);
  const hasPlain = isCustom(spec) || metadata !== '' || edits.length === 0;
  return [...(hasPlain ? [`${plain}${metadata}`] : []), ...edits, ...values];
}

/** The statements about a property, each with its line end. */
export function printProperty(spec: Spec, name: string, indent: string): string {
  const lines =
    spec.type === 'relationship' ? printRelationship(spec, name, indent) : printAttribute(spec, name, indent);
  return lines.map((line) => `${line}\n`).join('');
}
