/** Pictures of contacts: source, plain retargeting and contacts from the side, each bone as the outline of its skin, over the ground. */
import { basename } from 'node:path';
import type { Clip } from '../src/core/animation/clip.ts';
import { sampleClip } from '../src/core/animation/sample.ts';
import { createPosedCharacter, type PosedCharacter } from '../src/core/contacts/frames/posed-character.ts';
import { applyContacts } from '../src/core/contacts/plan/apply-contacts.ts';
import { planContacts } from '../src/core/contacts/plan/plan-contacts.ts';
import { convexHull } from '../src/core/contacts/surface/convex-hull.ts';
import { skinPoint } from '../src/core/deform/skin-points.ts';
import { BONES, isFingerBone } from '../src/core/humanoid/bones.ts';
import type { Humanoid } from '../src/core/humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../src/core/humanoid/node-bones.ts';
import * as vec3 from '../src/core/math/vec3.ts';
import { planRetarget } from '../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../src/core/retarget/retarget-clip.ts';
import { localToModelMatrices } from '../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../src/core/skeleton/skeleton.ts';
import { type Body, type ContactPair, realPairs } from '../test/contacts/pairs.ts';

/** Pairs in the docs: motion, clip, character. */
export const SHOWN_PAIRS: readonly (readonly [motion: string, clip: string, character: string])[] = [
  ['Xbot.glb', 'walk', 'Godette_vrm_v4.vrm'],
  ['mixamo_Walking.fbx', 'mixamo.com', 'pc_lumberjack.glb'],
  ['RobotExpressive.glb', 'Death', 'Xbot.glb'],
  ['RobotExpressive.glb', 'Punch', 'VALID_AIAN_M_1_Casual.glb'],
  ['KayKit_Knight.glb', 'Lie_Down', 'm2m_human-female.glb'],
  ['KayKit_Knight.glb', 'Sit_Floor_Down', 'Xbot.glb'],
  ['AD_cmu1_jumping_jacks.bvh', '0', 'RobotExpressive.glb'],
  ['ozz_pab_run.fbx', 'run', 'KayKit_Knight.glb'],
];

const COLUMNS = 5;
const CELL = { width: 120, height: 128 };
const LABELS = 84;
const TOP = 34;
/** Height of a character in its T-pose, pixels. */
const FIGURE = 96;
/** Distance of the ground from the lower border of a row, pixels. */
const GROUND = 18;
/** Least distance of the corners of an outline, pixels. */
const CLOSEST = 1.5;
const FILLS = { body: '#b9c0ca', feet: '#e07b39' };

/** Removes corners of an outline that are too close to the one before. */
function simplify(hull: readonly number[]): number[] {
  const out: number[] = [];
  for (let at = 0; at < hull.length; at += 2) {
    const [x, y] = [hull[at] - (out.at(-2) ?? Number.NaN), hull[at + 1] - (out.at(-1) ?? Number.NaN)];
    if (!(Math.hypot(x, y) < CLOSEST)) out.push(hull[at], hull[at + 1]);
  }
  return out;
}

/** Lists the nodes of the bones without fingers, and the node of the bone above each; −1 without. */
function boneLines({ map, skeleton: { parents } }: Humanoid): [number, number][] {
  const bones = mapNodesToBones(map.nodes, parents.length);
  return Array.from(map.nodes).flatMap((node, bone): [number, number][] => {
    if (node < 0 || isFingerBone(BONES[bone]) || parents[node] < 0) return [];
    const above = boneAtOrAbove(parents, bones, parents[node]);
    return above < 0 ? [] : [[node, map.nodes[above]]];
  });
}

/** Returns the height of the highest point of a character in its current pose, meters. */
function topOf({ humanoid, surface, matrices }: PosedCharacter): number {
  const point = new Float64Array(3);
  let top = humanoid.height;
  for (let k = 0; k < surface.bones.length; k++) {
    skinPoint(point, 0, surface.points, k, matrices);
    vec3.scale(point, 0, point, 0, humanoid.metersPerUnit);
    vec3.rotate(point, 0, humanoid.frame, 0, point, 0);
    top = Math.max(top, point[1] - surface.floor);
  }
  return top;
}

