/** Where all nodes of a humanoid are in its reference pose. */
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { referenceOfNodes } from '../core/humanoid/reference-of-nodes.ts';

/** Positions of all nodes in the reference pose, xyz, canonical frame, metres. */
export function referencePositions(humanoid: Humanoid): Float64Array {
  return referenceOfNodes(humanoid).positions;
}
