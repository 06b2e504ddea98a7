/** Converts a motion to VRM Animation with the library. */
import { createNormalizedHumanoid } from '../../../src/core/humanoid/normalized-humanoid.ts';
import type { Issue } from '../../../src/core/report/issue.ts';
import { concatParts, serializeGltf, writeVrma } from '../../../src/formats/gltf/index.ts';
import { type AssetHumanoid, retargeted } from './retargeted.ts';

/** Retargets a clip to the normalized humanoid of its source and serializes it: the bytes of a .vrma, and the issues. */
export function vrmaOf(source: AssetHumanoid, clip = 0): { bytes: Uint8Array; issues: readonly Issue[] } {
  const humanoid = createNormalizedHumanoid(source.humanoid);
  const target: AssetHumanoid = { humanoid, sourceNodes: Int32Array.from(humanoid.skeleton.parents.keys()), clips: [] };
  const { document, issues } = writeVrma(humanoid, retargeted(source, target, clip));
  return { bytes: concatParts(serializeGltf(document).parts), issues };
}
