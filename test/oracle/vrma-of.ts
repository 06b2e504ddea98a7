/** A motion as VRM Animation, as the library makes it. */
import { createNormalizedHumanoid } from '../../src/core/humanoid/normalized-humanoid.ts';
import type { Issue } from '../../src/core/report/issue.ts';
import { concatParts, serializeGltf, writeVrma } from '../../src/formats/gltf/index.ts';
import { type AssetHumanoid, retargeted } from './retargeted.ts';

/** A clip of a body, retargeted onto its normalized form and written: the bytes of a .vrma, and what was said about it. */
export function vrmaOf(source: AssetHumanoid, clip = 0): { bytes: Uint8Array; issues: readonly Issue[] } {
  const humanoid = createNormalizedHumanoid(source.humanoid);
  const body: AssetHumanoid = { humanoid, sourceNodes: Int32Array.from(humanoid.skeleton.parents.keys()), clips: [] };
  const { document, issues } = writeVrma(humanoid, retargeted(source, body, clip));
  return { bytes: concatParts(serializeGltf(document).parts), issues };
}
