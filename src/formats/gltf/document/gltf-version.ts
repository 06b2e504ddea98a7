import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Glb } from './glb.ts';
import { isObject, type JsonObject, memberAt, objectAt, pointerTo, stringAt } from './json-access.ts';

/** Members that every glTF object may have. */
const EVERYWHERE = ['name', 'extensions', 'extras'];

/**
 * Members of the objects that anyrig interprets: glTF 2.0, and those of the 2.1 draft that change no motion (shapes, bounding volumes,
 * the thumbnail) or are supported (chunk). A key is the path of the objects below the root, with `*` for every item.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...[
      'accessors',
      'animations',
      'asset',
      'bufferViews',
      'buffers',
      'cameras',
      'extensionsRequired',
      'extensionsUsed',
    ],
    ...['images', 'materials', 'meshes', 'nodes', 'samplers', 'scene', 'scenes', 'shapes', 'skins', 'textures'],
  ],
  asset: ['copyright', 'generator', 'minVersion', 'thumbnail', 'version'],
  'accessors/*': [
    ...['bufferView', 'byteOffset', 'componentType', 'count', 'max', 'min', 'normalized', 'sparse', 'type'],
  ],
  'animations/*': ['channels', 'samplers'],
  'animations/*/channels/*': ['sampler', 'target'],
  'animations/*/samplers/*': ['input', 'interpolation', 'output'],
  'bufferViews/*': ['buffer', 'byteLength', 'byteOffset', 'byteStride', 'target'],
  'buffers/*': ['byteLength', 'chunk', 'uri'],
  'meshes/*': ['primitives', 'weights'],
  'meshes/*/primitives/*': ['attributes', 'indices', 'material', 'mode', 'targets'],
  'nodes/*': [
    ...[
      'boundingVolume',
      'camera',
      'children',
      'matrix',
      'mesh',
      'rotation',
      'scale',
      'skin',
      'translation',
      'weights',
    ],
  ],
  'scenes/*': ['nodes'],
  'skins/*': ['inverseBindMatrices', 'joints', 'skeleton'],
};

/**
 * Accepts any glTF 2.x (section 3.2), unless `minVersion` requires more than 2.0. `minVersion` 2.1 is accepted if the file uses only what is known
 * of the draft of glTF 2.1. `glb`: container; null for .gltf. Returns issue GLTF_DRAFT for a file that needs the draft of glTF 2.1; null for
 * others. Throws FormatError GLTF_VERSION, with a pointer to the version or to the unknown property; GLTF_SCHEMA.
 */
export function checkVersion(json: JsonObject, glb: Glb | null): Issue | null {
  const asset = objectAt(json, 'asset', '');
  const version = asset === undefined ? undefined : stringAt(asset, 'version', '/asset');
  if (asset === undefined || version === undefined) {
    const message = 'The file has no asset.version, which glTF requires; it is not glTF';
    throw new FormatError('GLTF_VERSION', message, { pointer: '/asset' });
  }
  if (!/^2\.\d+$/.test(version)) {
    const message = `The asset has glTF version ${version}, but only glTF 2 is supported; convert the file to glTF 2.0 first`;
    throw new FormatError('GLTF_VERSION', message, { pointer: '/asset/version' });
  }
  const minVersion = stringAt(asset, 'minVersion', '/asset');
  const needsDraft = minVersion !== undefined && !/^([01]\.\d+|2\.0)$/.test(minVersion);
  if (needsDraft) checkDraft(json, minVersion);
  if (!needsDraft && glb?.chunks == null) return null;
  const what = needsDraft ? 'requires glTF 2.1' : 'is a GLB of version 3';
  const message = `The file ${what}, which is a draft; it was read as the draft of August 2026, and a later draft may read it differently`;
  return issue('GLTF_DRAFT', message, needsDraft ? { pointer: '/asset/minVersion' } : { offset: 4 });
}

/** Refuses versions after 2.1, and 2.1 with properties that are unknown. */
function checkDraft(json: JsonObject, minVersion: string): void {
  if (minVersion !== '2.1') {
    const message = `The asset requires at least glTF ${minVersion}, but only glTF 2.0 and the draft of 2.1 are supported; export it as glTF 2.0`;
    throw new FormatError('GLTF_VERSION', message, { pointer: '/asset/minVersion' });
  }
  for (const [path, known] of Object.entries(KNOWN)) {
    for (const [pointer, object] of objectsAt(json, '', path === '' ? [] : path.split('/'))) {
      const unknown = Object.keys(object).find((key) => !known.includes(key) && !EVERYWHERE.includes(key));
      if (unknown === undefined) continue;
      const where = pointerTo(pointer, unknown);
      const message = `The asset requires glTF 2.1, and ${where} is not known of its draft; export it as glTF 2.0`;
      throw new FormatError('GLTF_VERSION', message, { pointer: where });
    }
  }
}

/** The objects on a path; readers report members of the wrong type. */
function* objectsAt(
  value: unknown,
  pointer: string,
  [key, ...rest]: readonly string[],
): Generator<readonly [pointer: string, object: JsonObject]> {
  if (key === undefined) {
    if (isObject(value)) yield [pointer, value];
  } else if (key === '*') {
    if (Array.isArray(value))
      for (const [i, item] of value.entries()) yield* objectsAt(item, pointerTo(pointer, i), rest);
  } else if (isObject(value)) yield* objectsAt(memberAt(value, key), pointerTo(pointer, key), rest);
}
