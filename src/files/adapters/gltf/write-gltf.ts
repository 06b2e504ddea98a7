/** Writes glTF: files with changed clips, and new ones. */
import { BONE } from '../../../core/humanoid/bones.ts';
import { createNormalizedHumanoid } from '../../../core/humanoid/normalized-humanoid.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { planRetarget } from '../../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../core/retarget/retarget-clip.ts';
import { copyDocument } from '../../../formats/gltf/document/copy-document.ts';
import { toGltfSpace } from '../../../formats/gltf/write/gltf-space.ts';
import { appendClips, replaceClips } from '../../../formats/gltf/write/write-clips.ts';
import { writeMotionDocument } from '../../../formats/gltf/write/write-motion.ts';
import { writeVrma } from '../../../formats/gltf/write/write-vrma.ts';
import type { GltfFile } from '../../open-file.ts';
import { OptionError } from '../../option-error.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import { type GltfDestination, serializeDocument } from '../../outputs/serialize-output.ts';
import type { AnimatedSkeleton, ClipChanges, MotionClip } from '../format-adapter.ts';

export async function writeGltf(
  file: GltfFile,
  changes: ClipChanges | null,
  destination: GltfDestination,
  issues: Issue[],
): Promise<OutputFile[]> {
  if (changes === null) return serializeDocument(file.document, file, destination, issues);
  const edited = copyDocument(file.document);
  issues.push(...(changes.replace ? replaceClips : appendClips)(edited, changes.animations).issues);
  return serializeDocument(edited, file, destination, issues);
}

/** Writes a skeleton with clips as a glTF of nodes only, in the space of glTF: meters, +Y up, a humanoid faces +Z. */
export async function writeGltfMotion(
  { file, part, humanoid }: AnimatedSkeleton,
  clips: readonly MotionClip[],
  destination: GltfDestination,
  issues: Issue[],
): Promise<OutputFile[]> {
  const own = clips.map(({ clip }) => clip);
  const moved = toGltfSpace(file.asset, humanoid, part.skeleton, own);
  const animations = moved.clips.map((clip, k) => {
    const { events, extras } = clips[k];
    return { ...clip, ...(events && { events }), extras };
  });
  return serializeDocument(writeMotionDocument(moved.skeleton, animations), file, destination, issues);
}

/**
 * Writes a clip of a humanoid as a VRM Animation, retargeted to a normalized humanoid. Look-at replaces the eye rotations. Throws OptionError
 * (`output`) for a skeleton that is not humanoid.
 */
export async function writeVrmaMotion(
  { file, humanoid }: AnimatedSkeleton,
  [{ clip, face, extras }]: readonly MotionClip[],
  path: string,
  issues: Issue[],
): Promise<OutputFile[]> {
  if (humanoid === null) {
    const message = `${file.name} is not humanoid, but a .vrma holds humanoid motion only; write .glb or .bvh`;
    throw new OptionError('output', message);
  }
  const normalized = createNormalizedHumanoid(humanoid);
  const eyes = [BONE.leftEye, BONE.rightEye].map((bone) => humanoid.map.nodes[bone]);
  const hasLookAt = face !== undefined && face.lookAt !== null;
  const tracks = hasLookAt ? clip.tracks.filter(({ target }) => !eyes.includes(target)) : clip.tracks;
  const motion = retargetClip(planRetarget(humanoid, normalized), { ...clip, tracks }, { name: clip.name });
  const vrma = writeVrma(normalized, { ...motion, extras }, face);
  issues.push(...vrma.issues);
  return serializeDocument(vrma.document, file, { path, format: 'glb' }, issues);
}
