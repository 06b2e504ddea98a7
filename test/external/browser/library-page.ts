/** The library alone on a page, for comparison with what the studio writes. */
import { POSE_STRIDE, restPose } from 'anyrig';
import { type OpenFile, openBytes, type RetargetMotionsOptions, retargetMotions } from 'anyrig/files';
import { parseGltf } from 'anyrig/gltf';
import { toModelPose } from '../../../src/core/humanoid/t-pose/model-pose.ts';
import type { PoseOption } from '../../../src/files/humanoid/describe-file-humanoid.ts';

interface TextFile {
  readonly name: string;
  readonly base64: string;
}

interface Job {
  readonly motion: TextFile;
  readonly character: TextFile;
  readonly options: RetargetMotionsOptions;
  /** A file of nodes in the reference pose of the character. */
  readonly posed?: TextFile;
}

function bytesOf({ base64 }: TextFile): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}

function openText(file: TextFile): Promise<OpenFile> {
  return openBytes(bytesOf(file), { name: file.name });
}

function toText(parts: readonly Uint8Array[]): string {
  let text = '';
  for (const part of parts) {
    for (let k = 0; k < part.length; k += 8192) text += String.fromCharCode(...part.subarray(k, k + 8192));
  }
  return btoa(text);
}

/** Puts the rotations of a file of nodes into the rest pose of a character, by name. They are not rounded on the way, as a reader would. */
function poseOf({ asset }: OpenFile, posed: TextFile): PoseOption {
  const { json } = parseGltf(bytesOf(posed));
  const nodes = json['nodes'] as { name: string; rotation: number[] }[];
  const [{ skeleton }] = asset.skeletons;
  const local = restPose(skeleton);
  for (const [node, name] of skeleton.names.entries()) {
    const rotation = nodes.find((one) => one.name === name)?.rotation;
    if (rotation !== undefined) local.set(rotation, node * POSE_STRIDE + 3);
  }
  return toModelPose('studio', skeleton.parents, local);
}

async function retarget({ motion, character, options, posed }: Job): Promise<TextFile[]> {
  const onto = await openText(character);
  const target = posed === undefined ? {} : { target: { ...options.target, pose: poseOf(onto, posed) } };
  const { outputs } = await retargetMotions([await openText(motion)], onto, { ...options, ...target });
  return outputs.map(({ path, parts }) => ({ name: path, base64: toText(parts) }));
}

Object.assign(globalThis, { retarget });
