/** Compares a motion retargeted through a library of humanoid clips with the same motion retargeted directly. */

import type { Clip } from '../../../src/core/animation/clip.ts';
import { isConstantTrack } from '../../../src/core/animation/is-constant-track.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../../src/core/retarget/plan-types.ts';
import { localToModelMatrices, localToModelRotations } from '../../../src/core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import type { HumanoidOptions } from '../../../src/files/humanoid/describe-file-humanoid.ts';
import { chooseHumanoid, type FoundHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { openBytes } from '../../../src/files/node.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';

/** The largest differences of both results over time. */
export interface ExtractedPair {
  /** World rotation of bones without resampled tracks on them or above them, radians. */
  readonly kept: number;
  /** Local rotation of resampled tracks at the keys of the motion, radians. */
  readonly atKeys: number;
  /** World rotation, radians, of all bones at all moments. */
  readonly any: number;
  /** Hips position, relative to the hips height. */
  readonly hips: number;
  /** Number of bones with resampled tracks on them or above them, and of the others. */
  readonly counts: { readonly resampled: number; readonly kept: number };
  /** The bone with the largest difference `any`. */
  readonly worst: string;
}

const opened = new Map<OpenFile, Map<string, Promise<OpenFile | null>>>();

/** Extracts a clip to a library of humanoid clips and opens it; null if nothing was extracted. */
export async function extracted(
  motion: OpenFile,
  clip: number,
  source: HumanoidOptions = {},
): Promise<OpenFile | null> {
  const known = opened.get(motion) ?? new Map<string, Promise<OpenFile | null>>();
  const key = `${clip} ${source.pose}`;
  opened.set(motion, known);
  const made =
    known.get(key) ??
    extractMotions([motion], { output: 'clips.glb', clips: [clip], source, edits: { keys: 'exact' } }).then(
      ({ outputs }) => {
        return outputs.length === 0 ? null : openBytes(concatParts(outputs[0].parts), { name: motion.name });
      },
    );
  known.set(key, made);
  return made;
}

/** Returns the target nodes whose tracks a plan resamples for a clip. */
function resampledNodes(plan: RetargetPlan, clip: Clip): Set<number> {
  const moving = new Set(
    clip.tracks.filter((track) => track.path === 'rotation' && !isConstantTrack(track)).map(({ target }) => target),
  );
  const nodes = new Set<number>();
  plan.bones.forEach((_, k) => {
    let count = 0;
    for (let e = plan.pathStart[k]; e < plan.pathStart[k + 1]; e++) if (moving.has(plan.pathNodes[e])) count++;
    if (count > 1) nodes.add(plan.targetNodes[k]);
  });
  return nodes;
}

/** Returns the key times of every animated rotation track per target node. */
function keysOnPaths(plan: RetargetPlan, clip: Clip): Map<number, Set<number>[]> {
  const moving = new Map(
    clip.tracks
      .filter((track) => track.path === 'rotation' && !isConstantTrack(track))
      .map(({ target, times }) => [target, new Set(times)]),
  );
  return new Map(
    Array.from(plan.targetNodes, (node, k) => {
      const path = Array.from(plan.pathNodes.subarray(plan.pathStart[k], plan.pathStart[k + 1]));
      return [node, path.flatMap((one) => moving.get(one) ?? [])];
    }),
  );
}

/** Returns the bones that a plan resamples. */
function resampledBones(found: FoundHumanoid, plan: RetargetPlan, clip: Clip): Set<number> {
  const nodes = resampledNodes(plan, clip);
  return new Set(BONES.flatMap((_, bone) => (nodes.has(found.humanoid.map.nodes[bone]) ? [bone] : [])));
}

function findPairHumanoid(
  file: OpenFile,
  role: 'source' | 'target',
  clip: number,
  options: HumanoidOptions = {},
): FoundHumanoid {
  const { found } = chooseHumanoid(file, role, options, clip < 0 ? undefined : [file.asset.clips[clip]]);
  if (found === null) throw new Error(`${file.name} is not humanoid`);
  return found;
}

/** Returns the key times and the midpoints between them, `most` at most. */
function momentsOf(clips: readonly Clip[], most = 240): number[] {
  const keys = [...new Set(clips.flatMap(({ tracks }) => tracks.flatMap(({ times }) => Array.from(times))))];
  keys.sort((a, b) => a - b);
  const all = keys.flatMap((time, k) => (k === 0 ? [time] : [(keys[k - 1] + time) / 2, time]));
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, k) => k % step === 0);
}

