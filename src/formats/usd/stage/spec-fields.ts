/** Fields of specs by the type that is expected; null where there is none or one of another type. */
import type { FieldValue, ListOp, Reference, Spec } from '../layer/layer.ts';
import type { DictionaryValue } from '../layer/value.ts';

/** The first number of a numeric field. */
export function numberField(spec: Spec | undefined, name: string): number | null {
  const field = spec?.fields.get(name);
  if (field === undefined || !('numbers' in field) || field.numbers.length === 0) return null;
  return Number(field.numbers[0]);
}

export function boolField(spec: Spec | undefined, name: string): boolean | null {
  const number = numberField(spec, name);
  return number === null ? null : number !== 0;
}

/** The text of a string, token, asset or word. */
export function textField(spec: Spec | undefined, name: string): string | null {
  const field = spec?.fields.get(name);
  if (field === undefined) return null;
  if (field.type === 'word') return field.word;
  return 'texts' in field && field.texts.length > 0 ? field.texts[0] : null;
}

/** A list of names, however it is kept. */
export function namesField(spec: Spec | undefined, name: string): readonly string[] {
  const field = spec?.fields.get(name);
  if (field?.type === 'names') return field.names;
  return field !== undefined && 'texts' in field ? field.texts : [];
}

export function dictionaryField(spec: Spec | undefined, name: string): DictionaryValue | null {
  const field = spec?.fields.get(name);
  return field?.type === 'dictionary' ? field : null;
}

function listField(spec: Spec | undefined, name: string): Extract<FieldValue, { type: 'listOp' }> | null {
  const field = spec?.fields.get(name);
  return field?.type === 'listOp' ? field : null;
}

/** An edit of a list of names or paths. */
export function textListField(spec: Spec | undefined, name: string): ListOp<string> | null {
  const op = listField(spec, name);
  return op !== null && (op.of === 'token' || op.of === 'string' || op.of === 'path') ? (op as ListOp<string>) : null;
}

/** An edit of a list of references or payloads. */
export function referenceListField(spec: Spec | undefined, name: string): ListOp<Reference> | null {
  const op = listField(spec, name);
  return op !== null && (op.of === 'reference' || op.of === 'payload') ? (op as ListOp<Reference>) : null;
}
