/** URIs of buffers and images: glTF 2.0 section 2.8, RFC 3986, RFC 2397 (data URIs). */
import { FormatError } from '../../../core/report/format-error.ts';
import { decodeBase64, encodeBase64 } from '../../../core/text/base64.ts';
import { concatParts } from './glb.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const DRIVE = /^[a-z]:/i;
/** NUL and the other control characters: file names do not have them, and path functions of C stop at NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROL = /[\u0000-\u001f\u007f]/;
/** `..` and what Windows treats as `..` or `.`: dots and spaces only. */
const DOTS_ONLY = /^[. ]+$/;

export function isDataUri(uri: string): boolean {
  return uri.slice(0, 5).toLowerCase() === 'data:';
}

/** Tests whether a URI is an http(s) URI. anyrig never fetches these and writes them back unchanged. */
export function isRemote(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/**
 * Resolves a relative URI to a path inside the folder of the asset: percent-decoded once, separated by `/`, with `.` and inner `..` resolved. `?`
 * and `#` count as part of the name. Variables and `~` are not expanded. Returns path relative to the folder of the asset. Throws FormatError
 * GLTF_URI_REFUSED for a path outside the folder, a scheme, a drive, a leading slash, a backslash, or control characters.
 */
export function resolveUri(uri: string, pointer: string): string {
  if (uri === '') throw refused(uri, 'it is empty', pointer);
  if (SCHEME.test(uri))
    throw refused(uri, 'it has a scheme, but only relative URIs and data URIs are supported', pointer);
  let path: string;
  try {
    path = decodeURIComponent(uri);
  } catch {
    throw refused(uri, 'its percent-encoding is invalid; write a literal % as %25', pointer);
  }
  if (CONTROL.test(path)) throw refused(uri, 'it contains control characters', pointer);
  if (path.includes('\\')) throw refused(uri, 'it contains a backslash; separate folders with /', pointer);
  if (path.startsWith('/') || DRIVE.test(path))
    throw refused(uri, 'it is an absolute path; use a path relative to the asset', pointer);

  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0) {
      segments.pop();
      continue;
    }
    if (DOTS_ONLY.test(segment)) throw refused(uri, 'it points outside the folder of the asset', pointer);
    segments.push(segment);
  }
  if (segments.length === 0) throw refused(uri, 'it is a folder, not a file', pointer);
  return segments.join('/');
}

/**
 * Converts a path to a percent-encoded relative URI. {@link resolveUri} returns the path again. The path is relative to the folder of the asset,
 * separated by `/`.
 */
export function uriOfPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function refused(uri: string, reason: string, pointer: string): FormatError {
  const shown = uri.length > 80 ? `${uri.slice(0, 80)}…` : uri;
  return new FormatError(
    'GLTF_URI_REFUSED',
    `The URI ${JSON.stringify(shown)}${pointer === '' ? '' : ` at ${pointer}`} was refused: ${reason}`,
    {
      pointer,
    },
  );
}

/** Decodes a data URI, base64 (standard alphabet, padding optional) or percent-encoded. Throws FormatError GLTF_BUFFER for an invalid data URI. */
export function parseDataUri(uri: string, pointer: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (!isDataUri(uri) || comma < 0) throw damaged('it has no comma before the data', pointer);
  const [, ...parameters] = uri.slice(5, comma).split(';');
  const base64 = parameters.at(-1)?.trim().toLowerCase() === 'base64';
  return base64 ? base64Bytes(uri, comma + 1, pointer) : percentBytes(uri.slice(comma + 1), pointer);
}

function base64Bytes(uri: string, start: number, pointer: string): Uint8Array {
  // `=`, `+` and `/` may be percent-encoded (RFC 2397 urlchar): decode these first.
  const encoded = uri.indexOf('%', start) >= 0;
  const text = encoded ? latin1(percentBytes(uri.slice(start), pointer)) : uri;
  const bytes = decodeBase64(text, encoded ? 0 : start);
  if (bytes === null) throw damaged('its data is not valid base64', pointer);
  return bytes;
}

function latin1(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let i = 0; i < bytes.length; i += 8192) pieces.push(String.fromCharCode(...bytes.subarray(i, i + 8192)));
  return pieces.join('');
}

/** Bytes of text of `%XX` and printable ASCII. */
function percentBytes(text: string, pointer: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code === 0x25) {
      const digits = text.slice(i + 1, i + 3);
      if (!/^[0-9a-f]{2}$/i.test(digits)) throw damaged('its percent-encoding is invalid', pointer);
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

export function serializeDataUri(mediaType: string, parts: readonly Uint8Array[]): string {
  return `data:${mediaType};base64,${encodeBase64(concatParts(parts))}`;
}
