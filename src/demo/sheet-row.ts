/** Clips of files as rows of a contact sheet. */
import type { Clip } from '../core/animation/clip.ts';
import { sampleClip } from '../core/animation/sample.ts';
import { modelPose } from '../core/humanoid/model-pose.ts';
import * as vec3 from '../core/math/vec3.ts';
import { restPose } from '../core/skeleton/pose.ts';
import type { Body } from '../files/choose-body.ts';
import type { SheetRow } from '../preview/sheet.ts';

/** Positions of all nodes at a time, canonical frame, metres. */
function positionsAt({ humanoid }: Body, clip: Clip, time: number): Float64Array {
  const { skeleton, frame, metresPerUnit } = humanoid;
  const local = restPose(skeleton);
  sampleClip(clip, time, local);
  const { positions } = modelPose('', skeleton.parents, local);
  for (let at = 0; at < positions.length; at += 3) {
    vec3.rotate(positions, at, frame, 0, positions, at);
    vec3.scale(positions, at, positions, at, metresPerUnit);
  }
  return positions;
}

/** A body in `columns` moments of a clip, evenly from its start to its end. */
export function sheetRow(
  body: Body,
  clip: Clip,
  columns: number,
  labels: Pick<SheetRow, 'title' | 'subtitle' | 'source'>,
): SheetRow {
  const { skeleton, map, ground, height } = body.humanoid;
  const frames = Array.from({ length: columns }, (_, column) => {
    return positionsAt(body, clip, (clip.duration * column) / Math.max(1, columns - 1));
  });
  return { ...labels, parents: skeleton.parents, bones: map.nodes, frames, ground, height };
}
