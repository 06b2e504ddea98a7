/** The measures of the ruler for characters of tests, which are humanoids. */
import type { Clip } from '../../src/core/animation/clip.ts';
import type { SkinPoints } from '../../src/core/deform/skin-points.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { describeBody } from '../../src/core/measure/body.ts';
import { type HandGaps, measureHandGaps } from '../../src/core/measure/hand-gaps.ts';
import { frameTimes, type MeasuredMotion, sampleJoints } from '../../src/core/measure/joint-frames.ts';
import {
  measureSelfPenetration,
  type SelfPenetration,
  type SkinSampling,
} from '../../src/core/measure/self-penetration.ts';
import { measureSmoothness, type Smoothness } from '../../src/core/measure/smoothness.ts';

interface Moving {
  readonly humanoid: Humanoid;
  readonly skin?: SkinPoints | null;
  readonly clip: Clip;
}

export function motionOf({ humanoid: { skeleton, map }, skin = null, clip }: Moving): MeasuredMotion {
  return { body: describeBody({ skeleton, nodes: map.nodes, skin }), clip };
}

export function smoothnessOf(humanoid: Humanoid, clip: Clip, fps = 60): Smoothness {
  return measureSmoothness(sampleJoints(motionOf({ humanoid, clip }), frameTimes(clip.duration, fps)));
}

export function insideOf(moving: Moving, options?: SkinSampling): SelfPenetration | null {
  return measureSelfPenetration(motionOf(moving), options);
}

export function gapsOf(source: Moving, result: Moving, options?: SkinSampling): HandGaps | null {
  return measureHandGaps(motionOf(source), motionOf(result), options);
}
