/** Makes files that show a fault smaller, as long as they show it. */
import { glbOf } from '../support/make/glb.ts';

/** Whether a file still shows the fault. */
type Shows = (bytes: Uint8Array) => Promise<boolean>;

/** Greatest number of attempts. */
const ATTEMPTS = 600;

/** Removes parts of a list, halves first. */
async function minimizeList<T>(
  list: readonly T[],
  shows: (list: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = list;
  let attempts = 0;
  for (let size = kept.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < kept.length && attempts < ATTEMPTS; attempts++) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (await shows(fewer)) kept = fewer;
      else at += size;
    }
  return kept;
}

type Container = Record<string, unknown>;

/** Removes members and items of JSON, outermost first. */
async function minimizeJson(json: Container, shows: (json: Container) => Promise<boolean>): Promise<void> {
  let attempts = 0;
  const visit = async (parent: Container | unknown[]): Promise<void> => {
    const isList = Array.isArray(parent);
    for (const key of Object.keys(parent).reverse()) {
      if (attempts++ > ATTEMPTS) return;
      const members = parent as Container;
      const value = members[key];
      // Items in the middle of a list have indices that others refer to.
      if (isList && Number(key) !== parent.length - 1) {
        if (typeof value === 'object' && value !== null) await visit(value as Container);
        continue;
      }
      if (isList) parent.pop();
      else delete members[key];
      if (await shows(json)) continue;
      members[key] = value;
      if (typeof value === 'object' && value !== null) await visit(value as Container);
    }
  };
  await visit(json);
}

/**
 * Removes lines of a text, or members of the JSON of a glTF, while the file shows the same fault. Other files stay as they are.
 *
 * @param bytes A file that shows a fault.
 * @param shows Whether a file still shows it.
 * @returns A file that shows it.
 */
export async function minimize(bytes: Uint8Array, shows: Shows): Promise<Uint8Array> {
  const isGlb = bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes.length > 20;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  if (isGlb) {
    const end = 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
    const bin = bytes.subarray(end + 8);
    try {
      const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, end)));
      if (!(await shows(glbOf(json, bin)))) return bytes;
      await minimizeJson(json, (smaller) => shows(glbOf(smaller, bin)));
      return glbOf(json, bin);
    } catch {
      return bytes;
    }
  }
  if (bytes.subarray(0, 400).includes(0)) return bytes;
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith('{')) {
    try {
      const json = JSON.parse(text);
      await minimizeJson(json, (smaller) => shows(encode(JSON.stringify(smaller))));
      return encode(JSON.stringify(json));
    } catch {
      return bytes;
    }
  }
  const lines = await minimizeList(text.split('\n'), (some) => shows(encode(some.join('\n'))));
  return encode(lines.join('\n'));
}
