/** Rigs to dress that are not humanoids: animals, furniture, machines. */

import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { OTHERS } from '../../../core/humanoid/mapping/rigs.ts';
import { minus, read } from '../../reference/plain.ts';
import { positionedRig } from '../positioned-rig.ts';
import type { Dressable, Figure } from './growing-rig.ts';

/** More animals and machines, in the text format of positionedRig. */
const MORE: Readonly<Record<string, string>> = {
  'a monster on its hind legs': `
hips 0 0.62 -0.15
 spine1 0 0.75 -0.1 > spine2 0 0.95 0 > chest 0 1.15 0.1
  neck 0 1.3 0.2 > head 0 1.4 0.3 > jaw 0 1.36 0.42
  *shoulder 0.1 1.1 0.16 > elbow 0.12 0.9 0.1 > wrist 0.12 0.72 0.22 > paw 0.12 0.66 0.28
 *thigh 0.1 0.58 -0.15 > knee 0.1 0.36 -0.02 > hock 0.1 0.2 -0.22 > paw2 0.1 0.02 -0.14
 tail1 0 0.55 -0.25 > tail2 0 0.4 -0.4 > tail3 0 0.3 -0.6`,
  'a horse': `
hips 0 1.3 -0.6
 spine1 0 1.3 -0.3 > spine2 0 1.28 0 > chest 0 1.3 0.3
  neck1 0 1.45 0.5 > neck2 0 1.65 0.65 > head 0 1.8 0.75 > jaw 0 1.6 0.9
  *shoulder 0.12 1.2 0.35 > elbow 0.14 0.95 0.25 > knee 0.14 0.55 0.3 > fetlock 0.14 0.2 0.28 > hoof 0.14 0.03 0.33
 *thigh 0.14 1.2 -0.6 > stifle 0.14 0.95 -0.45 > hock 0.14 0.6 -0.7 > fetlock2 0.14 0.2 -0.65 > hoof2 0.14 0.03 -0.6
 tail1 0 1.3 -0.75 > tail2 0 1.1 -0.85 > tail3 0 0.8 -0.9`,
  'a dragon': `
hips 0 1 -0.6
 spine1 0 1.05 -0.2 > chest 0 1.05 0.2
  neck1 0 1.2 0.45 > neck2 0 1.45 0.65 > neck3 0 1.65 0.75 > head 0 1.75 0.9 > jaw 0 1.68 1.05
  *shoulder 0.2 0.95 0.25 > elbow 0.26 0.6 0.15 > wrist 0.26 0.15 0.25 > claw 0.26 0.02 0.35
  *wing1 0.15 1.2 0.1 > wing2 0.6 1.5 0 > wing3 1.2 1.5 -0.2 > wing4 1.8 1.2 -0.4
 *thigh 0.2 0.95 -0.6 > knee 0.25 0.6 -0.4 > ankle 0.25 0.2 -0.65 > claw2 0.25 0.02 -0.5
 tail1 0 0.95 -0.85 > tail2 0 0.8 -1.2 > tail3 0 0.6 -1.6 > tail4 0 0.5 -2`,
  'a fish': `
root 0 0 0
 spine1 0 0 -0.2 > spine2 0 0 -0.5 > fin 0 0 -0.8
 head 0 0 0.2 > jaw 0 -0.05 0.3
 *finA 0.08 -0.05 0.1 > finB 0.2 -0.1 0.05 > finC 0.3 -0.12 0
 *finD 0.05 -0.05 -0.4 > finE 0.1 -0.1 -0.45 > finF 0.14 -0.14 -0.5`,
  'a car': `
body 0 0.5 0
 *front 0.7 0.3 1.2 > frontHub 0.75 0.3 1.2 > frontTire 0.85 0.3 1.2
 *rear 0.7 0.3 -1.2 > rearHub 0.75 0.3 -1.2 > rearTire 0.85 0.3 -1.2
 *door 0.8 0.7 0.4 > handle 0.85 0.7 -0.2
 wheel 0.3 0.8 0.4`,
  'an excavator': `
chassis 0 0.4 0
 *track 0.8 0.2 0.8 > trackB 0.8 0.2 0 > trackC 0.8 0.2 -0.8
 cab 0 0.9 0
  boom 0 1.2 0.6 > stick 0 2.4 1.8 > bucket 0 1.4 2.8 > teeth 0 1.1 2.7
  *mirror 0.5 1.6 0.5 > glass 0.6 1.6 0.5`,
};

