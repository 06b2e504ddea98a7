/** All materials of a VRM 1.0 file as `VRM.materialProperties`. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { dropExtension } from '../document/extensions-used.ts';
import { arrayAt, isObject, type JsonObject, listItem, memberAt } from '../document/json-access.ts';
import { objectOf, textOf } from './json-values.ts';
import { MTOON } from './mtoon-properties.ts';
import { gltfShaderItem, mtoonToVrm0 } from './mtoon-to-vrm0.ts';

/**
 * Converts toon materials to MToon 0.x; other materials, also unlit ones, stay those of glTF.
 *
 * @param issues Receives VRM_CONVERT_MATERIAL for settings that MToon 0.x does not have.
 */
export function materialsToVrm0(json: JsonObject, issues: Issue[]): JsonObject[] {
  const items = arrayAt(json, 'materials', '').map((_, m) => {
    const material = listItem(json, 'materials', m);
    const name = textOf(material, 'name');
    const extensions = objectOf(material, 'extensions');
    if (!isObject(memberAt(extensions, MTOON))) return gltfShaderItem(name);
    const { item, lost } = mtoonToVrm0(material, name);
    delete extensions[MTOON];
    if (Object.keys(extensions).length === 0) delete material['extensions'];
    if (lost.length > 0) {
      const message = `MToon 0.x has no setting for ${lost.join(', ')} of the material ${JSON.stringify(name.slice(0, 40))}; they were left out.`;
      issues.push(issue('VRM_CONVERT_MATERIAL', message, { pointer: `/materials/${m}` }));
    }
    return item;
  });
  dropExtension(json, MTOON);
  return items;
}
