/** Reads units, up axis and times of a stage. */
import type { Layer } from '../layer/layer.ts';
import { timeCodesPerSecondOf } from './layer-offset.ts';
import { numberField, textField } from './spec-fields.ts';
import type { StageMetrics } from './stage.ts';

/** Reads the stage metrics. Only opinions of the root layer count, not those of its sublayers. */
export function readMetrics(layer: Layer, hasPrim: (path: string) => boolean): StageMetrics {
  const root = layer.specs.get('/');
  const upAxis = textField(root, 'upAxis');
  const unit = numberField(root, 'metersPerUnit');
  const isUnit = unit !== null && unit > 0 && Number.isFinite(unit);
  const name = textField(root, 'defaultPrim') ?? '';
  const path = name.startsWith('/') ? name : `/${name}`;
  return {
    upAxis: upAxis?.toUpperCase() === 'Z' ? 'Z' : 'Y',
    metersPerUnit: isUnit ? unit : 0.01,
    timeCodesPerSecond: timeCodesPerSecondOf(layer),
    startTimeCode: numberField(root, 'startTimeCode'),
    endTimeCode: numberField(root, 'endTimeCode'),
    defaultPrim: hasPrim(path) ? path : null,
    isUpAxisAuthored: upAxis !== null,
    isMetersPerUnitAuthored: isUnit,
  };
}
