/** Runs the T-pose estimator on test humanoids, and reads its result. */
import { BONE, type BoneName } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid, PartFinding, PosedPart } from '../../../src/core/humanoid/humanoid.ts';
import { applyCorrections, type BonePose } from '../../../src/core/humanoid/t-pose/bone-pose.ts';
import type { BoundVertices } from '../../../src/core/humanoid/t-pose/bound-vertices.ts';
import {
  type EstimateOptions,
  estimateTPose,
  type TPoseEstimate,
} from '../../../src/core/humanoid/t-pose/estimate-t-pose.ts';
import { restModelPose } from '../../../src/core/humanoid/t-pose/model-pose.ts';
import { aboutAxis, IDENTITY, minus, type Quaternion, read } from '../reference/plain.ts';
import type { TinyNode } from './tiny-humanoid.ts';

export const about = {
  x: (angle: number): Quaternion => aboutAxis([1, 0, 0], angle),
  y: (angle: number): Quaternion => aboutAxis([0, 1, 0], angle),
  z: (angle: number): Quaternion => aboutAxis([0, 0, 1], angle),
};

/** Estimates the T-pose of a humanoid from its rest pose. `rotation` is its rotation into the canonical frame. */
export function estimate(
  { skeleton, map }: Humanoid,
  options: EstimateOptions = {},
  rotation: Quaternion = IDENTITY,
): TPoseEstimate & BonePose {
  const pose = restModelPose(skeleton);
  const frame = { rotation: Float64Array.from(rotation), reason: 'test frame', confidence: 1 };
  const found = estimateTPose(skeleton, map.nodes, pose, frame, options);
  return { ...found, ...applyCorrections(map.nodes, pose, found.corrections) };
}

/** Unit direction from one bone to another in the estimated T-pose. */
export function direction({ positions }: BonePose, from: BoneName, to: BoneName): readonly number[] {
  const segment = minus(read(positions, 3 * BONE[to], 3), read(positions, 3 * BONE[from], 3));
  return segment.map((x) => x / Math.hypot(...segment));
}

/** The correction of a bone, xyzw. */
export function correctionOf({ corrections }: TPoseEstimate, bone: BoneName): number[] {
  return read(corrections, 4 * BONE[bone], 4);
}

/** The finding of a body part. */
export function finding({ findings }: TPoseEstimate, part: PosedPart): PartFinding | undefined {
  return findings.find((found) => found.part === part);
}

/** A left hand of four fingers, palm down; `curl` bends their first joints. */
export function leftFingers(curl: Quaternion = IDENTITY): TinyNode[] {
  const finger = (name: string, z: number): TinyNode[] => [
    { name: `left${name}Proximal`, parent: 'leftHand', at: [0.09, 0, z], turn: curl },
    { name: `left${name}Intermediate`, parent: `left${name}Proximal`, at: [0.04, 0, 0] },
    { name: `left${name}Distal`, parent: `left${name}Intermediate`, at: [0.03, 0, 0] },
  ];
  return [...finger('Index', 0.03), ...finger('Middle', 0), ...finger('Ring', -0.02), ...finger('Little', -0.04)];
}

/** Vertices bound to one node, in its space. */
export function pointsOf({ skeleton }: Humanoid, node: string, points: readonly (readonly number[])[]): BoundVertices {
  return {
    positions: Float32Array.from(points.flat()),
    nodes: new Int32Array(points.length).fill(skeleton.names.indexOf(node)),
    moves: Uint8Array.from(skeleton.names, (name) => (name === node ? 1 : 0)),
  };
}

/** Joins vertices of several nodes. */
export function joinPoints(parts: readonly BoundVertices[]): BoundVertices {
  return {
    positions: Float32Array.from(parts.flatMap(({ positions }) => [...positions])),
    nodes: Int32Array.from(parts.flatMap(({ nodes }) => [...nodes])),
    moves: parts[0].moves.map((_, node) => Math.max(...parts.map(({ moves }) => moves[node]))),
  };
}
