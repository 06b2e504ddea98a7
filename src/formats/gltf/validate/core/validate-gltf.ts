/** Validates the parts of glTF 2.0 that anyrig rests on. */
import type { GltfDocument } from '../../document/document.ts';
import { checkAccessors } from './check-accessors.ts';
import { checkAnimations } from './check-animations.ts';
import { checkBuffers } from './check-buffers.ts';
import { checkExtensions } from './check-extensions.ts';
import { checkJoints } from './check-joints.ts';
import { checkNodes } from './check-nodes.ts';
import { checkProperties } from './check-properties.ts';
import type { CoreCheck, CoreFinding } from './findings.ts';

/**
 * Validates asset, scenes, nodes, skins, animations, accessors, buffer views, buffers and the use of extensions against glTF 2.0, with the
 * codes, severities and JSON pointers of the Khronos glTF Validator. Meshes, materials, textures and cameras are not validated. File content
 * never makes it throw. Buffers must have been loaded (`loadResources`); those that are not are reported as `IO_ERROR`.
 *
 * @param doc The parsed document.
 * @returns All findings. Of several invalid values in one accessor only the first is listed.
 * @example
 * ```ts
 * for (const { code, pointer, message } of validateGltf(parseGltf(bytes))) console.log(code, pointer, message);
 * ```
 */
export function validateGltf(doc: GltfDocument): CoreFinding[] {
  const check: CoreCheck = { doc, findings: [], valueFaults: new Map() };
  checkProperties(check);
  checkExtensions(check);
  checkBuffers(check);
  checkAccessors(check);
  checkJoints(check, checkNodes(check));
  checkAnimations(check);
  return check.findings;
}
