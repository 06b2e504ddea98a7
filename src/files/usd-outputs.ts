/** New USD files: a whole character with clips, or a skeleton with clips alone. */
import type { Clip } from '../core/animation/clip.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import type { Issue } from '../core/report/issue.ts';
import type { Skeleton } from '../core/skeleton/skeleton.ts';
import type { UsdAnimation } from '../formats/usd/write/usd-animation.ts';
import { writeCharacterLayer } from '../formats/usd/write/write-character.ts';
import { writeMotionLayer } from '../formats/usd/write/write-motion.ts';
import type { CharacterBody } from './character-output.ts';
import { stemOf } from './clip-names.ts';
import type { OpenFile } from './open.ts';
import type { OutputFile } from './output-file.ts';
import { layerFiles, type UsdPlace } from './print-usd.ts';
import { usdSpace } from './usd-space.ts';

/** A character with clips as USD; the bones of a humanoid are joints there, whether a skin has them or not. */
export function usdCharacterFiles(
  { file, geometry, part, humanoid }: CharacterBody,
  animations: readonly UsdAnimation[],
  place: UsdPlace,
  issues: Issue[],
): OutputFile[] {
  const nodes = part === null || humanoid === null ? [] : Array.from(humanoid.map.nodes);
  const bones = nodes.flatMap((node) => (node < 0 ? [] : (part?.sourceNodes[node] ?? [])));
  const space = usdSpace(file.asset, humanoid);
  const { layer, files } = writeCharacterLayer(geometry, animations, bones, space, stemOf(file.name), issues);
  return layerFiles(layer, files, place);
}

/** A skeleton with clips as USD, without anything seen. */
export function usdMotionFiles(
  file: OpenFile,
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clips: readonly Clip[],
  place: UsdPlace,
  issues: Issue[],
): OutputFile[] {
  const layer = writeMotionLayer(skeleton, clips, usdSpace(file.asset, humanoid), stemOf(file.name), issues);
  return layerFiles(layer, [], place);
}
