import type { Clip, Track } from '../../../core/animation/clip.ts';
import { linearKeys } from '../../../core/animation/linear-keys.ts';
import { EXACT_TOLERANCE } from '../../../core/animation/resample-tolerance.ts';
import type { NewAnimation } from '../../../core/asset/asset.ts';
import type { FaceTracks } from '../../../core/face/face-tracks.ts';
import { BONE, BONES, REQUIRED_BONES } from '../../../core/humanoid/bones.ts';
import type { Humanoid } from '../../../core/humanoid/humanoid.ts';
import { isNormalized } from '../../../core/humanoid/normalized-humanoid.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { formatTally } from '../../../core/report/issue-tally.ts';
import { listItem } from '../document/json-access.ts';
import type { NewDocument } from '../meshes/write-geometry.ts';
import { createFaceParts } from './vrma-face-nodes.ts';
import { appendClips } from './write-clips.ts';
import { writeMotionDocument } from './write-motion.ts';

const EXTENSION = 'VRMC_vrm_animation';

const NO_FACE: FaceTracks = { expressions: [], lookAt: null };

/** Digits of rest poses: they tell every float32 from its neighbors. */
const DIGITS = 9;

/** Bones that a VRMA must neither map nor animate: "These are handled by LookAt". */
const EYES: ReadonlySet<number> = new Set([BONE.leftEye, BONE.rightEye]);

/** Selects the tracks that the format allows. Others are reported. */
function allowedTracks({ map }: Humanoid, clip: Clip, issues: Issue[]): Track[] {
  const eyes = new Set([...EYES].map((bone) => map.nodes[bone]));
  const dropped = { eyes: 0, translations: 0, scales: 0 };
  const tracks = clip.tracks.filter(({ path, target }) => {
    if (path === 'scale') dropped.scales++;
    else if (path === 'translation' && target !== map.nodes[BONE.hips]) dropped.translations++;
    else if (eyes.has(target)) dropped.eyes++;
    else return true;
    return false;
  });
  const list = formatTally([
    ['rotations of the eyes', dropped.eyes],
    ['translations of bones other than the hips', dropped.translations],
    ['scales', dropped.scales],
  ]);
  if (list !== '') {
    const name = JSON.stringify(clip.name);
    issues.push(
      issue('CHANNELS_DROPPED', `The clip ${name} has tracks that a VRMA must not have; they were dropped: ${list}`),
    );
  }
  return tracks;
}

/**
 * Creates a VRM Animation 1.0 (VRMC_vrm_animation) with one animation. Node i of the file is node i of the humanoid; its
 * rest pose is the T-pose of the format: facing +Z, in meters. All bones become nodes. The eyes are not mapped, as the
 * format requires. STEP and CUBICSPLINE tracks become LINEAR, within 0.01° of world rotation. The nodes of the face come
 * last: one per expression (a preset if the name matches) and one for the look-at.
 *
 * @param humanoid Normalized humanoid, as `createNormalizedHumanoid` returns it.
 * @param clip Clip on the nodes of `humanoid`, with the `extras` of its animation.
 * @param face Expressions and look-at; none by default.
 * @returns New document. Issues: VRM_HUMANOID for missing required bones; CHANNELS_DROPPED for tracks that the format forbids (eyes, translations of
 * other bones than the hips, scales, look-at expressions); CLIP_EMPTY when no track remains, so that the file has no animation.
 * @throws RangeError For a humanoid that is not normalized, and for clips that cannot be written: see `appendClips`.
 * @throws FormatError for a rest pose beyond the range of float32: see `writeMotionDocument`.
 * @example
 * const target = createNormalizedHumanoid(humanoid);
 * const motion = retargetClip(planRetarget(humanoid, target), clip);
 * const { document, issues } = writeVrma(target, motion);
 * await writeFile('walk.vrma', concatParts(serializeGltf(document).parts));
 */
export function writeVrma(
  humanoid: Humanoid,
  clip: Clip & Pick<NewAnimation, 'extras'>,
  face: FaceTracks = NO_FACE,
): NewDocument {
  if (!isNormalized(humanoid)) {
    throw new RangeError(
      'writeVrma: the humanoid has rest rotations, scales, nodes without a bone or its own space; expected the result of createNormalizedHumanoid',
    );
  }
  const issues: Issue[] = [];
  const { extras } = clip;
  const { nodes } = humanoid.map;
  const count = humanoid.skeleton.names.length;
  const parts = createFaceParts(face, count, issues);
  // The specification assumes linear interpolation, and some players apply it to all keys.
  const allowed = allowedTracks(humanoid, clip, issues);
  const options = {
    tolerance: EXACT_TOLERANCE,
    size: humanoid.height || 1,
    converts: ['STEP', 'CUBICSPLINE'],
  } as const;
  const tracks = [...linearKeys(humanoid.skeleton, allowed, options), ...parts.tracks];
  if (tracks.length === 0) {
    const name = JSON.stringify(clip.name);
    issues.push(
      issue('CLIP_EMPTY', `The clip ${name} has no track that a VRMA can contain; the file has no animation`),
    );
  }
  const rest = Float64Array.from(humanoid.skeleton.rest, (value) => Number(value.toPrecision(DIGITS)));
  const doc = writeMotionDocument({ ...humanoid.skeleton, rest }, []);
  (doc.json['nodes'] as unknown[]).push(...parts.nodes);
  (listItem(doc.json, 'scenes', 0)['nodes'] as unknown[]).push(...parts.nodes.map((_, k) => count + k));
  const sourceNodes = Int32Array.from({ length: count + parts.nodes.length }, (_, node) => node);
  const animation = {
    name: clip.name,
    clip: { ...clip, tracks },
    sourceNodes,
    extras,
  };
  if (tracks.length > 0) appendClips(doc, [animation]);
  const missing = REQUIRED_BONES.filter((bone) => nodes[BONE[bone]] < 0);
  if (missing.length > 0) {
    const message = `The humanoid lacks the bones ${missing.join(', ')}, which VRMA requires; players may reject the file`;
    issues.push(issue('VRM_HUMANOID', message, { pointer: `/extensions/${EXTENSION}/humanoid/humanBones` }));
  }
  const humanBones = Object.fromEntries(
    BONES.map((name, bone) => [name, { node: nodes[bone] }] as const).filter(
      ([, { node }], bone) => node >= 0 && !EYES.has(bone),
    ),
  );
  doc.json['extensionsUsed'] = [EXTENSION];
  doc.json['extensions'] = { [EXTENSION]: { specVersion: '1.0', humanoid: { humanBones }, ...parts.members } };
  return { document: doc, issues };
}
