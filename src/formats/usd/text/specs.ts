/** Adds specs to a layer while its text is parsed. */
import { copyText } from '../../../core/text/copy-text.ts';
import type { FieldValue, Layer, Spec, SpecType } from '../layer/layer.ts';
import { chargePath, type TextCursor } from './text-cursor.ts';

export function addSpec(cursor: TextCursor, layer: Layer, path: string, type: SpecType): Spec {
  const spec: Spec = { type, fields: new Map() };
  layer.specs.set(chargePath(cursor, path), spec);
  return spec;
}

/** Appends a name to a list of names. The list is changed in place: only the parser holds it, and copying long lists would be slow. */
export function appendName(spec: Spec, field: string, name: string): void {
  const listed = spec.fields.get(field);
  if (listed?.type === 'names') (listed.names as string[]).push(name);
  else spec.fields.set(field, { type: 'names', names: [name] });
}

/** Returns the field value of a type name. All specs of a layer share one object per name. */
export function typeNameValue({ typeNames }: TextCursor, name: string): FieldValue {
  const known = typeNames.get(name);
  if (known !== undefined) return known;
  const text = copyText(name);
  const made: FieldValue = { type: 'token', isArray: false, texts: [text] };
  typeNames.set(text, made);
  return made;
}

/** Returns the field value of an enumeration word. Specifiers and variabilities share one object per word. */
export function wordValue(word: string): FieldValue {
  return WORDS.get(word) ?? { type: 'word', word };
}

const WORDS: ReadonlyMap<string, FieldValue> = new Map(
  ['def', 'over', 'class', 'uniform', 'varying'].map((word) => [word, { type: 'word', word }]),
);
