/** Checks what text files would say about values of binary files, in which anything can be stored: what is written must be read again. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { FieldValue, Layer, Spec } from '../layer/layer.ts';
import { parseMetadata } from '../text/parse-metadata.ts';
import { parseProperty } from '../text/parse-property.ts';
import { serializeMetadata } from '../text/serialize-metadata.ts';
import { emitProperty } from '../text/serialize-property.ts';
import { createTextCursor, skipLines } from '../text/text-cursor.ts';

/**
 * Tests whether the text of a value is more than numbers and strings.
 *
 * @param value - The value.
 * @returns True for values that have to be read again to know whether their text is valid.
 */
export function hasOwnNotation(value: FieldValue): boolean {
  if (value.type === 'dictionary') return [...value.entries.values()].some(hasOwnNotation);
  if (value.type === 'timeSamples') return value.values.some(hasOwnNotation);
  return value.type === 'unregistered' || value.type === 'listOp' || value.type === 'relocates';
}

/** Tells whether reading ends without an error of the format. Values that cannot be written end in an error when they are. */
function succeeds(read: () => boolean): boolean {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return false;
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/**
 * Tests whether text files can contain a metadata field.
 *
 * @param name - Name of the field.
 * @param value - Its value.
 * @returns True if what is written of it is read again.
 */
export function isMetadataReadAgain(name: string, value: FieldValue): boolean {
  return succeeds(() => {
    const cursor = createTextCursor(serializeMetadata({ type: 'prim', fields: new Map([[name, value]]) }, ''));
    parseMetadata(cursor, { type: 'prim', fields: new Map() }, '/');
    return cursor.at === cursor.text.length;
  });
}

/**
 * Tests whether text files can contain a property.
 *
 * @param property - Attribute or relationship.
 * @returns True if what is written of it is read again.
 */
export function isPropertyReadAgain(property: Spec): boolean {
  return succeeds(() => {
    const texts: string[] = [];
    emitProperty(property, 'x', '', (text) => texts.push(text));
    const cursor = createTextCursor(texts.join(''));
    const layer: Layer = { specs: new Map([['/A', { type: 'prim', fields: new Map() }]]), issues: [] };
    for (; cursor.at < cursor.text.length; skipLines(cursor)) parseProperty(cursor, layer, '/A');
    return true;
  });
}
