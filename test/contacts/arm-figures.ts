/** Figures of arms of a pair: kept out of the character, and with hands that touch what those of the source touch. For `scripts/contacts.ts`. */

import { basename } from 'node:path';
import type { Clip } from '../../src/core/animation/clip.ts';
import { applyContacts, type ContactResult } from '../../src/core/contacts/plan/apply-contacts.ts';
import type { SelfCollision } from '../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../src/core/contacts/plan/plan-contacts.ts';
import type { HandGaps } from '../../src/core/measure/hand-gaps.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { ADULT, CHIBI, CHILD, HEAVY, type Proportions, TALL } from '../../src/demo/figure/proportions.ts';
import { demoBody } from './demo-pair.ts';
import { type Body, type ContactPair, realPairs } from './pairs.ts';
import { gapsOf, insideOf, smoothnessOf } from './ruler-of.ts';
import { TOUCH_KINDS, touchMotion } from './touch-motions.ts';

/** Figures of the arms of a pair. */
export interface ArmFigures {
  /** Vertices of hands and forearms inside trunk, head and thighs, mean, %: after plain retargeting, and with arms kept out; null without triangles. */
  readonly inside: { readonly plain: number; readonly result: number } | null;
  /** Jerk with arms kept out, relative to that without; null for a motion that is as good as still. */
  readonly jerk: number | null;
}

/** Figures of the hands of a pair in which hands of the source touch something. */
export interface HandFigures {
  /** Gaps with arms kept out, and with contacts of hands. */
  readonly gaps: { readonly before: HandGaps; readonly after: HandGaps };
  /** Greatest distance from a shoulder to where its wrist should be, relative to the length of the arm. */
  readonly reach: number;
  /** Jerk with contacts of hands, relative to that of plain retargeting. */
  readonly jerk: number;
  /** Vertices inside, mean, %: with arms kept out alone, and with contacts of hands; null without triangles. */
  readonly inside: { readonly before: number; readonly after: number } | null;
}

/** Jerk of a motion that is as good as still, heights per second cubed: that of idle poses is 4 to 20. */
const STILL = 0.1;

/** Samples per second and vertices that are enough. */
const FEW = { fps: 10, mostVertices: 300 };

function meanInside({ humanoid, skin }: Body, clip: Clip): number | null {
  return skin === null ? null : (insideOf({ humanoid, skin, clip }, FEW)?.mean ?? null);
}

/** Retargets a pair, plainly and with options of contacts; null where there is nothing to retarget. */
async function retargetPair(pair: ContactPair) {
  const loaded = await pair.load();
  if (loaded === null) return null;
  const { source, clip, target } = loaded;
  const plan = planRetarget(source.humanoid, target.humanoid);
  const plain = retargetClip(plan, clip);
  if (plain.tracks.length === 0) return null;
  const keep = (options: { readonly selfCollision: SelfCollision; readonly hands: boolean }): ContactResult => {
    const surfaces = { sourceSurface: source.surface, targetSurface: target.surface };
    const contacts = planContacts(plan, source.humanoid, target.humanoid, { mode: 'auto', ...surfaces, ...options });
    return applyContacts(contacts, clip, plain);
  };
  return { source, clip, target, plain, keep };
}

/** Measures how the arms of a pair are kept out of the character; null where there is nothing to measure. */
export async function evaluateArms(pair: ContactPair, mode: SelfCollision = 'soft'): Promise<ArmFigures | null> {
  const retargeted = await retargetPair(pair);
  if (retargeted === null || retargeted.target.surface.from !== 'skin') return null;
  const { target, plain, keep } = retargeted;
  const [ground, result] = (['off', mode] as const).map((selfCollision) => keep({ selfCollision, hands: false }).clip);
  const [before, after] = [ground, result].map((clip) => smoothnessOf(target.humanoid, clip).jerk);
  const [insidePlain, insideResult] = [plain, result].map((clip) => meanInside(target, clip));
  return {
    inside: insidePlain === null || insideResult === null ? null : { plain: insidePlain, result: insideResult },
    jerk: before > STILL ? after / before : null,
  };
}

/** Measures the contacts of the hands of a pair; null where no hand of the source touches anything that the target has. */
export async function evaluateHands(pair: ContactPair): Promise<HandFigures | null> {
  const retargeted = await retargetPair(pair);
  if (retargeted === null) return null;
  const { source, clip, target, plain, keep } = retargeted;
  if (source.skin === null || target.skin === null) return null;
  const [from, to] = [
    { ...source, skin: source.skin, clip },
    { ...target, skin: target.skin },
  ];
  const { clip: before } = keep({ selfCollision: 'soft', hands: false });
  const { clip: after, report } = keep({ selfCollision: 'soft', hands: true });
  const gapsBefore = gapsOf(from, { ...to, clip: before }, FEW);
  if (gapsBefore === null) return null;
  const jerk = smoothnessOf(target.humanoid, plain).jerk;
  const inside = [before, after].map((one) => meanInside(target, one));
  return {
    gaps: { before: gapsBefore, after: gapsOf(from, { ...to, clip: after }, FEW)! },
    reach: report.hands?.reach ?? 0,
    jerk: jerk > 0 ? smoothnessOf(target.humanoid, after).jerk / jerk : 1,
    inside: inside[0] === null || inside[1] === null ? null : { before: inside[0], after: inside[1] },
  };
}

/** Bodies of the demo whose hands are elsewhere than those of an adult. */
const TOUCHING_BODIES: Readonly<Record<string, Proportions>> = {
  CHIBI,
  CHILD,
  HEAVY,
  TALL,
  stout: { ...ADULT, girth: 1.5 * ADULT.girth },
  'long arms': { ...ADULT, arm: 1.3 * ADULT.arm },
  'wide shoulders': { ...ADULT, shoulderWidth: 0.5 },
};

/** An adult of the demo who claps, and puts the hands on the hips, the head and the knees, on other bodies of the demo. */
export function touchPairs(): ContactPair[] {
  return TOUCH_KINDS.flatMap((kind) => {
    return Object.entries(TOUCHING_BODIES).map(([name, proportions]): ContactPair => {
      const load: ContactPair['load'] = async () => {
        const [source, target] = [await demoBody(), await demoBody(proportions)];
        return { source, clip: touchMotion(kind, source), target };
      };
      return { motion: 'demo ADULT', clip: kind, character: `demo ${name}`, load };
    });
  });
}

/** Motions of real files in which hands touch something: the clips, by file. */
const TOUCHING_CLIPS: Readonly<Record<string, readonly string[]>> = {
  'KayKit_Knight.glb': ['2H_Melee_Attack_Spin', 'Lie_Down', 'Lie_Idle', 'Sit_Chair_Idle', 'Sit_Floor_Idle'],
  'm2mold_human-addon-animations.glb': ['YMCA'],
  'pc_lumberjack.glb': ['Poses'],
  'Xbot.glb': ['idle'],
};
const TOUCHING_CHARACTERS = ['KayKit_Knight.glb', 'RobotExpressive.glb', 'Xbot.glb', 'Godette_vrm_v4.vrm'];

/** Motions of real files in which hands touch something, on characters with other trunks and arms. */
export async function realTouchPairs(seconds: number): Promise<ContactPair[]> {
  return (await realPairs(seconds)).filter(({ motion, clip, character }) => {
    return TOUCHING_CLIPS[basename(motion)]?.includes(clip) && TOUCHING_CHARACTERS.includes(basename(character));
  });
}