/** Compares both results of a clip on a character; null if there is no result either way. */
export async function comparePair(motion: OpenFile, clip: number, character: OpenFile): Promise<ExtractedPair | null> {
  // Look-at rotates the eyes within ranges of their character; humanoid clips contain only bones.
  // Between a VRM Animation and a VRM, motion is measured from the declared poses; humanoid clips are measured from the straightened ones.
  const pose: HumanoidOptions =
    motion.name.endsWith('.vrma') && character.name.endsWith('.vrm') ? { pose: 'declared' } : {};
  const direct = await retargetClips([motion], character, {
    clips: [clip],
    face: false,
    source: pose,
    target: pose,
    contacts: 'off',
    edits: { keys: 'exact' },
  });
  const library = await extracted(motion, clip, pose);
  const through =
    library === null
      ? null
      : await retargetClips([library], character, {
          face: false,
          target: pose,
          contacts: 'off',
          edits: { keys: 'exact' },
        });
  const directly = direct.clips[0]?.clip;
  if (directly === undefined || directly.tracks.length === 0) {
    // A motion of bones that the character lacks gives a constant pose through the library: its rest pose.
    const moves = through?.clips.some(({ clip: { tracks } }) => !tracks.every(isConstantTrack)) ?? false;
    if (moves) throw new Error('there is a motion only through the library');
    return null;
  }
  if (library === null || through === null || through.clips.length === 0) {
    throw new Error(`there is no result through the library: ${JSON.stringify(through?.issues)}`);
  }
  const { humanoid } = findPairHumanoid(character, 'target', -1, pose);
  const source = findPairHumanoid(motion, 'source', clip, pose);
  const canonical = findPairHumanoid(library, 'source', 0);
  const moved = motion.asset.clips[clip].clips[source.index];
  const middle = library.asset.clips[0].clips[canonical.index];
  const directPlan = planRetarget(source.humanoid, humanoid);
  const resampled = resampledNodes(directPlan, moved);
  const throughPlan = planRetarget(canonical.humanoid, humanoid);
  for (const node of resampledNodes(throughPlan, middle)) resampled.add(node);
  // Tracks that are resampled in the library count as resampled on every node that they drive.
  const inLibrary = resampledBones(canonical, planRetarget(source.humanoid, canonical.humanoid), moved);
  const libraryNodes = new Set(Array.from(inLibrary, (bone) => canonical.humanoid.map.nodes[bone]));
  throughPlan.targetNodes.forEach((node, k) => {
    const path = throughPlan.pathNodes.subarray(throughPlan.pathStart[k], throughPlan.pathStart[k + 1]);
    if (path.some((one) => libraryNodes.has(one))) resampled.add(node);
  });
  // Twist joints between bones depend on the tracks above and below them.
  const boneNodes = new Set(humanoid.map.nodes);
  for (const { target: node, path, times } of [...directly.tracks, ...through.clips[0].clip.tracks]) {
    if (path === 'rotation' && times.length > 1 && !boneNodes.has(node)) resampled.add(node);
  }
  const { parents, rest } = humanoid.skeleton;
  const below = new Uint8Array(parents.length);
  parents.forEach((parent, node) => {
    below[node] = resampled.has(node) || (parent >= 0 && below[parent] === 1) ? 1 : 0;
  });
  const out = { kept: 0, atKeys: 0, any: 0, hips: 0, worst: '' };
  const local = [Float64Array.from(rest), Float64Array.from(rest)];
  const worlds = local.map(() => new Float64Array(4 * parents.length));
  const matrices = local.map(() => new Float64Array(16 * parents.length));
  const clips = [directly, through.clips[0].clip];
  const keys = keysOnPaths(throughPlan, middle);
  const directKeys = keysOnPaths(directPlan, moved);
  for (const time of momentsOf(clips)) {
    clips.forEach((one, k) => {
      local[k].set(rest);
      sampleClip(one, time, local[k]);
      localToModelRotations(worlds[k], parents, local[k]);
      localToModelMatrices(matrices[k], parents, local[k]);
    });
    humanoid.map.nodes.forEach((node, bone) => {
      if (node < 0) return;
      const angle = quat.angleBetween(worlds[0], 4 * node, worlds[1], 4 * node);
      if (angle > out.any) Object.assign(out, { any: angle, worst: BONES[bone] });
      if (below[node] === 0) out.kept = Math.max(out.kept, angle);
      const isKey = [...(keys.get(node) ?? []), ...(directKeys.get(node) ?? [])].every((times) => times.has(time));
      const rotation = POSE_STRIDE * node + PATH_OFFSET.rotation;
      if (isKey) out.atKeys = Math.max(out.atKeys, quat.angleBetween(local[0], rotation, local[1], rotation));
    });
    const at = 16 * humanoid.map.nodes[0] + 12;
    const height = humanoid.hipsHeight > 0.01 * humanoid.height ? humanoid.hipsHeight : humanoid.height;
    out.hips = Math.max(out.hips, (vec3.distance(matrices[0], at, matrices[1], at) * humanoid.metersPerUnit) / height);
  }
  const kept = humanoid.map.nodes.filter((node) => node >= 0 && below[node] === 0).length;
  const all = humanoid.map.nodes.filter((node) => node >= 0).length;
  return { ...out, counts: { resampled: all - kept, kept } };
}
