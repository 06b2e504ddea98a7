import type { FbxProperty, FbxRecord } from '../../../src/formats/fbx/document/fbx-tree.ts';
import type { WrittenFbx } from './fbx-bytes.ts';

/** How the text is written: what the format leaves open. */
export interface TextLayout {
  readonly newline?: '\n' | '\r\n' | '\r';
  readonly indent?: '\t' | '  ' | '';
  /** Puts every value of a record on a line of its own. */
  readonly valuesOnOwnLines?: boolean;
  /** Writes comments between the records. */
  readonly comments?: boolean;
}

function quoted(text: string): string {
  const escaped = text.replaceAll('"', '&quot;').replaceAll('\n', '&lf;').replaceAll('\r', '&cr;');
  return `"${escaped}"`;
}

/** `Hips\0\x01Model` of binary files is `Model::Hips` in text. */
function nameInText(text: string): string {
  const joint = text.indexOf('\0\x01');
  return joint < 0 ? text : `${text.slice(joint + 2)}::${text.slice(0, joint)}`;
}

/** Large numbers with an exponent: their digits alone would be those of a 64-bit integer. */
function printNumber(value: number | bigint): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return (value as number).toExponential();
  return Object.is(value, -0) ? '-0' : String(value);
}

function printValue(value: FbxProperty, newline: string): string {
  if (typeof value === 'string') return quoted(nameInText(value));
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number' || typeof value === 'bigint') return printNumber(value);
  if (value instanceof Uint8Array) return quoted(Buffer.from(value).toString('base64'));
  return `*${value.length} {${newline}a: ${Array.from<number | bigint, string>(value, printNumber).join(',')}${newline}}`;
}

/** The text of an FBX file as the SDK writes it, 7.x arrays as `*3 { a: 1,2,3 }`; booleans as 1 and 0, bytes as base64. */
export function fbxText({ version, records }: WrittenFbx, layout: TextLayout = {}): string {
  const { newline = '\n', indent = '\t', valuesOnOwnLines = false, comments = true } = layout;
  const lines: string[] = [];
  if (comments) lines.push(`; FBX ${[...String(version)].slice(0, 3).join('.')} project file`, '; ----------', '');
  const print = (record: FbxRecord, depth: number): void => {
    const space = indent.repeat(depth);
    const name = /^[A-Za-z_]\w*$/.test(record.name) ? record.name : quoted(record.name);
    const values = record.properties.map((value) => printValue(value, newline));
    if (record.properties[0] instanceof Uint8Array) values.unshift('');
    const opens = record.records.length > 0 ? ' {' : '';
    lines.push(`${space}${name}: ${values.join(valuesOnOwnLines ? `,${newline}${space}   ` : ', ')}${opens}`);
    for (const child of record.records) print(child, depth + 1);
    if (record.records.length > 0) lines.push(`${space}}`);
    if (comments && depth === 0) lines.push('', '; Next: { "section"');
  };
  for (const record of records) print(record, 0);
  return lines.join(newline) + newline;
}
