/** Making humanoid clips: the motion of a body as rotations relative to its reference pose, for any other body. */
import type { Clip } from '../animation/clip.ts';
import { describeHumanoid } from '../humanoid/describe-humanoid.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { type HumanoidClip, humanoidClipOf } from '../humanoid/humanoid-clip.ts';
import { type PortableBody, portableBody } from '../humanoid/portable-body.ts';
import type { RetargetOptions } from './options.ts';
import { planRetarget } from './plan.ts';
import { type ClipOptions, retargetClip } from './retarget-clip.ts';
import type { RetargetPlan } from './retarget-plan.ts';

/** Hips lower than this above the ground, relative to the height of the body, give no measure: as in planRetarget. */
const LEAST_HIPS = 0.01;

/** How the motions of a body become humanoid clips. */
export interface ExtractPlan {
  /** The bones of the source with their canonical axes, and what it is as a humanoid. */
  readonly body: PortableBody;
  readonly humanoid: Humanoid;
  /** From the source onto it. */
  readonly plan: RetargetPlan;
}

/** A humanoid of a portable body, which is one by construction. */
export function humanoidOfBody({ skeleton, declared }: PortableBody): Humanoid {
  const { humanoid, reason } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
  if (humanoid === null) throw new RangeError(`The portable body is no humanoid: ${reason}`);
  return humanoid;
}

/**
 * Plans the extraction of any motion of `source`. Hips travel meter for meter; their height is kept beside, so that they can be scaled to
 * another body later. RangeError for a source without hips.
 */
export function planExtract(source: Humanoid, options: Omit<RetargetOptions, 'hipsScale'> = {}): ExtractPlan {
  const { map, hipsHeight, height } = source;
  const bones = Array.from(map.nodes.keys()).filter((bone) => map.nodes[bone] >= 0);
  const body = portableBody(bones, hipsHeight > LEAST_HIPS * height ? hipsHeight : null);
  const humanoid = humanoidOfBody(body);
  return { body, humanoid, plan: planRetarget(source, humanoid, options) };
}

/**
 * A clip of the source as a humanoid clip. Where one rotation drives a bone, its keys, times and interpolation stay, as with `retargetClip`.
 * RangeError as there.
 */
export function extractClip({ body, plan }: ExtractPlan, clip: Clip, options: ClipOptions = {}): HumanoidClip {
  return humanoidClipOf(body, retargetClip(plan, clip, options));
}
