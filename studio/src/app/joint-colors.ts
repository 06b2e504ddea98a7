/** Colors of joints: how certain their bone is, or how far it is from the motion. */
import type { BoneName } from 'anyrig';
import type { HumanoidReport } from 'anyrig/files';
import type { Charts, FigureJoint } from '../engine/protocol.ts';

type Color = readonly [r: number, g: number, b: number];

const NO_BONE: Color = [0.55, 0.58, 0.62];
const GOOD: Color = [0.16, 0.65, 0.33];
const BAD: Color = [0.86, 0.2, 0.16];
/** Degrees that are shown as entirely bad. */
const WORST_ERROR = 20;

function mix(t: number): Color {
  const part = Math.min(1, Math.max(0, t));
  return [0, 1, 2].map((k) => GOOD[k] + part * (BAD[k] - GOOD[k])) as unknown as Color;
}

function errorAt(charts: Charts, bone: BoneName, time: number): number {
  const values = charts.boneErrors[bone];
  return values?.[Math.min(values.length - 1, Math.round(time * charts.rate))] ?? 0;
}

/**
 * Colors the joints of a figure.
 *
 * @param humanoid The humanoid of the file, with confidences; null without.
 * @param charts Errors over time; null without a result.
 * @returns Three floats per joint, sRGB 0…1.
 */
export function jointColors(
  joints: readonly FigureJoint[],
  kind: 'confidence' | 'error',
  humanoid: HumanoidReport | null,
  charts: Charts | null,
  time: number,
): Float32Array {
  const colors = new Float32Array(3 * joints.length);
  for (const [k, { bone }] of joints.entries()) {
    let color = NO_BONE;
    if (bone !== null && kind === 'confidence') color = mix(1 - (humanoid?.bones[bone]?.confidence ?? 1));
    else if (bone !== null) color = mix(charts === null ? 0 : errorAt(charts, bone, time) / WORST_ERROR);
    colors.set(color, 3 * k);
  }
  return colors;
}
