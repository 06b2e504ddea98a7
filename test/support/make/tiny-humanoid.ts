/** Humanoids with a few nodes, declared in a test. */
import type { Clip, Interpolation, Track } from '../../../src/core/animation/clip.ts';
import { lastKeyTime } from '../../../src/core/animation/clip.ts';
import { BONE, BONE_COUNT, isBoneName } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { IDENTITY, type Quaternion, type Vector, worldPose } from '../reference/plain.ts';

/** A node; a bone if it has the name of one. */
export interface TinyNode {
  readonly name: string;
  /** Name of an earlier node; a root by default. */
  readonly parent?: string;
  /** Local translation, rotation and scale of the rest pose, which is also the reference pose. */
  readonly at?: Vector;
  readonly turn?: Quaternion;
  readonly scale?: Vector;
}

/** Returns a humanoid that faces +Z, in meters, with the ground at y = 0. */
export function tinyHumanoid(...nodes: readonly TinyNode[]): Humanoid {
  const names = nodes.map(({ name }) => name);
  const parents = Int32Array.from(nodes, ({ parent }) => (parent === undefined ? -1 : names.indexOf(parent)));
  const rest = Float64Array.from(
    nodes.flatMap(({ at = [0, 0, 0], turn = IDENTITY, scale = [1, 1, 1] }) => [...at, ...turn, ...scale]),
  );
  const world = worldPose(parents, rest);
  const table = new Int32Array(BONE_COUNT).fill(-1);
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) rotations[4 * bone + 3] = 1;
  names.forEach((name, node) => {
    if (!isBoneName(name)) return;
    table[BONE[name]] = node;
    rotations.set(world.rotations[node], 4 * BONE[name]);
    positions.set(world.positions[node], 3 * BONE[name]);
  });
  return {
    skeleton: { name: 'tiny', names, parents, rest, bind: null, joints: new Uint8Array(nodes.length) },
    map: { nodes: table, confidence: Float32Array.from(table, (node) => (node < 0 ? 0 : 1)), from: 'given' },
    reference: { kind: 'given', from: 'test', rotations, positions, deviationDegrees: {}, startDeviationDegrees: {} },
    basePose: null,
    frame: new Float64Array([0, 0, 0, 1]),
    metersPerUnit: 1,
    ground: 0,
    hipsHeight: positions[1],
    height: Math.max(...world.positions.map((point) => point[1])),
    issues: [],
  };
}

/** The left arm and leg of {@link tPoseHumanoid}, or the right ones. */
function sideOf(side: 'left' | 'right'): TinyNode[] {
  const x = side === 'left' ? 1 : -1;
  return [
    { name: `${side}UpperArm`, parent: 'spine', at: [0.2 * x, 0.3, 0] },
    { name: `${side}LowerArm`, parent: `${side}UpperArm`, at: [0.3 * x, 0, 0] },
    { name: `${side}Hand`, parent: `${side}LowerArm`, at: [0.25 * x, 0, 0] },
    { name: `${side}UpperLeg`, parent: 'hips', at: [0.1 * x, 0, 0] },
    { name: `${side}LowerLeg`, parent: `${side}UpperLeg`, at: [0, -0.5, 0] },
    { name: `${side}Foot`, parent: `${side}LowerLeg`, at: [0, -0.4, 0] },
    { name: `${side}Toes`, parent: `${side}Foot`, at: [0, -0.08, 0.15] },
  ];
}

/**
 * Returns a humanoid in an exact T-pose: hips at 1 m, head at 1.7 m, toes at 2 cm, the 15 required bones and the toes. `changes` are by node
 * name; `more` nodes are appended.
 */
export function tPoseHumanoid(
  changes: Readonly<Record<string, Partial<TinyNode>>> = {},
  ...more: readonly TinyNode[]
): Humanoid {
  const nodes: TinyNode[] = [
    { name: 'hips', at: [0, 1, 0] },
    { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
    { name: 'head', parent: 'spine', at: [0, 0.5, 0] },
    ...sideOf('left'),
    ...sideOf('right'),
  ];
  return tinyHumanoid(...nodes.map((node) => ({ ...node, ...changes[node.name] })), ...more);
}

/** Knuckles of {@link tPoseHumanoidWithHands} from the hand on: the middle one straight ahead, the others beside it. */
function knucklesOf(side: 'left' | 'right'): TinyNode[] {
  const x = side === 'left' ? 1 : -1;
  return [
    { name: `${side}IndexProximal`, parent: `${side}Hand`, at: [0.08 * x, 0, 0.03] },
    { name: `${side}MiddleProximal`, parent: `${side}Hand`, at: [0.09 * x, 0, 0] },
    { name: `${side}LittleProximal`, parent: `${side}Hand`, at: [0.07 * x, 0, -0.04] },
  ];
}

/** {@link tPoseHumanoid} with three knuckles a hand, the palms to the ground. */
export function tPoseHumanoidWithHands(changes: Readonly<Record<string, Partial<TinyNode>>> = {}): Humanoid {
  const knuckles = [...knucklesOf('left'), ...knucklesOf('right')];
  return tPoseHumanoid(changes, ...knuckles.map((node) => ({ ...node, ...changes[node.name] })));
}

/** Returns a track of a node, by its name. */
export function track(
  { skeleton }: Humanoid,
  node: string,
  path: Track['path'],
  interpolation: Interpolation,
  times: readonly number[],
  values: readonly (readonly number[])[],
): Track {
  const target = skeleton.names.indexOf(node);
  return { target, path, interpolation, times: Float32Array.from(times), values: Float64Array.from(values.flat()) };
}

export function clipOf(...tracks: readonly Track[]): Clip {
  return { name: 'clip', duration: lastKeyTime(tracks), tracks };
}
