import { type Clip, lastKeyTime, PATH_WIDTH, type Track, type TrackPath } from '../../core/animation/clip.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { DemoCharacter } from '../characters/character.ts';
import { ORIGIN, poseCharacter, toFileAxes } from '../characters/character-pose.ts';
import { makePose, type Pose } from '../figure/pose.ts';
import { FRAME_RATE, type Motion } from '../motions/motion.ts';

export interface EncodeOptions {
  /** Keys per second; {@link FRAME_RATE} by default. */
  readonly fps?: number;
  /** Node that carries the root motion: the hips (default), or the parent of the hips, which then also takes their heading. */
  readonly rootMotion?: 'hips' | 'armature';
  /** Whether joints between two bones of the trunk are animated as well, halfway between them; false by default. */
  readonly animateInBetweens?: boolean;
}

const Y = Float64Array.of(0, 1, 0);

/**
 * Encodes a motion as a clip of a character: a rotation track for every bone and a translation track for the hips. Tracks are LINEAR float64
 * without quaternion sign flips. World deltas and hips positions are exactly those of the motion. Throws TypeError when the root motion is to go to
 * the armature and the character has none.
 */
export function encodeMotion(character: DemoCharacter, motion: Motion, options: EncodeOptions = {}): Clip {
  const { fps = FRAME_RATE, rootMotion = 'hips', animateInBetweens = false } = options;
  const { bones, blendBones, armature, skeleton } = character;
  const carrier = armature.length - 1;
  if (rootMotion === 'armature' && carrier < 0)
    throw new TypeError(
      `The character "${character.name}" has no armature to carry the root motion. Add an armature or use rootMotion "hips".`,
    );
  const frames = Math.round(motion.duration * fps) + 1;
  const times = Float64Array.from({ length: frames }, (_, frame) => frame / fps);
  const tracks: Track[] = [];
  const addTrack = (target: number, path: TrackPath): void => {
    const values = new Float64Array(frames * PATH_WIDTH[path]);
    tracks.push({ target, path, interpolation: 'LINEAR', times, values });
  };
  if (rootMotion === 'armature') addTrack(carrier, 'translation');
  if (rootMotion === 'armature') addTrack(carrier, 'rotation');
  addTrack(bones[BONE.hips], 'translation');
  for (let node = 0; node < skeleton.parents.length; node++) {
    if (bones.includes(node) || (animateInBetweens && blendBones[node] >= 0)) addTrack(node, 'rotation');
  }

  const pose = makePose(motion.figure);
  const locals = Float64Array.from(skeleton.rest);
  for (let frame = 0; frame < frames; frame++) {
    motion.pose(pose, times[frame]);
    if (rootMotion === 'armature') moveArmature(locals, character, pose);
    poseCharacter(locals, character, pose, animateInBetweens);
    for (const track of tracks) storeKey(track, frame, locals);
  }
  return { name: motion.name, duration: lastKeyTime(tracks), tracks };
}

function storeKey({ target, path, values }: Track, frame: number, locals: Float64Array): void {
  const from = target * POSE_STRIDE;
  if (path === 'translation') {
    vec3.copy(values, frame * 3, locals, from);
    return;
  }
  const o = frame * 4;
  quat.copy(values, o, locals, from + PATH_OFFSET.rotation);
  if (frame > 0 && quat.dot(values, o, values, o - 4) < 0) {
    for (let c = 0; c < 4; c++) values[o + c] = -values[o + c];
  }
}

/** Moves heading and horizontal position from the pose to the parent of the hips. */
function moveArmature(locals: Float64Array, character: DemoCharacter, pose: Pose): void {
  const node = character.armature.length - 1;
  const transform = character.armature[node];
  const parent = character.armature[node - 1] ?? ORIGIN;
  const toFile = toFileAxes(character);
  const heading = new Float64Array(4);
  const offset = Float64Array.of(pose.hips[0], 0, pose.hips[2]);
  const scratch = new Float64Array(4);
  quat.swingTwist(scratch, 0, heading, 0, pose.deltas, BONE.hips * 4, Y, 0);
  quat.conjugate(scratch, 0, heading, 0);
  for (let o = 0; o < pose.deltas.length; o += 4) quat.multiply(pose.deltas, o, scratch, 0, pose.deltas, o);
  vec3.subtract(pose.hips, 0, pose.hips, 0, offset, 0);

  // Converts heading and offset to the axes and the unit of the file.
  const rotation = new Float64Array(4);
  quat.multiply(rotation, 0, toFile, 0, heading, 0);
  quat.multiply(rotation, 0, rotation, 0, character.frame, 0);
  vec3.rotate(offset, 0, toFile, 0, offset, 0);
  vec3.scale(offset, 0, offset, 0, 1 / character.metersPerUnit);
  const o = node * POSE_STRIDE;
  quat.conjugate(scratch, 0, parent.rotation, 0);
  quat.multiply(locals, o + PATH_OFFSET.rotation, rotation, 0, transform.rotation, 0);
  quat.multiply(locals, o + PATH_OFFSET.rotation, scratch, 0, locals, o + PATH_OFFSET.rotation);
  vec3.rotate(locals, o, rotation, 0, transform.position, 0);
  vec3.add(locals, o, locals, o, offset, 0);
  vec3.subtract(locals, o, locals, o, parent.position, 0);
  vec3.rotate(locals, o, scratch, 0, locals, o);
  vec3.scale(locals, o, locals, o, 1 / parent.scale);
}
