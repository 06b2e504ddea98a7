/** A new VRM Animation: the bones of a humanoid, one clip, and which node is which bone. VRMC_vrm_animation-1.0. */
import type { Clip, Track } from '../../core/animation/clip.ts';
import { linearTrack } from '../../core/animation/linear-track.ts';
import type { FaceTracks } from '../../core/face/face-tracks.ts';
import { BONE, BONES, REQUIRED_BONES } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { isNormalized } from '../../core/humanoid/normalized-humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { depths } from '../../core/skeleton/topology.ts';
import type { GltfDocument } from './document.ts';
import { listItem } from './schema.ts';
import { faceParts } from './vrma-face-nodes.ts';
import { appendClip } from './write-clips.ts';
import { writeMotionDocument } from './write-motion.ts';

const EXTENSION = 'VRMC_vrm_animation';

/** World rotation that splines which become LINEAR keys may miss, radians (0.005°), and their hips, relative to the height. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;
const POSITION_TOLERANCE = 1e-5;

const NO_FACE: FaceTracks = { expressions: [], lookAt: null };

/** Bones that a VRMA must not map nor animate: "These are handled by LookAt". */
const EYES: ReadonlySet<number> = new Set([BONE.leftEye, BONE.rightEye]);

/** Tracks that the format has room for; what is left out is reported. */
function allowedTracks({ map }: Humanoid, clip: Clip, issues: Issue[]): Track[] {
  const eyes = new Set([...EYES].map((bone) => map.nodes[bone]));
  const left = { eyes: 0, translations: 0, scales: 0 };
  const tracks = clip.tracks.filter(({ path, target }) => {
    if (path === 'scale') left.scales++;
    else if (path === 'translation' && target !== map.nodes[BONE.hips]) left.translations++;
    else if (eyes.has(target)) left.eyes++;
    else return true;
    return false;
  });
  const parts = [
    [left.eyes, 'rotations of the eyes'],
    [left.translations, 'translations of bones other than the hips'],
    [left.scales, 'scales'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} × ${what}`]));
  if (parts.length > 0) {
    const name = JSON.stringify(clip.name);
    issues.push(
      issue('CHANNELS_DROPPED', `${parts.join(', ')} of the clip ${name} are not written: a VRMA must not have them`),
    );
  }
  return tracks;
}

/** The tracks as LINEAR ones: the text takes for granted that players interpolate linearly, and some do so with any keys. */
function linearTracks({ skeleton, height }: Humanoid, tracks: readonly Track[]): Track[] {
  const longest = depths(skeleton.parents).reduce((most, depth) => Math.max(most, depth + 1), 1);
  return tracks.map((track) => {
    const bound =
      track.path === 'rotation' ? ROTATION_TOLERANCE / longest : POSITION_TOLERANCE * (height > 0 ? height : 1);
    return linearTrack(track, bound);
  });
}

/**
 * A VRM Animation 1.0 (VRMC_vrm_animation) with one animation. `body` is a humanoid as `normalizedHumanoid` gives it, and `clip` a
 * motion on its nodes; node i of the file is node i of the body. Its rest pose, the reference pose, is what the format calls the
 * T-pose: facing +Z, meters. All bones are nodes, also those that the clip leaves alone; the eyes are in no map, as the format wants it.
 * STEP and CUBICSPLINE tracks become LINEAR ones, within 0.005° of world rotation. The nodes of the face come last: one an expression, by
 * its name, a preset where it is the name of one, and one for the gaze.
 *
 * Issues: VRM_HUMANOID when bones are missing that the format requires; CHANNELS_DROPPED for tracks of the eyes, translations of
 * other bones than the hips, scales, and expressions of the gaze, which it forbids; CLIP_EMPTY when no track is left and the file is without animation.
 * RangeError for a body that is not normalized, and for clips that cannot be written: see `appendClips`. FormatError for a rest pose
 * that float32 cannot hold: see `writeMotionDocument`.
 */
export function writeVrma(body: Humanoid, clip: Clip, issues: Issue[], face: FaceTracks = NO_FACE): GltfDocument {
  if (!isNormalized(body)) {
    throw new RangeError(
      'writeVrma: the body has rest rotations, scales, nodes that are no bones or a space of its own; expected what normalizedHumanoid gives',
    );
  }
  const { nodes } = body.map;
  const count = body.skeleton.names.length;
  const parts = faceParts(face, count, issues);
  const tracks = [...linearTracks(body, allowedTracks(body, clip, issues)), ...parts.tracks];
  if (tracks.length === 0) {
    const name = JSON.stringify(clip.name);
    issues.push(
      issue(
        'CLIP_EMPTY',
        `The clip ${name} turns no bone that a VRMA can have and has no face; the file has no animation`,
      ),
    );
  }
  const doc = writeMotionDocument(body.skeleton, []);
  (doc.json['nodes'] as unknown[]).push(...parts.nodes);
  (listItem(doc.json, 'scenes', 0)['nodes'] as unknown[]).push(...parts.nodes.map((_, k) => count + k));
  const sourceNodes = Int32Array.from({ length: count + parts.nodes.length }, (_, node) => node);
  if (tracks.length > 0) appendClip(doc, { name: clip.name, clip: { ...clip, tracks }, sourceNodes }, []);
  const missing = REQUIRED_BONES.filter((bone) => nodes[BONE[bone]] < 0);
  if (missing.length > 0) {
    const message = `A VRMA must have the bones ${missing.join(', ')}, which the body lacks; players may refuse the file`;
    issues.push(issue('VRM_HUMANOID', message, { pointer: `/extensions/${EXTENSION}/humanoid/humanBones` }));
  }
  const humanBones = Object.fromEntries(
    BONES.map((name, bone) => [name, { node: nodes[bone] }] as const).filter(
      ([, { node }], bone) => node >= 0 && !EYES.has(bone),
    ),
  );
  doc.json['extensionsUsed'] = [EXTENSION];
  doc.json['extensions'] = { [EXTENSION]: { specVersion: '1.0', humanoid: { humanBones }, ...parts.members } };
  return doc;
}
