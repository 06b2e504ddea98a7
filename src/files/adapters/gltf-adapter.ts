import { BONE } from '../../core/humanoid/bones.ts';
import { createNormalizedHumanoid } from '../../core/humanoid/normalized-humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import { readGeometry, readMovingVertices } from '../../formats/gltf/meshes/read-geometry.ts';
import { loadImages } from '../../formats/gltf/meshes/read-textures.ts';
import { readFace } from '../../formats/gltf/read/read-face.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import { toGltfSpace } from '../../formats/gltf/write/gltf-space.ts';
import { appendClips, replaceClips } from '../../formats/gltf/write/write-clips.ts';
import { writeMotionDocument } from '../../formats/gltf/write/write-motion.ts';
import { writeVrma } from '../../formats/gltf/write/write-vrma.ts';
import type { GltfFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { type GltfFormat, isGltf, type OutputFormat } from '../outputs/output-format.ts';
import { type GltfDestination, serializeDocument } from '../outputs/serialize-output.ts';
import type { AnimatedSkeleton, FormatAdapter, MotionClip } from './format-adapter.ts';
import { attachDraco } from './gltf/attach-draco.ts';
import { imageReader } from './gltf/image-reader.ts';
import { openDocument } from './gltf/open-document.ts';
import { planGltfCharacter } from './gltf/write-gltf-character.ts';

/** Writes a skeleton with clips as a glTF of nodes only, in the space of glTF: meters, +Y up, a humanoid faces +Z. */
async function writeGltfMotion(
  { file, part, humanoid }: AnimatedSkeleton,
  clips: readonly MotionClip[],
  destination: GltfDestination,
  issues: Issue[],
): Promise<OutputFile[]> {
  const own = clips.map(({ clip }) => clip);
  const moved = toGltfSpace(file.asset, humanoid, part.skeleton, own);
  return serializeDocument(writeMotionDocument(moved.skeleton, moved.clips), file, destination, issues);
}

/**
 * Writes a clip of a humanoid as a VRM Animation, retargeted to a normalized humanoid. Look-at replaces the eye rotations.
 *
 * @throws OptionError (`output`) for a skeleton that is not humanoid.
 */
async function writeVrmaMotion(
  { file, humanoid }: AnimatedSkeleton,
  [{ clip, face }]: readonly MotionClip[],
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
  const vrma = writeVrma(normalized, motion, face);
  issues.push(...vrma.issues);
  return serializeDocument(vrma.document, file, { path, format: 'glb' }, issues);
}

/** Narrows an output format to the containers of a glTF document. */
function gltfFormat(format: OutputFormat): GltfFormat {
  if (isGltf(format)) return format;
  throw new RangeError(`The glTF adapter was asked to write .${format}; expected .glb, .gltf or .vrm`);
}

/** glTF: GLB, .gltf, VRM and VRMA. */
export const GLTF_ADAPTER: FormatAdapter<GltfFile> = {
  format: 'gltf',
  open: async (bytes, { name = '', readResource, wantsClip }) => {
    const document = await openDocument(bytes, readResource);
    const asset = readGltf(document, wantsClip === undefined ? {} : { wantsClip });
    return { format: 'gltf', name, asset, document, readResource: readResource ?? null };
  },
  resources: ({ document }) => [...document.resources.keys()],
  readGeometry: async ({ document, readResource }) => {
    if (readResource !== null) await loadImages(document, imageReader(readResource));
    await attachDraco(document);
    return readGeometry(document);
  },
  readVertices: ({ document }) => readMovingVertices(document),
  readFace: ({ document }, issues) => {
    const face = readFace(document);
    issues.push(...face.issues);
    return face.rig;
  },
  parseIssues: ({ document }) => document.issues,
  writeLossless: async (file, changes, { path, format }, issues) => {
    const destination = { path, format: gltfFormat(format) };
    if (changes === null) return serializeDocument(file.document, file, destination, issues);
    const edited = copyDocument(file.document);
    issues.push(...(changes.replace ? replaceClips : appendClips)(edited, changes.animations).issues);
    return serializeDocument(edited, file, destination, issues);
  },
  planCharacter: (character, { format }) => planGltfCharacter(character, gltfFormat(format)),
  writeMotion: (skeleton, clips, { path, format }, _fps, issues) => {
    if (format === 'vrma') return writeVrmaMotion(skeleton, clips, path, issues);
    return writeGltfMotion(skeleton, clips, { path, format: gltfFormat(format) }, issues);
  },
};
