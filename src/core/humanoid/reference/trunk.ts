/** Hips, spine, neck, head and shoulders: a character's own curvature is its character, not its pose. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, BONES } from '../bones.ts';
import { linesOf, trunkLean } from './lean.ts';
import {
  addTurn,
  DEGREES,
  degrees,
  find,
  followParent,
  LEFT,
  rollBy,
  rollTo,
  type TurnedBody,
  UP,
} from './turned-body.ts';

/** A trunk that leans further than this in a pose of movement leans because of the movement, radians. */
const LEAN = 7 / DEGREES;

const TRUNK = BONES.filter((name) => /^(hips|spine|chest|upperChest|neck|head|leftShoulder|rightShoulder)$/.test(name));

/**
 * Sets the trunk upright: its shoulders above its hips, both of them square to the front. The body must face the front then as it did
 * before: leaning and twisting show in its lines. Returns by how much it leant, radians.
 */
function setUpright(body: TurnedBody): number {
  const lines = linesOf(body);
  if (lines === null) return 0;
  vec3.rotate(lines.up, 0, body.attitude, 0, lines.up, 0);
  const lean = vec3.angleBetween(lines.up, 0, UP, 0);
  if (!(lean > LEAN)) return 0;
  const arc = new Float64Array(4);
  quat.fromTo(arc, 0, lines.up, 0, UP, 0);
  addTurn(body, BONE.hips, arc);
  vec3.rotate(lines.side, 0, body.turns, 4 * BONE.hips, lines.side, 0);
  rollBy(body, BONE.hips, UP, rollTo(UP, lines.side, LEFT) ?? 0);
  return lean;
}

/**
 * Turns the trunk with the body as a whole, all its bones alike; set upright where it may lean because of a movement. `facing` says what
 * showed the front, `confidence` how well. Returns by how much the trunk still leans to the front, radians.
 */
export function alignTrunk(body: TurnedBody, mayLean: boolean, facing: string, confidence: number): number {
  quat.copy(body.turns, 4 * BONE.hips, body.attitude, 0);
  const lean = mayLean ? setUpright(body) : 0;
  for (const name of TRUNK) followParent(body, BONE[name]);
  const bearing = lean > 0 ? `set upright, it leant by ${degrees(lean)} in a pose of movement` : 'its curve is kept';
  find(body, 'trunk', lean > 0 ? Math.min(confidence, 0.5) : confidence, `${facing}; ${bearing}`);
  return lean > 0 ? 0 : trunkLean(body);
}
