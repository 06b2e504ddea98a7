/** Specs of a layer as its text is read. */
import type { FieldValue, Layer, Spec, SpecType } from '../layer/layer.ts';
import { type TextCursor, chargePath } from './text-cursor.ts';

/** Adds a spec without fields. */
export function addSpec(cursor: TextCursor, layer: Layer, path: string, type: SpecType): Spec {
  const spec: Spec = { type, fields: new Map() };
  layer.specs.set(chargePath(cursor, path), spec);
  return spec;
}

/** Appends a name to a list of names of a spec, which the parser alone holds: lists are not copied, however long they get. */
export function appendName(spec: Spec, field: string, name: string): void {
  const listed = spec.fields.get(field);
  if (listed?.type === 'names') (listed.names as string[]).push(name);
  else spec.fields.set(field, { type: 'names', names: [name] });
}

/** The name of a type as the value of a field: one object for all specs that have it. */
export function typeNameValue({ typeNames }: TextCursor, name: string): FieldValue {
  const known = typeNames.get(name);
  if (known !== undefined) return known;
  const made: FieldValue = { type: 'token', isArray: false, texts: [name] };
  typeNames.set(name, made);
  return made;
}

/** A word as the value of a field; that of a specifier or a variability is one object for all specs that have it. */
export function wordValue(word: string): FieldValue {
  return WORDS.get(word) ?? { type: 'word', word };
}

const WORDS: ReadonlyMap<string, FieldValue> = new Map(
  ['def', 'over', 'class', 'uniform', 'varying'].map((word) => [word, { type: 'word', word }]),
);
