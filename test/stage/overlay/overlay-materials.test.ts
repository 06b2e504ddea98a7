import { describe, expect, it, vi } from 'vitest';
import { OverlayMaterials } from '../../../src/stage/overlay/overlay-materials.ts';

describe('OverlayMaterials', () => {
  it('has one material per color and kind, however the color is written, and frees them', () => {
    const materials = new OverlayMaterials();
    const red = materials.line('#ff0000');
    expect(materials.line(0xff0000)).toBe(red);
    expect(materials.line('blue')).not.toBe(red);
    const mark = materials.mark('red');
    expect(mark).not.toBe(red);
    expect(materials.mark('rgb(255, 0, 0)')).toBe(mark);
    const freed = [red, mark].map((material) => vi.spyOn(material, 'dispose'));
    materials.dispose();
    for (const dispose of freed) expect(dispose).toHaveBeenCalledOnce();
  });
});