/** Draws one pose: outlines of the bones, seen from the left of the character; x is the ground position in the middle of the cell. */
function drawPose({ humanoid, surface, matrices }: PosedCharacter, scale: number, x: number, y: number): string {
  const point = new Float64Array(3);
  const outlines = new Map<number, [number, number][]>();
  let middle = 0;
  const projected = Array.from(surface.bones, (bone, k): [number, number, number] => {
    skinPoint(point, 0, surface.points, k, matrices);
    vec3.scale(point, 0, point, 0, humanoid.metersPerUnit);
    vec3.rotate(point, 0, humanoid.frame, 0, point, 0);
    middle += point[2] / surface.bones.length;
    return [bone, point[2], point[1] - surface.floor];
  });
  for (const [bone, z, height] of projected) {
    if (isFingerBone(BONES[bone])) continue;
    const corners = outlines.get(bone) ?? [];
    corners.push([x + (z - middle) * scale, y - height * scale]);
    outlines.set(bone, corners);
  }
  const feet = surface.bones[surface.armsEnd];
  const isFoot = (bone: number): boolean => surface.bones.indexOf(bone) >= surface.bones.indexOf(feet);
  const paths = { body: '', feet: '' };
  for (const [bone, corners] of outlines) {
    const hull = simplify(convexHull(corners));
    const text = Array.from(
      { length: hull.length / 2 },
      (_, k) => `${hull[2 * k].toFixed(1)} ${hull[2 * k + 1].toFixed(1)}`,
    );
    paths[isFoot(bone) ? 'feet' : 'body'] += `M${text.join('L')}Z`;
  }
  const joint = (node: number): string => {
    vec3.scale(point, 0, matrices, MATRIX_STRIDE * node + 12, humanoid.metersPerUnit);
    vec3.rotate(point, 0, humanoid.frame, 0, point, 0);
    return `${(x + (point[2] - middle) * scale).toFixed(1)} ${(y - (point[1] - surface.floor) * scale).toFixed(1)}`;
  };
  const lines = boneLines(humanoid).map(([a, b]) => `M${joint(a)}L${joint(b)}`);
  return `<path d="${lines.join('')}" stroke="#5b6472" stroke-width="2"/><path d="${paths.body}" fill="${FILLS.body}" stroke="#fff" stroke-width=".5" fill-opacity=".85"/><path d="${paths.feet}" fill="${FILLS.feet}" fill-opacity=".75"/>`;
}

function drawRow(label: string, shown: Body, clip: Clip, row: number): string {
  const character = createPosedCharacter(shown.humanoid, shown.surface);
  character.local.set(shown.humanoid.skeleton.rest);
  localToModelMatrices(character.matrices, character.humanoid.skeleton.parents, character.local);
  const scale = FIGURE / topOf(character);
  const y = TOP + (row + 1) * CELL.height - GROUND;
  const poses = Array.from({ length: COLUMNS }, (_, column) => {
    character.local.set(shown.humanoid.skeleton.rest);
    sampleClip(clip, (clip.duration * column) / (COLUMNS - 1), character.local);
    localToModelMatrices(character.matrices, character.humanoid.skeleton.parents, character.local);
    return drawPose(character, scale, LABELS + (column + 0.5) * CELL.width, y);
  });
  const width = LABELS + COLUMNS * CELL.width;
  return `<text x="10" y="${y - 40}">${label}</text>${poses.join('')}<path d="M${LABELS} ${y}H${width - 8}" stroke="#2b6cb0" stroke-width="1"/>`;
}

/**
 * Draws a pair.
 *
 * @param pair The pair.
 * @returns An SVG.
 */
export async function drawContacts(pair: ContactPair): Promise<string> {
  const { source, clip, target } = (await pair.load())!;
  const plan = planRetarget(source.humanoid, target.humanoid);
  const plain = retargetClip(plan, clip);
  const contacts = planContacts(plan, source.humanoid, target.humanoid, {
    sourceSurface: source.surface,
    targetSurface: target.surface,
  });
  const kept = applyContacts(contacts, clip, plain).clip;
  const [width, height] = [LABELS + COLUMNS * CELL.width, TOP + 3 * CELL.height];
  const rows = [drawRow('source', source, clip, 0), drawRow('off', target, plain, 1), drawRow('auto', target, kept, 2)];
  const title = `${basename(pair.motion)}, ${pair.clip}, on ${basename(pair.character)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/><text x="10" y="22" font-weight="bold">${title}</text>${rows.join('')}</svg>\n`;
}

/**
 * Finds pairs of the asset folder.
 *
 * @param wanted Names of motion, clip and character.
 * @returns The pairs.
 */
export async function findPairs(wanted: readonly (readonly [string, string, string])[]): Promise<ContactPair[]> {
  const pairs = await realPairs(4);
  return wanted.flatMap((names) => {
    const found = pairs.find(({ motion, clip, character }) => {
      return [basename(motion), clip, basename(character)].every((name, k) => name === names[k]);
    });
    return found === undefined ? [] : [found];
  });
}
