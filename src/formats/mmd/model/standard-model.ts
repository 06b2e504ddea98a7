/**
 * The standard skeleton of MikuMikuDance with its usual additions (semi-standard bones), on which a motion plays that comes without a model. Its lengths are those of an
 * average adult, scaled to the 1.58 m that motions are made for: their steps and the movement of the center are in these units.
 */
import { BONE, type BoneName, FINGER_SEGMENTS, SIDES, type Side } from '../../../core/humanoid/bones.ts';
import { bodyPositions } from '../../../core/humanoid/rigs/body-proportions.ts';
import type { Vec3 } from '../../../core/math/vec3.ts';
import { METERS_PER_UNIT, type MmdBone, type MmdIk, type MmdModel } from './mmd-model.ts';

/** Height of the model that most motions were made on, and that of the adult of `bodyPositions`, meters. */
const STATURE = 1.58;
const ADULT_STATURE = 1.7;
const UNITS_PER_METER = STATURE / ADULT_STATURE / METERS_PER_UNIT;

/** Angle of the arms below the horizontal: models rest in an A-pose of 30° to 40°. */
const ARM_ANGLE = (35 * Math.PI) / 180;
/** Heights of center and groove by convention, units. */
const CENTER_HEIGHT = 8;
const GROOVE_HEIGHT = 8.2;
/** How far knees are in front of hip joints and ankles, units: IK bends a leg that way. */
const KNEE_FORWARD = 0.1;
/** A knee bends backward only, by at least half a degree. */
const KNEE_LIMITS = { least: [-Math.PI, 0, 0], greatest: [-Math.PI / 360, 0, 0] } as const;
/** Rounds and angles of the IK of legs and toes, as models have them by convention. */
const LEG_IK = { loops: 40, angle: 2 } as const;
const TOE_IK = { loops: 3, angle: 4 } as const;

const SIDE_WORDS = { left: '左', right: '右' } as const;
const FINGER_WORDS = { Index: '人指', Middle: '中指', Ring: '薬指', Little: '小指' } as const;
const SEGMENT_WORDS = ['１', '２', '３'] as const;

/** What a bone has beside name, parent and position. */
type Extras = Partial<Pick<MmdBone, 'layer' | 'append' | 'axis' | 'ik'>>;

/** Positions of the adult as left-handed units: arms in A-pose, knees a little forward. */
function positionsOf(): (bone: string) => Vec3 {
  const body = bodyPositions(null);
  const at = (name: string): Vec3 => {
    const bone = BONE[name as BoneName];
    return [
      body[3 * bone] * UNITS_PER_METER,
      body[3 * bone + 1] * UNITS_PER_METER,
      -body[3 * bone + 2] * UNITS_PER_METER,
    ];
  };
  return (name) => {
    const [x, y, z] = at(name);
    if (/LowerLeg$/.test(name)) return [x, y, z - KNEE_FORWARD];
    const side = SIDES.find((one) => name.startsWith(one));
    const isArm = /LowerArm$|Hand$|Thumb|Index|Middle|Ring|Little/.test(name);
    if (side === undefined || !isArm) return [x, y, z];
    const [armX, armY] = at(`${side}UpperArm`);
    const [dx, dy] = [x - armX, y - armY];
    const [sin, cos] = [Math.sin(ARM_ANGLE), Math.cos(ARM_ANGLE)];
    const down = side === 'left' ? -sin : sin;
    return [armX + dx * cos - dy * down, armY + dx * down + dy * cos, z];
  };
}

function between(a: Vec3, b: Vec3): Vec3 {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
}

function direction(a: Vec3, b: Vec3): Vec3 {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  return [(b[0] - a[0]) / length, (b[1] - a[1]) / length, (b[2] - a[2]) / length];
}

export function standardModel(): MmdModel {
  const bones: MmdBone[] = [];
  const indexOf = (name: string): number => bones.findIndex((bone) => bone.name === name);
  const place = positionsOf();
  const add = (name: string, parent: string, position: Vec3, extras: Extras = {}): void => {
    const rest = { layer: 0, isAfterPhysics: false, append: null, axis: null, ik: null };
    bones.push({ name, parent: indexOf(parent), position, ...rest, ...extras });
  };
  const follows = (source: string, ratio: number, layer = 0): Extras => {
    return { layer, append: { source: indexOf(source), ratio, rotates: true, moves: false, isLocal: false } };
  };
  add('全ての親', '', [0, 0, 0]);
  add('センター', '全ての親', [0, CENTER_HEIGHT, 0]);
  add('グルーブ', 'センター', [0, GROOVE_HEIGHT, 0]);
  add('腰', 'グルーブ', place('hips'));
  add('上半身', '腰', place('spine'));
  add('上半身2', '上半身', place('chest'));
  add('首', '上半身2', place('neck'));
  add('頭', '首', place('head'));
  const [, eyeHeight, eyeDepth] = place('leftEye');
  add('両目', '頭', [0, eyeHeight + 2, eyeDepth]);
  for (const side of SIDES) add(`${SIDE_WORDS[side]}目`, '頭', place(`${side}Eye`), follows('両目', 1));
  add('下半身', '腰', place('spine'));
  for (const side of SIDES) addArm(side, add, follows, place);
  for (const side of SIDES) addLeg(side, add, follows, place, indexOf);
  return { kind: 'standard', name: 'MMD standard skeleton', bones, mesh: null, materials: [], morphs: [], issues: [] };
}

