/** Lists of extensions, extension objects, extras, and the version of the asset. glTF 2.0 sections 3.2, 3.12 and 5.16. */
import { describeValue, isObject, type JsonObject, memberAt, pointerTo } from '../../document/json-access.ts';
import { type CoreCheck, find, itemsAt } from './findings.ts';

const NAME = /^[A-Z0-9]+_[A-Za-z0-9_]+$/;
/** Extensions that change the meaning of core data, so that players without them fail. */
const MUST_BE_REQUIRED = ['KHR_mesh_quantization'];

/**
 * Checks extensions and the version.
 *
 * @param check The running check.
 */
export function checkExtensions(check: CoreCheck): void {
  const { json } = check.doc;
  const used = itemsAt(json, 'extensionsUsed');
  const required = itemsAt(json, 'extensionsRequired');
  used.forEach((name, i) => {
    if (typeof name !== 'string') return;
    const pointer = `/extensionsUsed/${i}`;
    if (!NAME.test(name)) {
      find(check, 'INVALID_EXTENSION_NAME_FORMAT', pointer, `${describeValue(name)} is not PREFIX_name.`);
    }
    if (MUST_BE_REQUIRED.includes(name) && !required.includes(name)) {
      find(check, 'NON_REQUIRED_EXTENSION', pointer, `${name} must also be in extensionsRequired.`);
    }
  });
  required.forEach((name, i) => {
    if (used.includes(name)) return;
    const message = `${describeValue(name)} is required, but not in extensionsUsed.`;
    find(check, 'UNUSED_EXTENSION_REQUIRED', `/extensionsRequired/${i}`, message);
  });
  checkVersions(check, json);
  checkObjects(check, json, new Set(used));
}

function checkVersions(check: CoreCheck, json: JsonObject): void {
  const asset = memberAt(json, 'asset');
  if (!isObject(asset)) return;
  const [version, least] = ['version', 'minVersion'].map((key) => /^(\d+)\.(\d+)$/.exec(String(memberAt(asset, key))));
  if (version === null) return;
  if (Number(version[2]) > 0) {
    find(check, 'UNKNOWN_ASSET_MINOR_VERSION', '/asset/version', `The version is ${version[0]}; it is read as 2.0.`);
  }
  if (least === null) return;
  const isGreater = Number(least[1]) - Number(version[1]) || Number(least[2]) - Number(version[2]);
  if (isGreater <= 0) return;
  const message = `minVersion ${least[0]} is greater than version ${version[0]}.`;
  find(check, 'ASSET_MIN_VERSION_GREATER_THAN_VERSION', '/asset/minVersion', message);
}

/** Extensions and extras may be on any object. A stack instead of recursion: files are nested as deeply as they like. */
function checkObjects(check: CoreCheck, json: JsonObject, used: ReadonlySet<unknown>): void {
  const stack: [pointer: string, value: unknown][] = [['', json]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [pointer, value] = next;
    if (Array.isArray(value)) {
      value.forEach((item, i) => {
        if (typeof item === 'object') stack.push([`${pointer}/${i}`, item]);
      });
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const where = pointerTo(pointer, key);
        if (key === 'extras') {
          if (!isObject(member) && member !== null)
            find(check, 'NON_OBJECT_EXTRAS', where, 'Extras should be an object.');
        } else if (key === 'extensions' && isObject(member)) checkUses(check, member, where, used);
        else if (typeof member === 'object') stack.push([where, member]);
      }
    }
  }
}

function checkUses(check: CoreCheck, extensions: JsonObject, pointer: string, used: ReadonlySet<unknown>): void {
  for (const [name, extension] of Object.entries(extensions)) {
    const where = pointerTo(pointer, name);
    if (!used.has(name)) find(check, 'UNDECLARED_EXTENSION', where, `${name} is not in extensionsUsed.`);
    if (!isObject(extension))
      find(check, 'TYPE_MISMATCH', where, `The extension is ${describeValue(extension)}, expected an object.`);
  }
}
