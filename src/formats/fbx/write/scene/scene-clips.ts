import { PATH_WIDTH, TRACK_PATHS, type Track } from '../../../../core/animation/clip.ts';
import type { MorphTrack, NewAnimation } from '../../../../core/asset/asset.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import * as quat from '../../../../core/math/quat.ts';
import * as vec3 from '../../../../core/math/vec3.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import type { JointPlan, PlannedJoint } from './plan-joints.ts';
import type { WrittenModel } from './write-joints.ts';
import type { WrittenMesh } from './write-meshes.ts';

interface ClipTargets {
  readonly plan: JointPlan;
  readonly models: readonly WrittenModel[];
  readonly meshes: readonly WrittenMesh[];
  readonly nodeOf: ReadonlyMap<number, number>;
  /** Local rest pose of the source: {@link POSE_STRIDE} floats per node. */
  readonly sourceRest: Floats;
  /** Local rest pose that is written. */
  readonly rest: Floats;
}

/** Maps the values of a track: rotations and factors are constant, so that keys and interpolation stay. Tangents get the linear part. */
function mapTrack(track: Track, target: number, { fromParent, scaleFactors }: PlannedJoint): Track {
  const { path, interpolation } = track;
  const { translation, rotation, factor } = fromParent;
  const width = PATH_WIDTH[path];
  const values = new Float64Array(track.values.length);
  for (let i = 0, k = 0; i + width <= values.length; i += width, k++) {
    if (path === 'rotation') quat.multiply(values, i, rotation, 0, track.values, i);
    else if (path === 'scale') for (let c = 0; c < 3; c++) values[i + c] = scaleFactors[c] * track.values[i + c];
    else {
      vec3.rotate(values, i, rotation, 0, track.values, i);
      vec3.scale(values, i, values, i, factor);
      if (interpolation !== 'CUBICSPLINE' || k % 3 === 1) vec3.add(values, i, values, i, translation, 0);
    }
  }
  return { ...track, target, values };
}

/**
 * Keys that hold joints which a clip does not animate at the rest of the source: where the file has another rest, and in files with skins the rotation of joints
 * without a cluster, which Blender leaves in the bind pose otherwise.
 */
function restTracks(tracks: readonly Track[], { plan, meshes, sourceRest, rest }: ClipTargets): Track[] {
  const animated = new Set(tracks.map(({ target, path }) => `${target} ${path}`));
  const bound = new Set(meshes.flatMap(({ planned }) => planned.skin?.joints ?? []));
  return plan.joints.flatMap((joint, target) =>
    TRACK_PATHS.flatMap((path): Track[] => {
      if (joint.node < 0 || animated.has(`${target} ${path}`)) return [];
      const at = POSE_STRIDE * joint.node + PATH_OFFSET[path];
      const values = sourceRest.slice(at, at + PATH_WIDTH[path]);
      const isUnbound = path === 'rotation' && bound.size > 0 && !bound.has(target);
      if (!isUnbound && values.every((value, c) => value === rest[at + c])) return [];
      const key: Track = { target, path, interpolation: 'LINEAR', times: Float64Array.of(0), values };
      return [mapTrack(key, target, joint)];
    }),
  );
}

/**
 * Converts clips to the Models of a file. `issues` receives CHANNELS_DROPPED for tracks of nodes that are not written, and CLIP_EMPTY for clips
 * that are left out, because they animate nothing.
 */
export function sceneClips(animations: readonly NewAnimation[], targets: ClipTargets, issues: Issue[]): NewAnimation[] {
  const { plan, models, meshes, nodeOf } = targets;
  const modelIndices = models.map(({ index }) => index);
  let lost = 0;
  const clips = animations.flatMap((animation): NewAnimation[] => {
    const { clip, sourceNodes, name } = animation;
    const tracks = clip.tracks.flatMap((track): Track[] => {
      const joint = plan.jointOf[nodeOf.get(sourceNodes[track.target]) ?? -1] ?? -1;
      if (joint >= 0) return [mapTrack(track, joint, plan.joints[joint])];
      lost++;
      return [];
    });
    const morphs = (animation.morphs ?? []).flatMap((track): MorphTrack[] => {
      const node = nodeOf.get(track.sourceNode);
      const shown = meshes.filter(
        ({ planned, shapeCount }) => planned.node === node && shapeCount === track.targetCount,
      );
      if (shown.length === 0) lost++;
      return shown.map(({ index, planned }) => ({ ...track, sourceNode: index, nodeName: planned.name }));
    });
    if (tracks.length + morphs.length > 0) {
      const all = [...tracks, ...restTracks(tracks, targets)];
      return [{ name, clip: { ...clip, tracks: all }, sourceNodes: modelIndices, morphs }];
    }
    const message = `The clip ${JSON.stringify(name)} animates none of the written nodes and was dropped. Check that it belongs to this character.`;
    issues.push(issue('CLIP_EMPTY', message));
    return [];
  });
  if (lost > 0) {
    const message = `${lost} tracks animate nodes or morph targets that are not written to the FBX file and were dropped.`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return clips;
}
