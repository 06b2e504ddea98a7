/** New layers with the units, axes and times of a stage, and its default prim. */
import type { Layer } from '../layer/layer.ts';
import { definePrim, makeLayer } from './author-prims.ts';
import { single, text } from './author-values.ts';
import { primName } from './prim-names.ts';
import { codeOf, type TimeCodes } from './time-codes.ts';
import type { UsdSpace } from './usd-animation.ts';
import { writePlace } from './write-xform.ts';

/** What a clip says about the times of a stage. */
export interface Lasting {
  /** Seconds. */
  readonly duration: number;
}

/**
 * A layer with a default prim and nothing below. The stage lasts as long as the first clip, which is the one that is bound; without clips nothing is
 * said of time but its unit.
 */
export function makeStageLayer(
  { upAxis, metersPerUnit, rotation }: UsdSpace,
  name: string,
  typeName: 'SkelRoot' | 'Xform',
  codes: TimeCodes,
  clips: readonly Lasting[],
): { layer: Layer; root: string } {
  const prim = primName(name, 'Character');
  const layer = makeLayer({
    defaultPrim: text('token', prim),
    ...(clips.length > 0 ? { endTimeCode: single('double', codeOf(codes, clips[0].duration)) } : {}),
    metersPerUnit: single('double', metersPerUnit),
    ...(clips.length > 0 ? { startTimeCode: single('double', codes.origin) } : {}),
    timeCodesPerSecond: single('double', codes.perSecond),
    upAxis: text('token', upAxis),
  });
  const root = definePrim(layer, `/${prim}`, typeName, { displayName: name, kind: 'component' });
  writePlace(layer, root, [0, 0, 0, ...Array.from(rotation), 1, 1, 1]);
  return { layer, root };
}
