/** Bodies and one clip as BVH text, with any order of the rotation channels. */
import type { Clip } from '../../core/animation/clip.ts';
import { type AxisAnglesPlan, planAxisAngles, toAxisAngles } from '../../core/math/axis-angles.ts';
import { DEGREE, type EulerOrder } from '../../core/math/euler.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { type BvhChannel, type BvhJoint, type BvhTree, printBvh } from '../../formats/bvh/index.ts';
import type { DemoCharacter } from '../characters/make-character.ts';

const AXIS: Readonly<Record<string, number>> = { X: 0, Y: 1, Z: 2 };
const POSITIONS: readonly BvhChannel[] = ['Xposition', 'Yposition', 'Zposition'];
const NOWHERE = new Float64Array(3);

/** A joint and its node; −1 for tips that only the format wants. */
interface Block {
  readonly joint: BvhJoint;
  readonly node: number;
}

/**
 * The text of a BVH: three rotation channels a joint in the given order and three position channels of the root, whose own
 * offset is 0. Joints without children that are no bones become End Sites. The rest pose must have no rotations (axes
 * `identity`) and no armature, and the tracks of the clip must share their times; TypeError when not.
 */
export function bvhText(body: DemoCharacter, clip: Clip, order: EulerOrder = 'ZXY'): string {
  const { skeleton } = body;
  const turned = skeleton.names.findIndex((_, node) => Math.abs(skeleton.rest[node * POSE_STRIDE + 6]) < 1 - 1e-9);
  if (turned >= 0 || body.armature.length > 0)
    throw new TypeError(`BVH has no rest rotations: give the body "${body.name}" the axes "identity" and no armature.`);
  const { times } = clip.tracks[0];
  if (clip.tracks.some((track) => track.times !== times))
    throw new TypeError(`The tracks of "${clip.name}" do not share their times, and BVH has frames.`);
  const blocks = makeBlocks(body, order);
  const joints = blocks.map(({ joint }) => joint);
  const channelCount = joints.reduce((sum, { channels }) => sum + channels.length, 0);
  const values = new Float64Array(times.length * channelCount);
  const plan = planAxisAngles([...order].map((letter) => AXIS[letter]));
  for (const block of blocks)
    if (block.joint.kind !== 'end') fillChannels(values, channelCount, block, body, clip, plan);
  const frameTime = (times.at(-1) ?? 0) / (times.length - 1);
  const tree: BvhTree = { joints, channelCount, motion: { frameCount: times.length, frameTime, values }, issues: [] };
  return printBvh(tree);
}

/** The hierarchy, depth first, with an End Site below every joint that has no child. */
function makeBlocks({ skeleton, bones }: DemoCharacter, order: EulerOrder): Block[] {
  const { names, parents, rest } = skeleton;
  const mapped = new Set(bones);
  const rotations = [...order].map((axis) => `${axis}rotation` as BvhChannel);
  const blocks: Block[] = [];
  let column = 0;
  const walk = (node: number, parent: number): void => {
    const children = names.flatMap((_, child) => (parents[child] === node ? [child] : []));
    const isEnd = children.length === 0 && !mapped.has(node);
    const offset = parent < 0 ? NOWHERE : Float64Array.from(rest.subarray(node * POSE_STRIDE, node * POSE_STRIDE + 3));
    const channels = isEnd ? [] : parent < 0 ? [...POSITIONS, ...rotations] : rotations;
    const kind = parent < 0 ? 'root' : isEnd ? 'end' : 'joint';
    const own = blocks.length;
    blocks.push({ joint: { kind, name: isEnd ? '' : names[node], parent, offset, channels, column }, node });
    column += channels.length;
    if (isEnd) return;
    for (const child of children) walk(child, own);
    if (children.length > 0) return;
    blocks.push({ joint: { kind: 'end', name: '', parent: own, offset: NOWHERE, channels: [], column }, node: -1 });
  };
  walk(0, -1);
  return blocks;
}

/** Writes the channels of one joint over all frames: where no track is, its rest. */
function fillChannels(
  values: Float64Array,
  channelCount: number,
  { joint, node }: Block,
  { skeleton }: DemoCharacter,
  clip: Clip,
  plan: AxisAnglesPlan,
): void {
  const find = (path: string): ArrayLike<number> | undefined =>
    clip.tracks.find((track) => track.target === node && track.path === path)?.values;
  const [way, turn] = [find('translation'), find('rotation')];
  const rest = node * POSE_STRIDE;
  const angles = new Float64Array(3);
  const isRoot = joint.channels.length > 3;
  for (let row = joint.column, frame = 0; row < values.length; row += channelCount, frame++) {
    const [source, at] = way === undefined ? [skeleton.rest, rest] : [way, 3 * frame];
    if (isRoot) for (let axis = 0; axis < 3; axis++) values[row + axis] = source[at + axis];
    if (turn === undefined) toAxisAngles(angles, 0, plan, skeleton.rest, rest + 3);
    else toAxisAngles(angles, 0, plan, turn, 4 * frame);
    for (let k = 0; k < 3; k++) values[row + (isRoot ? 3 : 0) + k] = angles[k] / DEGREE;
  }
}
