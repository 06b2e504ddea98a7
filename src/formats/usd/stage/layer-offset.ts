/** Maps time codes between layers by layer offsets. */
import type { Layer, LayerOffset } from '../layer/layer.ts';
import { numberField } from './spec-fields.ts';

/** The identity. Shared, so that it can be compared by reference. */
export const IDENTITY_OFFSET: LayerOffset = { offset: 0, scale: 1 };

export function composeOffsets(outer: LayerOffset, inner: LayerOffset): LayerOffset {
  if (outer === IDENTITY_OFFSET) return inner;
  if (inner === IDENTITY_OFFSET) return outer;
  return { offset: outer.offset + outer.scale * inner.offset, scale: outer.scale * inner.scale };
}

/** Maps a time code of the inner layer to the outer layer. */
export function applyOffset(offset: LayerOffset, time: number): number {
  return offset.offset + offset.scale * time;
}

/** Maps a time code of the outer layer to the inner layer. */
export function invertOffset(offset: LayerOffset, time: number): number {
  return (time - offset.offset) / offset.scale;
}

/** Tests whether time codes can be mapped in both directions. */
export function isInvertibleOffset({ offset, scale }: LayerOffset): boolean {
  return Number.isFinite(offset) && Number.isFinite(scale) && scale !== 0 && Number.isFinite(1 / scale);
}

/** Returns the time codes per second of a layer: `timeCodesPerSecond`, else `framesPerSecond`, else 24. */
export function timeCodesPerSecondOf(layer: Layer): number {
  const root = layer.specs.get('/');
  for (const field of ['timeCodesPerSecond', 'framesPerSecond']) {
    const rate = numberField(root, field);
    if (rate !== null && rate > 0 && Number.isFinite(rate) && Number.isFinite(1 / rate)) return rate;
  }
  return 24;
}

/** Scales the layer offset of an arc by the time code rates of the two layers, so that seconds are preserved (as OpenUSD does since 20.05). */
export function scaleByRates(offset: LayerOffset, outerRate: number, innerRate: number): LayerOffset {
  if (offset.offset === 0 && offset.scale === 1 && outerRate === innerRate) return IDENTITY_OFFSET;
  return { offset: offset.offset, scale: (offset.scale * outerRate) / innerRate };
}
