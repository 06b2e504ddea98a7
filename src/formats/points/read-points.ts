/** Reads joint positions as an asset: a skeleton with constant bone lengths, and a clip per person. */
import type { Asset } from '../../core/asset/asset.ts';
import { limitAsset } from '../../core/asset/limit-asset.ts';
import { dropZeros } from '../../core/points/drop-zeros.ts';
import { findJointSet, KNOWN_COUNTS } from '../../core/points/find-joint-set.ts';
import { JOINT_SETS, type JointSet, parentsOf } from '../../core/points/joint-sets.ts';
import { motionsFromPoints, type PointMotion } from '../../core/points/motion-from-points.ts';
import { findPointRoles, missingRoles } from '../../core/points/name-roles.ts';
import { MEDIAPIPE_UP, measureBody, orientPoints, turnPoints } from '../../core/points/orient-points.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { decodeText, encodingIssue } from '../../core/text/decode-text.ts';
import { parseKeypoints } from './parse-keypoints.ts';
import { parseTrc } from './parse-trc.ts';
import type { PointFile } from './point-file.ts';

/** Frame rate of files that do not say one: of most video. */
const USUAL_RATE = 30;

function setOf({ count, takes }: PointFile): JointSet {
  const set = findJointSet(count, takes[0].positions);
  if (set !== null) return set;
  throw new FormatError(
    'POINTS_NOT_BODY',
    `The file has ${count} points per person and does not name them. Without names, ${KNOWN_COUNTS.join(', ')} points are known. Add the names of the joints, as "joints": ["left_hip", …].`,
  );
}

/** The roles of the points, in the frame in which most are known. */
function rolesOf(file: PointFile, names: readonly string[], parents: Int32Array | null): Int16Array {
  const [{ positions }] = file.takes;
  return findPointRoles(names, parents, positions.subarray(0, 3 * file.count));
}

function assumed(file: PointFile, set: JointSet | null, found: readonly string[]): Issue[] {
  const list = [
    ...(set === null ? [] : [`the joints of ${set} (by their number)`]),
    ...found,
    ...(file.frameRate === null ? [`${USUAL_RATE} frames per second`] : []),
  ];
  if (list.length === 0) return [];
  const message = `The file does not say everything about its positions; from the body that they show, or as usual, it was read with ${list.join(', ')}. Write names, unit and frame rate into the file if this is wrong.`;
  return [issue('POINTS_ASSUMED', message)];
}

/** Reads positions as an asset. Throws FormatError `POINTS_NOT_BODY` where the points are not those of a body. */
export function readPointFile(file: PointFile, textIssues: readonly Issue[] = []): Asset {
  const set = file.names === null ? setOf(file) : null;
  const names: readonly string[] = set === null ? (file.names as readonly string[]) : JOINT_SETS[set];
  const parents = file.parents ?? (set === null ? null : parentsOf(set));
  const roles = rolesOf(file, names, parents);
  const missing = missingRoles(roles);
  if (missing.length > 0) {
    const shown = names
      .slice(0, 8)
      .map((name) => JSON.stringify(name))
      .join(', ');
    throw new FormatError(
      'POINTS_NOT_BODY',
      `No point is that of ${missing.join(' and ')} (points: ${shown}${names.length > 8 ? ' …' : ''}). Expected joints: shoulders, elbows, wrists, hips, knees, ankles. ` +
        'Markers on the skin must be solved first: with OpenSim, Pose2Sim or the program of the capture, which export BVH, FBX or joint positions.',
    );
  }
  if (file.zerosAreLost) for (const { positions } of file.takes) dropZeros(positions, roles);
  const usualUp = set === 'mediapipe33' ? MEDIAPIPE_UP : null;
  const axes = orientPoints(measureBody(file.takes, roles), { metersPerUnit: file.metersPerUnit, usualUp });
  const frameRate = file.frameRate ?? USUAL_RATE;
  const motions = file.takes.map(
    ({ name, positions, confidences }): PointMotion => ({
      name,
      joints: names,
      positions: turnPoints(positions, axes),
      frameRate,
      ...(parents === null ? {} : { parents }),
      ...(confidences === null ? {} : { confidences }),
    }),
  );
  try {
    const { skeleton, declared, clips, issues } = motionsFromPoints(motions);
    const nodes = Int32Array.from(skeleton.names, (_, node) => node);
    return limitAsset({
      format: 'points',
      metersPerUnit: 1,
      up: [0, 1, 0],
      skeletons: [{ skeleton, sourceNodes: nodes, declared }],
      clips: clips.map((clip) => ({
        name: clip.name,
        duration: clip.duration,
        clips: [clip],
        morphs: [],
        otherChannels: 0,
      })),
      issues: [...textIssues, ...assumed(file, set, axes.found), ...issues],
    });
  } catch (error) {
    // The solver reports what is no body as a mistake of its caller, which here is the file.
    if (error instanceof RangeError) throw new FormatError('POINTS_NOT_BODY', error.message);
    throw error;
  }
}

/**
 * Reads a TRC, or keypoints in JSON. Throws FormatError `POINTS_SYNTAX` for text that cannot be parsed, `POINTS_WITHOUT_DEPTH` for positions in an
 * image, `POINTS_NOT_BODY` for points that are not those of a body.
 */
export function readPoints(bytes: Uint8Array, container: 'trc' | 'keypoints'): Asset {
  const { text, legacyEncoding } = decodeText(bytes, 'POINTS_SYNTAX');
  const issues = legacyEncoding === null ? [] : [encodingIssue(legacyEncoding)];
  return readPointFile(container === 'trc' ? parseTrc(text) : parseKeypoints(text), issues);
}
