/** Time codes of one layer in another: offsets that are put one behind the other. */
import type { Layer, LayerOffset } from '../layer/layer.ts';
import { numberField } from './spec-fields.ts';

export const IDENTITY_OFFSET: LayerOffset = { offset: 0, scale: 1 };

/** The offset that leads through `inner` first, then through `outer`. */
export function composeOffsets(outer: LayerOffset, inner: LayerOffset): LayerOffset {
  if (outer === IDENTITY_OFFSET) return inner;
  if (inner === IDENTITY_OFFSET) return outer;
  return { offset: outer.offset + outer.scale * inner.offset, scale: outer.scale * inner.scale };
}

/** A time of there, here. */
export function applyOffset(offset: LayerOffset, there: number): number {
  return offset.offset + offset.scale * there;
}

/** A time of here, there. */
export function invertOffset(offset: LayerOffset, here: number): number {
  return (here - offset.offset) / offset.scale;
}

/** Whether times can be brought there and back. */
export function isInvertibleOffset({ offset, scale }: LayerOffset): boolean {
  return Number.isFinite(offset) && Number.isFinite(scale) && scale !== 0 && Number.isFinite(1 / scale);
}

/** Time codes of a second, of one layer: `timeCodesPerSecond`, else `framesPerSecond`, else 24. */
export function timeCodesPerSecondOf(layer: Layer): number {
  const root = layer.specs.get('/');
  for (const field of ['timeCodesPerSecond', 'framesPerSecond']) {
    const rate = numberField(root, field);
    if (rate !== null && rate > 0 && Number.isFinite(rate)) return rate;
  }
  return 24;
}

/**
 * The offset of an arc with the rates of the two layers brought in: a second stays a second (as OpenUSD does since 20.05). `hereRate`, `thereRate`: time
 * codes of a second.
 */
export function scaleByRates(offset: LayerOffset, hereRate: number, thereRate: number): LayerOffset {
  if (offset.offset === 0 && offset.scale === 1 && hereRate === thereRate) return IDENTITY_OFFSET;
  return { offset: offset.offset, scale: (offset.scale * hereRate) / thereRate };
}
