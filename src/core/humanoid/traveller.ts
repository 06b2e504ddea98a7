import type { Traveller } from '../animation/loop-clip.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { Humanoid } from './humanoid.ts';

/** What loopClip asks of a body: its hips, and what is up and how high they are in the axes and the unit of its file. */
export function travellerOf({ map, frame, hipsHeight, height, metersPerUnit }: Humanoid): Traveller {
  const up = new Float64Array([0, 1, 0]);
  const toFile = new Float64Array(4);
  quat.conjugate(toFile, 0, frame, 0);
  vec3.rotate(up, 0, toFile, 0, up, 0);
  // Hips on the ground give no measure: half of the body does.
  return { hips: map.nodes[0], up, hipsHeight: (hipsHeight > 0 ? hipsHeight : height / 2) / metersPerUnit };
}
