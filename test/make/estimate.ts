/** Bodies put through the estimator of the reference pose, and what tests ask of the result. */
import { BONE, type BoneName } from '../../src/core/humanoid/bones.ts';
import type { Humanoid, PartFinding, PosedPart } from '../../src/core/humanoid/humanoid.ts';
import type { BoundPoints } from '../../src/core/humanoid/reference/bound-points.ts';
import {
  type Estimate,
  type EstimateOptions,
  estimateTPose,
} from '../../src/core/humanoid/reference/estimate-t-pose.ts';
import { nodePose } from '../../src/core/humanoid/reference/model-pose.ts';
import { type TurnedPose, turnPose } from '../../src/core/humanoid/reference/reference-pose.ts';
import { aboutAxis, IDENTITY, minus, type Quaternion, read } from '../reference/plain.ts';
import type { TinyNode } from './tiny-humanoid.ts';

export const about = {
  x: (angle: number): Quaternion => aboutAxis([1, 0, 0], angle),
  y: (angle: number): Quaternion => aboutAxis([0, 1, 0], angle),
  z: (angle: number): Quaternion => aboutAxis([0, 0, 1], angle),
};

/** What the estimator makes of a body that rests in some pose; `attitude` is what the metric frame would say. */
export function estimate(
  { skeleton, map }: Humanoid,
  options: EstimateOptions = {},
  attitude: Quaternion = IDENTITY,
): Estimate & TurnedPose {
  const pose = nodePose(skeleton);
  const frame = { rotation: Float64Array.from(attitude), reason: 'told', confidence: 1 };
  const found = estimateTPose(skeleton, map.nodes, pose, frame, options);
  return { ...found, ...turnPose(map.nodes, pose, found.turns) };
}

/** From one bone to another in the T-pose that was found, at length 1. */
export function direction({ positions }: TurnedPose, from: BoneName, to: BoneName): readonly number[] {
  const segment = minus(read(positions, 3 * BONE[to], 3), read(positions, 3 * BONE[from], 3));
  return segment.map((x) => x / Math.hypot(...segment));
}

export function turnOf({ turns }: Estimate, bone: BoneName): number[] {
  return read(turns, 4 * BONE[bone], 4);
}

/** What was said about a part. */
export function finding({ findings }: Estimate, part: PosedPart): PartFinding | undefined {
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

/** Points of one node, in its space. */
export function pointsOf({ skeleton }: Humanoid, node: string, points: readonly (readonly number[])[]): BoundPoints {
  return {
    positions: Float32Array.from(points.flat()),
    nodes: new Int32Array(points.length).fill(skeleton.names.indexOf(node)),
  };
}
