/** Reads a BVH whose joints have positions and no rotations: point clouds of programs that track joints. */
import type { Asset } from '../../../core/asset/asset.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { decodeText, encodingIssue } from '../../../core/text/decode-text.ts';
import { axisOf, type BvhJoint, type BvhMotion } from '../../../formats/bvh/bvh-tree.ts';
import { parseBvh } from '../../../formats/bvh/parse-bvh.ts';
import { readPointFile } from '../../../formats/points/read-points.ts';

/** Median over frames of the change of bone lengths, relative to them: of lengths that do not change it is 0. */
function lengthSpread(positions: Float64Array, parents: Int32Array): number {
  const count = parents.length;
  const frames = positions.length / (3 * count);
  const stride = Math.max(1, Math.floor(frames / 100));
  let spread = 0;
  for (let joint = 0; joint < count; joint++) {
    if (parents[joint] < 0) continue;
    const lengths: number[] = [];
    for (let frame = 0; frame < frames; frame += stride) {
      const at = (k: number): number => 3 * (frame * count + k);
      lengths.push(Math.hypot(...[0, 1, 2].map((c) => positions[at(joint) + c] - positions[at(parents[joint]) + c])));
    }
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    spread += lengths.reduce((sum, length) => sum + Math.abs(length - mean), 0) / (lengths.length * (mean || 1));
  }
  return spread;
}

/** Positions as the file has them: from the parent, or from the origin. */
function positionsOf(
  joints: readonly BvhJoint[],
  parents: Int32Array,
  { frameCount, values }: BvhMotion,
  channels: number,
  fromParent: boolean,
): Float64Array {
  const count = joints.length;
  const positions = new Float64Array(3 * frameCount * count);
  for (let frame = 0; frame < frameCount; frame++) {
    for (const [k, { channels: own, column, offset }] of joints.entries()) {
      const at = 3 * (frame * count + k);
      for (let c = 0; c < 3; c++) positions[at + c] = own.length === 0 ? offset[c] : 0;
      for (const [channel, name] of own.entries())
        positions[at + axisOf(name)] = values[frame * channels + column + channel];
      if (!fromParent || parents[k] < 0) continue;
      for (let c = 0; c < 3; c++) positions[at + c] += positions[3 * (frame * count + parents[k]) + c];
    }
  }
  return positions;
}

/** Reads such a BVH as an asset. Throws FormatError `BVH_SYNTAX`, `POINTS_NOT_BODY`, or `POINTS_SYNTAX` for a file without frames. */
export function readPositionBvh(bytes: Uint8Array): Asset {
  const { text, legacyEncoding } = decodeText(bytes, 'BVH_SYNTAX');
  const tree = parseBvh(text);
  const issues = [...(legacyEncoding === null ? [] : [encodingIssue(legacyEncoding)]), ...tree.issues];
  const { motion } = tree;
  if (motion === null || motion.frameCount === 0)
    throw new FormatError(
      'POINTS_SYNTAX',
      'The BVH has joints with positions and no rotations, and no frames. Export it with its motion.',
    );
  const kept = tree.joints
    .map((joint, k) => ({ joint, k }))
    .filter(({ joint }) => joint.channels.length > 0 || joint.kind !== 'end');
  const index = new Map(kept.map(({ k }, at) => [k, at]));
  const joints = kept.map(({ joint }) => joint);
  const parents = Int32Array.from(joints, ({ parent }) => index.get(parent) ?? -1);
  const [own, whole] = [true, false].map((fromParent) =>
    positionsOf(joints, parents, motion, tree.channelCount, fromParent),
  );
  return readPointFile(
    {
      names: joints.map(({ name }) => name),
      count: joints.length,
      parents,
      zerosAreLost: false,
      takes: [
        {
          name: '',
          positions: lengthSpread(own, parents) <= lengthSpread(whole, parents) ? own : whole,
          confidences: null,
        },
      ],
      frameRate: 1 / motion.frameTime,
      metersPerUnit: null,
    },
    issues,
  );
}
