/** New USD files: a whole character with clips, or a skeleton with clips. */
import type { Clip } from '../../../core/animation/clip.ts';
import type { NewAnimation } from '../../../core/asset/asset.ts';
import type { Humanoid } from '../../../core/humanoid/humanoid.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';
import { writeCharacterLayer } from '../../../formats/usd/write/write-character-layer.ts';
import { writeMotionLayer } from '../../../formats/usd/write/write-motion-layer.ts';
import { stemOf } from '../../clips/clip-names.ts';
import type { OpenFile } from '../../open-file.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import type { UsdFormat } from '../../outputs/output-format.ts';
import type { Destination, NewCharacter } from '../format-adapter.ts';
import { serializeLayer } from './serialize-layer.ts';
import { usdSpace } from './usd-space.ts';

/** Writes a character with clips as USD. Humanoid bones become joints whether or not a skin uses them. */
export function usdCharacterFiles(
  { file, geometry, part, humanoid }: NewCharacter,
  animations: readonly NewAnimation[],
  destination: Destination<UsdFormat>,
  issues: Issue[],
): OutputFile[] {
  const nodes = part === null || humanoid === null ? [] : Array.from(humanoid.map.nodes);
  const bones = nodes.flatMap((node) => (node < 0 ? [] : (part?.sourceNodes[node] ?? [])));
  const space = usdSpace(file.asset, humanoid);
  const written = writeCharacterLayer(geometry, animations, bones, space, stemOf(file.name));
  issues.push(...written.issues);
  return serializeLayer(written.layer, written.files, destination);
}

/** Writes a skeleton with clips as USD, without visible content. `humanoid`: the skeleton as a humanoid; null for other skeletons. */
export function usdMotionFiles(
  file: OpenFile,
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clips: readonly (Clip & Pick<NewAnimation, 'events'>)[],
  destination: Destination<UsdFormat>,
  issues: Issue[],
): OutputFile[] {
  const written = writeMotionLayer(skeleton, clips, usdSpace(file.asset, humanoid), stemOf(file.name));
  issues.push(...written.issues);
  return serializeLayer(written.layer, [], destination);
}
