/** All materials of a VRM 0.x file, with the order in which transparent ones are drawn. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { useExtension } from '../document/extensions-used.ts';
import { arrayAt, type JsonObject, listItem } from '../document/json-access.ts';
import { objectOf, objectsOf, textOf } from '../document/loose-json.ts';
import { BLEND_MODE, EMISSIVE_STRENGTH, MTOON, MTOON_SHADER, TEXTURE_TRANSFORM, UNLIT } from './mtoon-properties.ts';
import { blendModeOf, mtoonToVrm1, queueOf, unlitToVrm1, unlitZWriteToVrm1 } from './mtoon-to-vrm1.ts';

const UNLIT_Z_WRITE = 'VRM/UnlitTransparentZWrite';

/** Most steps of the order that MToon 1.0 has. */
const MAX_OFFSET = 9;

/**
 * Ranks the render queues of transparent materials: offsets of MToon 1.0 count from 0 down to −9, and from 0 up to 9 for
 * materials that write depth.
 */
function queueOffsets(items: readonly JsonObject[]): (item: JsonObject) => number {
  const ranks = (mode: number, ascending: boolean): Map<number, number> => {
    const queues = new Set(items.filter((item) => blendModeOf(item) === mode).map(queueOf));
    const sorted = [...queues].sort((a, b) => (ascending ? a - b : b - a));
    return new Map(sorted.map((queue, rank) => [queue, Math.min(rank, MAX_OFFSET)]));
  };
  const transparent = ranks(BLEND_MODE.transparent, false);
  const withZWrite = ranks(BLEND_MODE.transparentWithZWrite, true);
  return (item) => {
    const mode = blendModeOf(item);
    if (mode === BLEND_MODE.transparent) return 0 - (transparent.get(queueOf(item)) ?? 0);
    return mode === BLEND_MODE.transparentWithZWrite ? (withZWrite.get(queueOf(item)) ?? 0) : 0;
  };
}

/**
 * Converts the materials that `VRM.materialProperties` describes. Materials with the shader VRM_USE_GLTFSHADER, or with one that is not known, keep
 * their glTF material. `issues` receives VRM_CONVERT_MATERIAL for settings that MToon 1.0 does not have.
 */
export function materialsToVrm1(extension: JsonObject, json: JsonObject, issues: Issue[]): void {
  const items = objectsOf(extension, 'materialProperties').slice(0, arrayAt(json, 'materials', '').length);
  const textureCount = arrayAt(json, 'textures', '').length;
  const shaded = items.filter((item) => [MTOON_SHADER, UNLIT_Z_WRITE].includes(textOf(item, 'shader')));
  const offsetOf = queueOffsets(shaded);
  items.forEach((item, m) => {
    const material = listItem(json, 'materials', m);
    const shader = textOf(item, 'shader');
    let lost: string[] = [];
    if (shader === MTOON_SHADER) lost = mtoonToVrm1(material, item, offsetOf(item), textureCount);
    else if (shader === UNLIT_Z_WRITE) unlitZWriteToVrm1(material, item, offsetOf(item), textureCount);
    else if (!unlitToVrm1(material, item, textureCount)) return;
    for (const name of [MTOON, UNLIT, EMISSIVE_STRENGTH])
      if (objectOf(material, 'extensions')[name] !== undefined) useExtension(json, name);
    if (JSON.stringify(material).includes(`"${TEXTURE_TRANSFORM}"`)) useExtension(json, TEXTURE_TRANSFORM);
    if (lost.length === 0) return;
    const message = `MToon 1.0 has no setting for ${lost.join(', ')} of the material ${JSON.stringify(textOf(item, 'name').slice(0, 40))}; they were left out.`;
    issues.push(issue('VRM_CONVERT_MATERIAL', message, { pointer: `/extensions/VRM/materialProperties/${m}` }));
  });
}
