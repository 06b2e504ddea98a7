import { definePrim, makeLayer } from '../author/author-prims.ts';
import { single, text } from '../author/author-values.ts';
import { authorTransform } from '../author/author-xform-ops.ts';
import { primName } from '../author/prim-names.ts';
import type { Layer } from '../layer/layer.ts';
import { codeOf, type TimeCodes } from '../time-codes.ts';
import type { UsdSpace } from './written-layer.ts';

/**
 * Creates a root layer with an empty default prim. Its time range is that of the first clip, which is the bound one; without clips, only the time code
 * rate is authored. `codes`: converts seconds to time codes. `clips`: durations in seconds.
 */
export function makeStageLayer(
  { upAxis, metersPerUnit, rotation }: UsdSpace,
  name: string,
  typeName: 'SkelRoot' | 'Xform',
  codes: TimeCodes,
  clips: readonly { readonly duration: number }[],
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
  authorTransform(layer, root, [0, 0, 0, ...Array.from(rotation), 1, 1, 1]);
  return { layer, root };
}
