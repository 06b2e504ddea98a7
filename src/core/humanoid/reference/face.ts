/** Eyes and jaw in the T-pose: as the head carries them, eyes that show where they look to the front. */
import * as vec3 from '../../math/vec3.ts';
import { BONE } from '../bones.ts';
import {
  DEGREES,
  degrees,
  FRONT,
  find,
  followParent,
  has,
  swing,
  type TurnedBody,
  tipDirection,
  UP,
} from './turned-body.ts';

/** The node below an eye lies where it looks when it is no further than this from the front; ends of bones may lie anywhere. */
const GAZE = 30 / DEGREES;

/** Turns eyes with the head; those that have a node ahead of them look to the front. */
export function alignEyes(body: TurnedBody): void {
  const eyes = [BONE.leftEye, BONE.rightEye].filter((bone) => has(body, bone));
  if (eyes.length === 0) return;
  const turned: number[] = [];
  for (const eye of eyes) {
    followParent(body, eye);
    const gaze = tipDirection(body, eye);
    if (gaze === null || vec3.angleBetween(gaze, 0, FRONT, 0) > GAZE) continue;
    turned.push(swing(body, eye, gaze, FRONT, UP));
  }
  if (turned.length === 0) find(body, 'eyes', 0.7, 'nothing shows where they look: they follow the head');
  else find(body, 'eyes', 1, `by the nodes ahead of them, turned by up to ${degrees(Math.max(...turned))}`);
}

/** Turns the jaw with the head. */
export function alignJaw(body: TurnedBody): void {
  if (!has(body, BONE.jaw)) return;
  followParent(body, BONE.jaw);
  find(body, 'jaw', 0.8, 'follows the head');
}
