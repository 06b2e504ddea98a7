/** Motions as clips of a rig. */
import { type Clip, lastKeyTime, PATH_WIDTH, type Track, type TrackPath } from '../../core/animation/clip.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { DemoCharacter } from '../characters/make-character.ts';
import { ORIGIN, poseCharacter, toFileAxes } from '../characters/character-pose.ts';
import { FRAME_RATE, type Motion } from '../motions/motion.ts';
import { makePose, type Pose } from '../figure/pose.ts';

export interface EncodeOptions {
  /** Keys a second. */
  readonly fps?: number;
  /** What goes along the way: the hips, or the lowest node of the armature (root motion), which also takes their heading. */
  readonly rootMotion?: 'hips' | 'armature';
  /** Whether joints between two bones of the trunk are animated too, half-way between them. */
  readonly animateInBetweens?: boolean;
}

const Y = Float64Array.of(0, 1, 0);

/**
 * The clip that moves the body as the motion says: a rotation track of every bone, a translation track of the hips, LINEAR,
 * float64, neighboring quaternions on the same side. World deltas of bones and way of the hips are those of the motion.
 */
export function encodeMotion(body: DemoCharacter, motion: Motion, options: EncodeOptions = {}): Clip {
  const { fps = FRAME_RATE, rootMotion = 'hips', animateInBetweens = false } = options;
  const { bones, blendBones, armature, skeleton } = body;
  const carrier = armature.length - 1;
  if (rootMotion === 'armature' && carrier < 0)
    throw new TypeError(
      `The body "${body.name}" has no armature that could travel; give it one or let the hips travel.`,
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
    if (rootMotion === 'armature') moveArmature(locals, body, pose);
    poseCharacter(locals, body, pose, animateInBetweens);
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
  quat.copy(values, o, locals, from + 3);
  if (frame > 0 && quat.dot(values, o, values, o - 4) < 0) {
    for (let c = 0; c < 4; c++) values[o + c] = -values[o + c];
  }
}

/** Takes heading and way over the ground out of the pose and gives them to the lowest node of the armature. */
function moveArmature(locals: Float64Array, body: DemoCharacter, pose: Pose): void {
  const node = body.armature.length - 1;
  const place = body.armature[node];
  const parent = body.armature[node - 1] ?? ORIGIN;
  const toFile = toFileAxes(body);
  const heading = new Float64Array(4);
  const way = Float64Array.of(pose.hips[0], 0, pose.hips[2]);
  const scratch = new Float64Array(4);
  quat.swingTwist(scratch, 0, heading, 0, pose.deltas, BONE.hips * 4, Y, 0);
  quat.conjugate(scratch, 0, heading, 0);
  for (let o = 0; o < pose.deltas.length; o += 4) quat.multiply(pose.deltas, o, scratch, 0, pose.deltas, o);
  vec3.subtract(pose.hips, 0, pose.hips, 0, way, 0);

  // The same way in the axes and the unit of the file.
  const turn = new Float64Array(4);
  quat.multiply(turn, 0, toFile, 0, heading, 0);
  quat.multiply(turn, 0, turn, 0, body.truth.frame, 0);
  vec3.rotate(way, 0, toFile, 0, way, 0);
  vec3.scale(way, 0, way, 0, 1 / body.truth.metersPerUnit);
  const o = node * POSE_STRIDE;
  quat.conjugate(scratch, 0, parent.rotation, 0);
  quat.multiply(locals, o + 3, turn, 0, place.rotation, 0);
  quat.multiply(locals, o + 3, scratch, 0, locals, o + 3);
  vec3.rotate(locals, o, turn, 0, place.position, 0);
  vec3.add(locals, o, locals, o, way, 0);
  vec3.subtract(locals, o, locals, o, parent.position, 0);
  vec3.rotate(locals, o, scratch, 0, locals, o);
  vec3.scale(locals, o, locals, o, 1 / parent.scale);
}