/** Names of the joints that take the roles of hips, chest, head, left and right hand. */
const ROLES: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  'a spider': ['body', 'body', 'head', 'a4.L', 'a4.R'],
  'a dog': ['hips', 'chest', 'head', 'wrist.L', 'wrist.R'],
  'the arm of a robot with a gripper': ['base', 'upper', 'flange', 'grip3.L', 'grip3.R'],
  'a snake': ['s8', 's20', 's29', 's29', 's29'],
  'a stick of two joints': ['a', 'a', 'b', 'b', 'b'],
  'a chair': ['seat', 'back', 'back', 'frontEnd.L', 'frontEnd.R'],
  'a bird': ['hips', 'chest', 'head', 'wing4.L', 'wing4.R'],
  'a table lamp': ['foot', 'arm2', 'shade', 'shade', 'shade'],
  'a hand alone': ['wrist', 'wrist', 'middle3', 'thumb3', 'little3'],
  'a monster on its hind legs': ['hips', 'chest', 'head', 'paw.L', 'paw.R'],
  'a horse': ['hips', 'chest', 'head', 'hoof.L', 'hoof.R'],
  'a dragon': ['hips', 'chest', 'head', 'claw.L', 'claw.R'],
  'a fish': ['root', 'spine2', 'head', 'finC.L', 'finC.R'],
  'a car': ['body', 'body', 'wheel', 'frontTire.L', 'frontTire.R'],
  'an excavator': ['chassis', 'cab', 'teeth', 'glass.L', 'glass.R'],
  'negative/Fox.glb': ['b_Hip_01', 'b_Spine02_03', 'b_Head_05', 'b_LeftHand_011', 'b_RightHand_08'],
  'negative/m2m_fox-animations.glb': ['Hips', 'Spine_2.001', 'Head', 'Front_Leg_Foot_L', 'Front_Leg_Foot_R'],
  'negative/m2m_rig-spider.glb': ['hips', 'spine_2', 'head', 'leg_a_tip_l', 'leg_a_tip_r'],
};

/** Files of the asset folder with animals. */
export const OTHER_FILES: readonly string[] = Object.keys(ROLES).filter((name) => name.startsWith('negative/'));

/** Hand-made rigs that are not humanoids. */
export const OTHER_RIGS: readonly Dressable[] = Object.entries({ ...OTHERS, ...MORE }).map(([name, text]) => {
  return { name, skeleton: positionedRig(text), clip: null, right: [] };
});

/** Finds the joints that attire is attached to. The rigs are Y up and face +Z. */
export function otherFigure({ name, skeleton }: Dressable): Figure {
  const [hips, chest, head, left, right] = ROLES[name].map((role) => skeleton.names.indexOf(role));
  const { positions } = restModelPose(skeleton);
  const far = (a: number, b: number): number =>
    Math.hypot(...minus(read(positions, 3 * a, 3), read(positions, 3 * b, 3)));
  const size = Math.max(...skeleton.names.map((_, node) => far(node, hips)));
  const trunk = Math.max(far(hips, chest), 0.2 * size);
  const limb = Math.max(0.2 * size, Math.min(far(chest, left), size));
  return {
    hips,
    chest,
    head,
    hands: [left, right],
    up: [0, 1, 0],
    left: [1, 0, 0],
    front: [0, 0, 1],
    trunk,
    leg: limb,
    arm: limb,
  };
}
