/** Makes a VRM 1.0 of a character: its T-pose becomes the rest pose, as VRM requires. */
import { BONE_COUNT, BONES, REQUIRED_BONES } from '../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { JsonObject } from '../../formats/gltf/document/json-access.ts';
import {
  dropSkeletonDefinitions,
  readSkeletonDefinitions,
} from '../../formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { normalizeDocument } from '../../formats/gltf/normalize/normalize-document.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import { findMetaFaults } from '../../formats/gltf/vrm-convert/check-meta.ts';
import { createVrm } from '../../formats/gltf/vrm-convert/create-vrm.ts';
import { attachDraco } from '../adapters/gltf/attach-draco.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { chooseHumanoid } from '../humanoid/find-humanoid.ts';
import type { GltfFile, OpenFile } from '../open-file.ts';
import { createNormalizeRequest } from './define-request.ts';
import { reparentMisplaced, toEditable } from './editable-character.ts';

/**
 * Makes a VRM 1.0 of a character of any format with meshes. The bones are mapped, the T-pose becomes rest and bind pose,
 * and the character faces +Z in meters on the ground; its clips look the same.
 *
 * @param file The character; it stays unchanged.
 * @param issues Receives VRM_META_INVALID, VRM_HUMANOID for missing required bones, NOT_HUMANOID, and those of the steps.
 * @returns The VRM as a file; null where it cannot be made.
 * @throws FormatError when data that must change cannot be read.
 */
export async function createVrmFile(
  file: OpenFile,
  meta: Readonly<Record<string, unknown>>,
  options: HumanoidOptions,
  issues: Issue[],
): Promise<GltfFile | null> {
  const faults = findMetaFaults(meta);
  issues.push(...faults.map((fault) => issue('VRM_META_INVALID', `${fault} Supply it with the option meta.`)));
  if (faults.length > 0) return null;
  const { gltf, humanoid } = await toEditable(file, options, issues);
  const choice = chooseHumanoid(gltf ?? file, 'only', humanoid);
  issues.push(...choice.issues);
  const found = choice.found;
  if (gltf === null || found === null || found.part.isCanonicalRig === true) {
    issues.push(issue('NOT_HUMANOID', `${file.name} has no humanoid character: ${choice.reason ?? 'it has no mesh'}`));
    return null;
  }
  const missing = REQUIRED_BONES.filter((bone) => found.humanoid.map.nodes[BONES.indexOf(bone)] < 0);
  if (missing.length > 0) {
    const message = `Bones that VRM requires are missing: ${missing.join(', ')}. No VRM was written; map them with the option map.`;
    issues.push(issue('VRM_HUMANOID', message));
    return null;
  }
  const { document } = gltf;
  await attachDraco(document);
  const wasDefined = readSkeletonDefinitions(document).definitions.length > 0;
  const edited = reparentMisplaced(gltf, found, humanoid, true, issues);
  const request = createNormalizeRequest(edited.file, edited.found, { tPose: true });
  const { definition } = normalizeDocument(document, request, issues);
  if (!wasDefined) dropSkeletonDefinitions(document.json);
  const bones = new Int32Array(BONE_COUNT).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) bones[bone] = definition.bones[BONES[bone]] ?? -1;
  createVrm(document, bones, meta as JsonObject, issues);
  return { ...gltf, name: file.name, document, asset: readGltf(document) };
}
