/** World poses of a BVH over time, by anyrig and by three.js, for comparison. */
import { type Bone, Object3D, type QuaternionKeyframeTrack, type VectorKeyframeTrack } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';
import type { Asset } from '../../../src/core/asset/asset.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';

/** Per node, world: position xyz, rotation xyzw. */
export interface WorldPose {
  readonly positions: Float64Array;
  readonly rotations: Float64Array;
}

/** Computes the pose of the first skeleton between two keys, by slerp and forward kinematics. */
export function poseBetweenKeys(asset: Asset, key: number, part: number): WorldPose {
  const { names, parents, rest } = asset.skeletons[0]!.skeleton;
  const local = Float64Array.from(rest);
  for (const { target, path, values, times } of asset.clips[0]?.clips[0]?.tracks ?? []) {
    const width = path === 'rotation' ? 4 : 3;
    const a = key * width;
    const b = Math.min(key + 1, times.length - 1) * width;
    if (path === 'rotation') quat.slerp(local, target * POSE_STRIDE + PATH_OFFSET.rotation, values, a, values, b, part);
    else vec3.lerp(local, target * POSE_STRIDE, values, a, values, b, part);
  }
  const positions = new Float64Array(names.length * 3);
  const rotations = new Float64Array(names.length * 4);
  for (const [node, parent] of parents.entries()) {
    const from = node * POSE_STRIDE;
    if (parent < 0) {
      vec3.copy(positions, node * 3, local, from);
      quat.copy(rotations, node * 4, local, from + PATH_OFFSET.rotation);
      continue;
    }
    vec3.rotate(positions, node * 3, rotations, parent * 4, local, from);
    vec3.add(positions, node * 3, positions, node * 3, positions, parent * 3);
    quat.multiply(rotations, node * 4, rotations, parent * 4, local, from + PATH_OFFSET.rotation);
  }
  return { positions, rotations };
}

export interface ThreePoses {
  readonly bones: readonly Bone[];
  poseBetweenKeys(key: number, part: number): WorldPose;
}

/**
 * Computes poses with the BVHLoader of three.js. It adds every position to the OFFSET; `replacesOffset` selects the joints and axes where the
 * OFFSET is subtracted again. Tracks are evaluated one by one, because the mixer of three.js cannot bind to names with dots.
 */
export function threePoses(
  text: string,
  replacesOffset: (bone: number, axis: number) => boolean = () => false,
): ThreePoses {
  const { skeleton, clip } = new BVHLoader().parse(text);
  const bones = skeleton.bones;
  const offsets = bones.map((bone) => bone.position.clone());
  const animated = bones.map((_, i) => i).filter((i) => bones[i]!.name !== 'ENDSITE');
  const world = new Object3D();
  world.add(bones[0]!);
  const players = animated.map((bone, k) => {
    const position = clip.tracks[2 * k] as VectorKeyframeTrack;
    const rotation = clip.tracks[2 * k + 1] as QuaternionKeyframeTrack;
    return {
      bone,
      times: position.times,
      position: position.InterpolantFactoryMethodLinear(new Float32Array(3)),
      rotation: rotation.InterpolantFactoryMethodLinear(new Float32Array(4)),
    };
  });
  return {
    bones,
    poseBetweenKeys(key, part) {
      for (const { bone, times, position, rotation } of players) {
        const start = times[key]!;
        const time = start + ((times[key + 1] ?? start) - start) * part;
        const [x, y, z] = position.evaluate(time);
        const offset = offsets[bone]!.toArray().map((along, axis) => (replacesOffset(bone, axis) ? along : 0));
        bones[bone]!.position.set(x - offset[0]!, y - offset[1]!, z - offset[2]!);
        const [qx, qy, qz, qw] = rotation.evaluate(time);
        bones[bone]!.quaternion.set(qx, qy, qz, qw).normalize();
      }
      world.updateMatrixWorld(true);
      const positions = new Float64Array(bones.length * 3);
      const rotations = new Float64Array(bones.length * 4);
      const q = bones[0]!.quaternion.clone();
      for (const [i, bone] of bones.entries()) {
        bone.getWorldQuaternion(q);
        positions.set(
          [bone.matrixWorld.elements[12]!, bone.matrixWorld.elements[13]!, bone.matrixWorld.elements[14]!],
          i * 3,
        );
        rotations.set([q.x, q.y, q.z, q.w], i * 4);
      }
      return { positions, rotations };
    },
  };
}

/** The largest distance between equal joints, and the largest angle between their rotations in radians, by the chord. */
export function poseDifference(a: WorldPose, b: WorldPose): { position: number; rotation: number } {
  let position = 0;
  let rotation = 0;
  for (let i = 0; i * 3 < a.positions.length; i++) {
    position = Math.max(position, vec3.distance(a.positions, i * 3, b.positions, i * 3));
    rotation = Math.max(rotation, quat.angleBetween(a.rotations, i * 4, b.rotations, i * 4));
  }
  return { position, rotation };
}
