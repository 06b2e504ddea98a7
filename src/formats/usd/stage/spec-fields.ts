/** Reads fields of specs as the expected type. Missing fields and fields of another type are null. */
import type { FieldValue, ListOp, Reference, Spec } from '../layer/layer.ts';
import type { DictionaryValue } from '../layer/value.ts';

/** Returns the first number of a numeric field; null for another type. */
export function numberField(spec: Spec | undefined, name: string): number | null {
  const field = spec?.fields.get(name);
  if (field === undefined || !('numbers' in field) || field.numbers.length === 0) return null;
  return Number(field.numbers[0]);
}

/** Returns a numeric field as a boolean, true for a number other than 0; null for another type. */
export function boolField(spec: Spec | undefined, name: string): boolean | null {
  const number = numberField(spec, name);
  return number === null ? null : number !== 0;
}

/** Returns the text of a string, token, asset or word field; null for another type. */
export function textField(spec: Spec | undefined, name: string): string | null {
  const field = spec?.fields.get(name);
  if (field === undefined) return null;
  if (field.type === 'word') return field.word;
  return 'texts' in field && field.texts.length > 0 ? field.texts[0] : null;
}

/** Returns a list of names, from a list of names or a token array. */
export function namesField(spec: Spec | undefined, name: string): readonly string[] {
  const field = spec?.fields.get(name);
  if (field?.type === 'names') return field.names;
  return field !== undefined && 'texts' in field ? field.texts : [];
}

/** Returns a dictionary field; null for another type. */
export function dictionaryField(spec: Spec | undefined, name: string): DictionaryValue | null {
  const field = spec?.fields.get(name);
  return field?.type === 'dictionary' ? field : null;
}

function listField(spec: Spec | undefined, name: string): Extract<FieldValue, { type: 'listOp' }> | null {
  const field = spec?.fields.get(name);
  return field?.type === 'listOp' ? field : null;
}

/** Returns a list edit of names or paths; null for another type. */
export function textListField(spec: Spec | undefined, name: string): ListOp<string> | null {
  const op = listField(spec, name);
  return op !== null && (op.of === 'token' || op.of === 'string' || op.of === 'path') ? (op as ListOp<string>) : null;
}

/** Returns a list edit of references or payloads; null for another type. */
export function referenceListField(spec: Spec | undefined, name: string): ListOp<Reference> | null {
  const op = listField(spec, name);
  return op !== null && (op.of === 'reference' || op.of === 'payload') ? (op as ListOp<Reference>) : null;
}
