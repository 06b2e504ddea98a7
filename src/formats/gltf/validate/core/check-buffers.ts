/** Buffers and buffer views. glTF 2.0 sections 3.6.1, 5.10 and 5.11. */
import { FormatError } from '../../../../core/report/format-error.ts';
import { bufferBytes, chunkBytes } from '../../document/buffers.ts';
import { padding } from '../../document/glb.ts';
import { type JsonObject, memberAt } from '../../document/json-access.ts';
import { isDataUri, parseDataUri } from '../../document/uri.ts';
import { type CoreCheck, find, isNatural, itemAt, objectsOf } from './findings.ts';

const MEDIA_TYPES = ['application/octet-stream', 'application/gltf-buffer'];
const ELEMENT_ARRAY = 34963;

/**
 * Checks buffers and buffer views.
 *
 * @param check The running check.
 */
export function checkBuffers(check: CoreCheck): void {
  for (const [i, buffer] of objectsOf(check, 'buffers')) checkBuffer(check, i, buffer);
  for (const [i, view] of objectsOf(check, 'bufferViews')) checkView(check, i, view);
}

function checkBuffer(check: CoreCheck, index: number, buffer: JsonObject): void {
  const pointer = `/buffers/${index}`;
  const uri = memberAt(buffer, 'uri');
  if (typeof uri === 'string' && !isReadableUri(check, uri, `${pointer}/uri`)) return;
  const length = memberAt(buffer, 'byteLength');
  if (!isNatural(length)) return;
  const isGlb = check.doc.container === 'glb';
  if (uri === undefined && isGlb && index === 0 && check.doc.bin === null && !isPlaceholder(buffer)) {
    find(check, 'BUFFER_MISSING_GLB_DATA', pointer, 'The buffer has no uri, and the GLB has no BIN chunk for it.');
    return;
  }
  const bytes = attempt(() => (uri === undefined ? chunkBytes(check.doc, index) : bufferBytes(check.doc, index)));
  if (bytes === null) return;
  if (bytes.length < length) {
    const message = `The buffer declares ${length} bytes, but has only ${bytes.length}; the data is cut off.`;
    find(check, 'BUFFER_BYTE_LENGTH_MISMATCH', pointer, message);
  } else if (uri === undefined && bytes.length > length + padding(length)) {
    const extra = bytes.length - length - padding(length);
    find(
      check,
      'BUFFER_GLB_CHUNK_TOO_BIG',
      pointer,
      `The BIN chunk has ${extra} bytes more than the buffer and its padding.`,
    );
  }
}

/** Whether compression extensions leave the buffer without data on purpose. */
function isPlaceholder(buffer: JsonObject): boolean {
  return memberAt(buffer, 'extensions') !== undefined || memberAt(buffer, 'chunk') !== undefined;
}

/** Null for data that cannot be read; its cause has been reported. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

function isReadableUri(check: CoreCheck, uri: string, pointer: string): boolean {
  if (check.doc.container === 'glb') {
    find(check, 'URI_GLB', pointer, 'The GLB references data by uri; the BIN chunk can hold it.');
  }
  if (isDataUri(uri)) {
    const parsed = attempt(() => parseDataUri(uri, pointer));
    if (parsed === null) {
      find(check, 'INVALID_URI', pointer, 'The data URI is invalid.');
      return false;
    }
    if (check.doc.container === 'glb') find(check, 'DATA_URI_GLB', pointer, 'A GLB contains a data URI.');
    if (!MEDIA_TYPES.includes(parsed.mediaType)) {
      const message = `The media type is ${JSON.stringify(parsed.mediaType)}, expected ${MEDIA_TYPES.join(' or ')}.`;
      find(check, 'BUFFER_DATA_URI_MIME_TYPE_INVALID', pointer, message);
    }
    return true;
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) || uri.startsWith('/')) {
    find(check, 'NON_RELATIVE_URI', pointer, 'The uri is not relative to the folder of the file.');
    return false;
  }
  if (uri.startsWith(':')) {
    find(check, 'INVALID_URI', pointer, 'The uri is invalid.');
    return false;
  }
  if (attempt(() => bufferBytes(check.doc, Number(pointer.split('/')[2]))) !== null) return true;
  find(check, 'IO_ERROR', pointer, 'The file of the buffer was not found or not loaded.');
  return false;
}

function checkView(check: CoreCheck, index: number, view: JsonObject): void {
  const pointer = `/bufferViews/${index}`;
  const [offset = 0, length, stride] = ['byteOffset', 'byteLength', 'byteStride'].map((key) => memberAt(view, key));
  const buffer = itemAt(check, 'buffers', memberAt(view, 'buffer'));
  const size = buffer === undefined ? undefined : memberAt(buffer, 'byteLength');
  if (isNatural(stride) && isNatural(length) && stride > length) {
    const message = `The byteStride ${stride} is larger than the view of ${length} bytes.`;
    find(check, 'BUFFER_VIEW_TOO_BIG_BYTE_STRIDE', `${pointer}/byteStride`, message);
  }
  if (stride !== undefined && memberAt(view, 'target') === ELEMENT_ARRAY) {
    find(
      check,
      'BUFFER_VIEW_INVALID_BYTE_STRIDE',
      `${pointer}/byteStride`,
      'Only views of vertex attributes may have a byteStride.',
    );
  }
  if (!isNatural(offset) || !isNatural(length) || !isNatural(size) || offset + length <= size) return;
  const where = `${pointer}/${offset >= size ? 'byteOffset' : 'byteLength'}`;
  find(check, 'BUFFER_VIEW_TOO_LONG', where, `The view ends at byte ${offset + length} of a buffer of ${size} bytes.`);
}
