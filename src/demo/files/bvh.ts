import type { Clip } from '../../core/animation/clip.ts';
import { type AxisAnglesPlan, planAxisAngles, toAxisAngles } from '../../core/math/axis-angles.ts';
import { DEGREE, type EulerOrder } from '../../core/math/euler.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { BvhChannel, BvhJoint, BvhTree } from '../../formats/bvh/bvh-tree.ts';
import { serializeBvh } from '../../formats/bvh/serialize-bvh.ts';
import type { DemoCharacter } from '../characters/character.ts';

const AXIS: Readonly<Record<string, number>> = { X: 0, Y: 1, Z: 2 };
const POSITIONS: readonly BvhChannel[] = ['Xposition', 'Yposition', 'Zposition'];
/** Offset of the w component of a node's rotation in a pose. */
const ROTATION_W = PATH_OFFSET.rotation + 3;
const ORIGIN = new Float64Array(3);

/** A joint and its node; −1 for End Sites that only the format requires. */
interface Block {
  readonly joint: BvhJoint;
  readonly node: number;
}

/**
 * Serializes a character and one clip as BVH: three rotation channels per joint, and three position channels for the root, whose offset is 0.
 * Non-humanoid leaf joints become End Sites. Throws TypeError when the rest pose has rotations, when there is an armature, or when the tracks have
 * different times.
 */
export function bvhText(character: DemoCharacter, clip: Clip, order: EulerOrder = 'ZXY'): string {
  const { skeleton } = character;
  const rotated = skeleton.names.findIndex(
    (_, node) => Math.abs(skeleton.rest[node * POSE_STRIDE + ROTATION_W]) < 1 - 1e-9,
  );
  if (rotated >= 0 || character.armature.length > 0)
    throw new TypeError(
      `BVH has no rest rotations, but the character "${character.name}" has some or has an armature. Use the axes "identity" and no armature.`,
    );
  const { times } = clip.tracks[0];
  if (clip.tracks.some((track) => track.times !== times))
    throw new TypeError(
      `BVH has one list of frames, but the tracks of "${clip.name}" have different times. Share one times array.`,
    );
  const blocks = makeBlocks(character, order);
  const joints = blocks.map(({ joint }) => joint);
  const channelCount = joints.reduce((sum, { channels }) => sum + channels.length, 0);
  const values = new Float64Array(times.length * channelCount);
  const plan = planAxisAngles([...order].map((letter) => AXIS[letter]));
  for (const block of blocks)
    if (block.joint.kind !== 'end') fillChannels(values, channelCount, block, character, clip, plan);
  const frameTime = (times.at(-1) ?? 0) / (times.length - 1);
  const tree: BvhTree = { joints, channelCount, motion: { frameCount: times.length, frameTime, values }, issues: [] };
  return serializeBvh(tree);
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
    const offset = parent < 0 ? ORIGIN : Float64Array.from(rest.subarray(node * POSE_STRIDE, node * POSE_STRIDE + 3));
    const channels = isEnd ? [] : parent < 0 ? [...POSITIONS, ...rotations] : rotations;
    const kind = parent < 0 ? 'root' : isEnd ? 'end' : 'joint';
    const own = blocks.length;
    blocks.push({ joint: { kind, name: isEnd ? '' : names[node], parent, offset, channels, column }, node });
    column += channels.length;
    if (isEnd) return;
    for (const child of children) walk(child, own);
    if (children.length > 0) return;
    blocks.push({ joint: { kind: 'end', name: '', parent: own, offset: ORIGIN, channels: [], column }, node: -1 });
  };
  walk(0, -1);
  return blocks;
}

/** Writes the channels of one joint over all frames; values without a track are those of the rest pose. */
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
  const [translations, rotations] = [find('translation'), find('rotation')];
  const rest = node * POSE_STRIDE;
  const angles = new Float64Array(3);
  const isRoot = joint.channels.length > 3;
  for (let row = joint.column, frame = 0; row < values.length; row += channelCount, frame++) {
    const [source, at] = translations === undefined ? [skeleton.rest, rest] : [translations, 3 * frame];
    if (isRoot) for (let axis = 0; axis < 3; axis++) values[row + axis] = source[at + axis];
    if (rotations === undefined) toAxisAngles(angles, 0, plan, skeleton.rest, rest + PATH_OFFSET.rotation);
    else toAxisAngles(angles, 0, plan, rotations, 4 * frame);
    for (let k = 0; k < 3; k++) values[row + (isRoot ? 3 : 0) + k] = angles[k] / DEGREE;
  }
}