type Add = (name: string, parent: string, position: Vec3, extras?: Extras) => void;
type Follows = (source: string, ratio: number, layer?: number) => Extras;

function addArm(side: Side, add: Add, follows: Follows, place: (bone: string) => Vec3): void {
  const word = SIDE_WORDS[side];
  const [shoulder, arm, elbow, wrist] = ['Shoulder', 'UpperArm', 'LowerArm', 'Hand'].map((bone) => place(side + bone));
  add(`${word}肩P`, '上半身2', shoulder);
  add(`${word}肩`, `${word}肩P`, shoulder);
  add(`${word}肩C`, `${word}肩`, arm, follows(`${word}肩P`, -1));
  add(`${word}腕`, `${word}肩C`, arm);
  add(`${word}腕捩`, `${word}腕`, between(arm, elbow), { axis: direction(arm, elbow) });
  add(`${word}ひじ`, `${word}腕捩`, elbow);
  add(`${word}手捩`, `${word}ひじ`, between(elbow, wrist), { axis: direction(elbow, wrist) });
  add(`${word}手首`, `${word}手捩`, wrist);
  add(`${word}親指０`, `${word}手首`, place(`${side}ThumbMetacarpal`));
  add(`${word}親指１`, `${word}親指０`, place(`${side}ThumbProximal`));
  add(`${word}親指２`, `${word}親指１`, place(`${side}ThumbDistal`));
  for (const [finger, name] of Object.entries(FINGER_WORDS)) {
    for (const [k, segment] of FINGER_SEGMENTS.entries()) {
      const parent = k === 0 ? `${word}手首` : `${word}${name}${SEGMENT_WORDS[k - 1]}`;
      add(`${word}${name}${SEGMENT_WORDS[k]}`, parent, place(`${side}${finger}${segment}`));
    }
  }
}

function addLeg(
  side: Side,
  add: Add,
  follows: Follows,
  place: (bone: string) => Vec3,
  indexOf: (name: string) => number,
): void {
  const word = SIDE_WORDS[side];
  const [hip, knee, ankle, toes] = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].map((bone) => place(side + bone));
  // The target of toe IK is on the ground below the tip of the foot.
  const tip: Vec3 = [toes[0], 0, toes[2] - (ankle[2] - toes[2]) / 2];
  add(`腰キャンセル${word}`, '下半身', hip, follows('腰', -1));
  add(`${word}足`, `腰キャンセル${word}`, hip);
  add(`${word}ひざ`, `${word}足`, knee);
  add(`${word}足首`, `${word}ひざ`, ankle);
  add(`${word}つま先`, `${word}足首`, tip);
  add(`${word}足IK親`, '全ての親', [ankle[0], 0, ankle[2]]);
  const ik = (effector: string, links: MmdIk['links'], how: { loops: number; angle: number }): Extras => {
    return { layer: 1, ik: { effector: indexOf(effector), links, ...how } };
  };
  const legLinks = [
    { bone: indexOf(`${word}ひざ`), limits: KNEE_LIMITS },
    { bone: indexOf(`${word}足`), limits: null },
  ];
  add(`${word}足ＩＫ`, `${word}足IK親`, ankle, ik(`${word}足首`, legLinks, LEG_IK));
  const toeLinks = [{ bone: indexOf(`${word}足首`), limits: null }];
  add(`${word}つま先ＩＫ`, `${word}足ＩＫ`, tip, ik(`${word}つま先`, toeLinks, TOE_IK));
  add(`${word}足D`, `腰キャンセル${word}`, hip, follows(`${word}足`, 1, 1));
  add(`${word}ひざD`, `${word}足D`, knee, follows(`${word}ひざ`, 1, 1));
  add(`${word}足首D`, `${word}ひざD`, ankle, follows(`${word}足首`, 1, 1));
  add(`${word}足先EX`, `${word}足首D`, toes, { layer: 1 });
}
