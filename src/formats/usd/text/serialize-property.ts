import type { FieldValue, Spec, TimeSamples } from '../layer/layer.ts';
import { INDENT, listOpEdits, serializeMetadata } from './serialize-metadata.ts';
import { serializeDouble } from './serialize-number.ts';
import { type Emit, emitValue, serializeValue } from './serialize-value.ts';

function wordOf(spec: Spec, field: string): string {
  const value = spec.fields.get(field);
  return value?.type === 'word' ? value.word : '';
}

function isCustom(spec: Spec): boolean {
  const value = spec.fields.get('custom');
  return value?.type === 'bool' && value.numbers[0] !== 0;
}

function emitTimeSamples({ times, values }: TimeSamples, indent: string, emit: Emit): void {
  const inner = indent + INDENT;
  emit('{\n');
  for (const [k, value] of values.entries()) {
    emit(`${inner}${serializeDouble(times[k])}: `);
    emitValue(value, inner, emit);
    emit(',\n');
  }
  emit(`${indent}}`);
}

function serializeTargets(paths: readonly unknown[], indent: string): string {
  if (paths.length === 0) return 'None';
  if (paths.length === 1) return `<${paths[0]}>`;
  return `[\n${paths.map((path) => `${indent}${INDENT}<${path}>,\n`).join('')}${indent}]`;
}

/** Serializes a list op of targets, one statement per list. */
function targetLines(value: FieldValue | undefined, head: string, indent: string): string[] {
  if (value?.type !== 'listOp') return [];
  return listOpEdits(value).map(([word, paths]) => `${indent}${word}${head} = ${serializeTargets(paths, indent)}\n`);
}

/** Values that have a statement of their own. */
type OwnValue = TimeSamples | Extract<FieldValue, { type: 'unregistered' | 'block' }>;

function ownValue(spec: Spec, field: string): OwnValue | null {
  const value = spec.fields.get(field);
  const { type } = value ?? {};
  return type === 'timeSamples' || type === 'unregistered' || type === 'block' ? (value as OwnValue) : null;
}

function emitOwnValue(value: OwnValue | null, head: string, indent: string, emit: Emit): void {
  if (value === null) return;
  emit(`${indent}${head} = `);
  if (value.type === 'timeSamples') emitTimeSamples(value, indent, emit);
  else emit(serializeValue(value, indent));
  emit('\n');
}

function withLeadingSpace(metadata: string): string {
  return metadata === '' ? '' : ` ${metadata}`;
}

function emitAttribute(spec: Spec, name: string, indent: string, emit: Emit): void {
  const typeName = spec.fields.get('typeName');
  const type = typeName !== undefined && 'texts' in typeName ? typeName.texts[0] : 'unknown';
  const head = `${wordOf(spec, 'variability') === 'uniform' ? 'uniform ' : ''}${type} ${name}`;
  const metadata = serializeMetadata(spec, indent);
  const value = spec.fields.get('default');
  const samples = ownValue(spec, 'timeSamples');
  const spline = ownValue(spec, 'spline');
  const connections = targetLines(spec.fields.get('connectionPaths'), `${head}.connect`, indent);
  const isAlone = samples === null && spline === null && connections.length === 0;
  if (isCustom(spec) || value !== undefined || metadata !== '' || isAlone) {
    emit(`${indent}${isCustom(spec) ? 'custom ' : ''}${head}`);
    if (value !== undefined) {
      emit(' = ');
      emitValue(value as Parameters<typeof emitValue>[0], indent, emit);
    }
    emit(`${withLeadingSpace(metadata)}\n`);
  }
  emitOwnValue(samples, `${head}.timeSamples`, indent, emit);
  emitOwnValue(spline, `${head}.spline`, indent, emit);
  for (const line of connections) emit(line);
}

function emitRelationship(spec: Spec, name: string, indent: string, emit: Emit): void {
  const head = `${wordOf(spec, 'variability') === 'varying' ? 'varying ' : ''}rel ${name}`;
  const plain = `${indent}${isCustom(spec) ? 'custom ' : ''}${head}`;
  const metadata = withLeadingSpace(serializeMetadata(spec, indent));
  const targets = spec.fields.get('targetPaths');
  if (targets?.type === 'listOp' && targets.explicit !== null) {
    emit(`${plain} = ${serializeTargets(targets.explicit, indent)}${metadata}\n`);
  } else {
    const edits = targetLines(targets, head, indent);
    if (isCustom(spec) || metadata !== '' || edits.length === 0) emit(`${plain}${metadata}\n`);
    for (const line of edits) emit(line);
  }
  emitOwnValue(ownValue(spec, 'timeSamples'), `${head}.timeSamples`, indent, emit);
  emitOwnValue(ownValue(spec, 'default'), `${head}.default`, indent, emit);
}

/** Serializes the statements about a property, each with its line end. */
export function emitProperty(spec: Spec, name: string, indent: string, emit: Emit): void {
  if (spec.type === 'relationship') emitRelationship(spec, name, indent, emit);
  else emitAttribute(spec, name, indent, emit);
}
