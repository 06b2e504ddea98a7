/** Clips of a body without its mesh as files: glTF with nothing but nodes, USD with nothing but a skeleton, VRMA, BVH. */
import type { Clip } from '../core/animation/clip.ts';
import type { AssetSkeleton } from '../core/asset/asset.ts';
import type { FaceTracks } from '../core/face/face-tracks.ts';
import { BONE } from '../core/humanoid/bones.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { normalizedHumanoid } from '../core/humanoid/normalized-humanoid.ts';
import { FormatError } from '../core/report/format-error.ts';
import type { Issue } from '../core/report/issue.ts';
import { planRetarget } from '../core/retarget/plan.ts';
import { retargetClip } from '../core/retarget/retarget-clip.ts';
import { printBvh } from '../formats/bvh/print.ts';
import type { BvhTree } from '../formats/bvh/tree.ts';
import { writeBvh } from '../formats/bvh/write.ts';
import { writeBvhClip } from '../formats/bvh/write-clip.ts';
import type { GltfDocument } from '../formats/gltf/document.ts';
import { toGltfSpace } from '../formats/gltf/gltf-space.ts';
import { writeMotionDocument } from '../formats/gltf/write-motion.ts';
import { writeVrma } from '../formats/gltf/write-vrma.ts';
import type { ClipNameParts } from './clip-names.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { isUsd, outputFormat } from './output-format.ts';
import { outputGroups } from './output-paths.ts';
import { printOutput } from './print-output.ts';

/** What clips move. */
export interface MotionBody {
  readonly file: OpenFile;
  readonly part: AssetSkeleton;
  /** Null where the skeleton is no humanoid. */
  readonly humanoid: Humanoid | null;
}

/** A clip of a body, and what a path by a template is made of. */
export interface NamedClip {
  readonly clip: Clip;
  readonly parts: ClipNameParts;
  /** What a VRMA has of a face beside the clip. */
  readonly face?: FaceTracks;
}

function vrmaOf({ file, humanoid }: MotionBody, { clip, face }: NamedClip, issues: Issue[]): GltfDocument {
  if (humanoid === null) {
    throw new OptionError('output', `${file.name} is not humanoid, and a .vrma holds humanoid motions only`);
  }
  const body = normalizedHumanoid(humanoid);
  // Eyes that the gaze turns are told by it.
  const eyes = [BONE.leftEye, BONE.rightEye].map((bone) => humanoid.map.nodes[bone]);
  const hasGaze = face !== undefined && face.lookAt !== null;
  const tracks = hasGaze ? clip.tracks.filter(({ target }) => !eyes.includes(target)) : clip.tracks;
  const motion = retargetClip(planRetarget(humanoid, body), { ...clip, tracks }, { name: clip.name });
  return writeVrma(body, motion, issues, face);
}

/** A BVH keeps its hierarchy; other bodies get a new one. */
function bvhOf(
  { file, part, humanoid }: MotionBody,
  clip: Clip | null,
  fps: number | undefined,
  issues: Issue[],
): Uint8Array {
  const { skeleton } = part;
  const options = fps === undefined ? {} : { fps };
  const written =
    file.bvh === null
      ? writeBvh(humanoid ?? { skeleton, metersPerUnit: file.asset.metersPerUnit }, clip, options)
      : writeBvhClip(file.bvh, part, clip ?? { name: '', duration: 0, tracks: [] }, options);
  issues.push(...written.issues);
  return new TextEncoder().encode(printed(written.tree));
}

/** The text of a BVH. Files with absurd numbers give others that are past what a BVH holds. */
function printed(tree: BvhTree): string {
  try {
    return printBvh(tree);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FormatError('BVH_SYNTAX', `The body cannot be written as a BVH: ${error.message}`);
  }
}

function documentOf({ file, part, humanoid }: MotionBody, clips: readonly Clip[]): GltfDocument {
  const moved = toGltfSpace(file.asset, humanoid, part.skeleton, clips);
  return writeMotionDocument(moved.skeleton, moved.clips);
}

/**
 * Files with clips of one body and nothing else of it; the extension of `output` decides the format, and a template in it (see
 * `outputGroups`) makes a file a clip. In glTF they are in the space of glTF, in USD in that of the file; what a VRMA and a BVH are is told at their writers.
 * `fps` is the frame rate of a BVH; without it that of the keys.
 *
 * @throws OptionError when one file has to hold several clips and cannot, or the body cannot be in the format.
 */
export async function motionOutputs(
  body: MotionBody,
  clips: readonly NamedClip[],
  output: string,
  fps: number | undefined,
  issues: Issue[],
): Promise<OutputFile[]> {
  const format = outputFormat(output);
  const groups = outputGroups(
    output,
    clips.map(({ parts }) => parts),
  );
  const files: OutputFile[] = [];
  for (const { path, clips: indices } of groups) {
    const chosen = indices.map((index) => clips[index].clip);
    if (format === 'bvh') {
      files.push({ path, parts: [bvhOf(body, chosen[0] ?? null, fps, issues)] });
      continue;
    }
    if (isUsd(format)) {
      const { usdMotionFiles } = await import('./usd.ts');
      const { file, part, humanoid } = body;
      files.push(...usdMotionFiles(file, part.skeleton, humanoid, chosen, { path, format }, issues));
      continue;
    }
    const document = format === 'vrma' ? vrmaOf(body, clips[indices[0]], issues) : documentOf(body, chosen);
    const place = { path, format: format === 'vrma' ? ('glb' as const) : format };
    files.push(...(await printOutput(document, body.file, place, issues)));
  }
  return files;
}
