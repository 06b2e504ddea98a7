/** URIs of buffers and images: glTF 2.0 section 2.8, RFC 3986, RFC 2397 (data URIs). */
import { FormatError } from '../../core/report/format-error.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { concatParts } from './glb.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const DRIVE = /^[a-z]:/i;
/** NUL and the other control characters: no file name has them, path functions of C stop at NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
/** `..`, and what Windows takes for it or for `.`: dots and blanks only. */
const DOTS_ONLY = /^[. ]+$/;

/** Whether a URI holds its data itself. */
export function isDataUri(uri: string): boolean {
  return uri.slice(0, 5).toLowerCase() === 'data:';
}

/** Whether a URI names something on the web: never fetched, left as it is. */
export function isRemote(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/**
 * The file that a relative URI names: percent-decoded once, `/` between folders, `.` and inner `..` resolved, never
 * outside the folder of the asset. FormatError GLTF_URI_REFUSED for what leaves the folder or has a scheme, a drive, a
 * leading or backward slash, or control characters. `?` and `#` are taken as part of the name. Nothing is expanded.
 */
export function resolveUri(uri: string, pointer: string): string {
  if (uri === '') throw refused(uri, 'it is empty', pointer);
  if (SCHEME.test(uri)) throw refused(uri, 'only relative URIs and data URIs are read', pointer);
  let path: string;
  try {
    path = decodeURIComponent(uri);
  } catch {
    throw refused(uri, 'its percent-encoding is damaged; write a plain % as %25', pointer);
  }
  if (CONTROL.test(path)) throw refused(uri, 'it contains control characters', pointer);
  if (path.includes('\\')) throw refused(uri, 'it contains a backslash; folders are divided by /', pointer);
  if (path.startsWith('/') || DRIVE.test(path)) throw refused(uri, 'it is an absolute path', pointer);

  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0) {
      segments.pop();
      continue;
    }
    if (DOTS_ONLY.test(segment)) throw refused(uri, 'it leaves the folder of the asset', pointer);
    segments.push(segment);
  }
  if (segments.length === 0) throw refused(uri, 'it names a folder, not a file', pointer);
  return segments.join('/');
}

/** The URI of a path below the asset's folder: {@link resolveUri} gives the path back. */
export function uriOfPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function refused(uri: string, reason: string, pointer: string): FormatError {
  const shown = uri.length > 80 ? `${uri.slice(0, 80)}…` : uri;
  return new FormatError('GLTF_URI_REFUSED', `The URI ${JSON.stringify(shown)} is not read: ${reason}`, { pointer });
}

/** What a data URI holds. */
export interface DataUri {
  /** Lower case, without parameters; `text/plain` where the URI names none. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * Decodes a data URI, base64 (standard alphabet; the padding at the end may be missing) or percent-encoded.
 * FormatError GLTF_BUFFER when it is damaged.
 */
export function parseDataUri(uri: string, pointer: string): DataUri {
  const comma = uri.indexOf(',');
  if (!isDataUri(uri) || comma < 0) throw damaged('there is no comma in front of the data', pointer);
  const [mediaType, ...parameters] = uri.slice(5, comma).split(';');
  const base64 = parameters.at(-1)?.trim().toLowerCase() === 'base64';
  const bytes = base64 ? base64Bytes(uri, comma + 1, pointer) : percentBytes(uri.slice(comma + 1), pointer);
  return { mediaType: mediaType!.trim().toLowerCase() || 'text/plain', bytes };
}

function base64Bytes(uri: string, start: number, pointer: string): Uint8Array {
  // An encoded `=`, `+` or `/` is legal (RFC 2397 urlchar); then all of it is decoded first.
  const encoded = uri.indexOf('%', start) >= 0;
  const text = encoded ? latin1(percentBytes(uri.slice(start), pointer)) : uri;
  const bytes = decodeBase64(text, encoded ? 0 : start);
  if (bytes === null) throw damaged('its data is not base64', pointer);
  return bytes;
}

function latin1(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let i = 0; i < bytes.length; i += 8192) pieces.push(String.fromCharCode(...bytes.subarray(i, i + 8192)));
  return pieces.join('');
}

/** Octets of `%XX` and plain ASCII. */
function percentBytes(text: string, pointer: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code === 0x25) {
      const digits = text.slice(i + 1, i + 3);
      if (!/^[0-9a-f]{2}$/i.test(digits)) throw damaged('its percent-encoding is damaged', pointer);
      code = Number.parseInt(digits, 16);
      i += 2;
    } else if (code > 0x7e || code <= 0x20) {
      throw damaged('it contains characters that must be percent-encoded', pointer);
    }
    bytes[length++] = code;
  }
  return bytes.slice(0, length);
}

function damaged(reason: string, pointer: string): FormatError {
  return new FormatError('GLTF_BUFFER', `The data URI at ${pointer} cannot be read: ${reason}`, { pointer });
}

/** A base64 data URI of bytes given in pieces. */
export function printDataUri(mediaType: string, parts: readonly Uint8Array[]): string {
  return `data:${mediaType};base64,${encodeBase64(concatParts(parts))}`;
}
