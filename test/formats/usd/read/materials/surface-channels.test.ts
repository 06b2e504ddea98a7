import { describe, expect, it } from 'vitest';
import type { UvTexture } from '../../../../../src/formats/usd/read/materials/read-texture.ts';
import {
  alphaOf,
  colorOf,
  componentIndex,
  metallicRoughness,
  normalOf,
  occlusionOf,
  type SurfaceInput,
  type TextureChannel,
} from '../../../../../src/formats/usd/read/materials/surface-channels.ts';

const PLAIN: UvTexture = {
  texture: 0,
  uvName: 'st',
  transform: null,
  scale: [1, 1, 1, 1],
  bias: [0, 0, 0, 0],
  fallback: null,
  colorSpace: 'auto',
  isGray: false,
};
const USE = { texture: 0, uvName: 'st', transform: null };

const constant = (...numbers: number[]): SurfaceInput => ({ channel: null, constant: numbers });
const channel = (output: string, texture: Partial<UvTexture> = {}): TextureChannel => ({
  output,
  texture: { ...PLAIN, ...texture },
});
const slot = (output: string, texture: Partial<UvTexture> = {}, ...numbers: number[]): SurfaceInput => ({
  channel: channel(output, texture),
  constant: numbers,
});

/** Runs a conversion and collects its losses. */
function run<Result>(make: (reportLoss: (what: string) => void) => Result): { made: Result; leftOut: string[] } {
  const leftOut: string[] = [];
  return { made: make((what) => leftOut.push(what)), leftOut };
}

it('componentIndex: returns the RGBA index of a channel, 0 for rgb', () => {
  expect(['r', 'g', 'b', 'a', 'rgb'].map(componentIndex)).toEqual([0, 1, 2, 3, 0]);
});

describe('colorOf', () => {
  const color = (given: SurfaceInput) => run((reportLoss) => colorOf(given, 'diffuseColor', reportLoss));

  it('converts constants, and textures with their scale as factor', () => {
    expect(color(constant(0.1, 0.2, 0.3))).toEqual({
      made: { rgb: [0.1, 0.2, 0.3], use: null, channel: null },
      leftOut: [],
    });
    const given = slot('rgb', { scale: [0.5, 0.25, 2, 9] }, 1, 1, 1);
    expect(color(given)).toEqual({
      made: { rgb: [0.5, 0.25, 2], use: USE, channel: given.channel },
      leftOut: [],
    });
  });

  it('accepts single channels of gray images', () => {
    const gray = slot('g', { isGray: true, scale: [9, 0.5, 9, 9] }, 1, 1, 1);
    expect(color(gray).made).toMatchObject({ rgb: [0.5, 0.5, 0.5], use: USE });
    for (const given of [slot('g', {}, 1, 0, 1), slot('a', { isGray: true }, 1, 0, 1)]) {
      const { made, leftOut } = color(given);
      expect(made).toEqual({ rgb: [1, 0, 1], use: null, channel: null });
      expect(leftOut).toEqual([
        `Textures of diffuseColor use only the channel ${given.channel?.output}, which is not supported; they were dropped`,
      ]);
    }
  });

  it('rejects a bias beyond rounding, and reads linear textures as sRGB', () => {
    expect(color(slot('rgb', { bias: [0, 0.1, 0, 0] }, 1, 1, 1))).toMatchObject({
      made: { use: null },
      leftOut: ['Textures of diffuseColor have a bias, which is not supported; they were dropped'],
    });
    expect(color(slot('rgb', { bias: [0, 5e-5, 0, 0.5] }, 1, 1, 1))).toMatchObject({ made: { use: USE }, leftOut: [] });
    expect(color(slot('rgb', { colorSpace: 'raw' }, 1, 1, 1))).toMatchObject({
      made: { use: USE },
      leftOut: [
        'Textures of diffuseColor are declared as linear (raw), which is not supported; they were read as sRGB',
      ],
    });
  });
});

describe('alphaOf', () => {
  const diffuse = (given: SurfaceInput) => colorOf(given, 'diffuseColor', () => {});
  const alpha = (given: SurfaceInput, color: SurfaceInput) =>
    run((reportLoss) => alphaOf(given, diffuse(color), reportLoss));
  const LOSSES = ['Textures of opacity are not the alpha channel of the diffuseColor texture and were dropped'];

  it('converts numbers, and the alpha of the color texture', () => {
    expect(alpha(constant(0.5), constant(1, 1, 1))).toEqual({ made: { value: 0.5, use: null }, leftOut: [] });
    expect(alpha(slot('a', { scale: [1, 1, 1, 0.5] }, 1), slot('rgb', { scale: [0.1, 1, 1, 1] }))).toEqual({
      made: { value: 0.5, use: USE },
      leftOut: [],
    });
  });

  it('accepts any texture with a black base color', () => {
    expect(alpha(slot('a', {}, 1), constant(0, 0, 0)).made.use).toEqual(USE);
    expect(alpha(slot('a', {}, 0.75), constant(0, 0, 1))).toEqual({
      made: { value: 0.75, use: null },
      leftOut: LOSSES,
    });
  });

  it.each([
    ['another texture', slot('a', { texture: 1 }, 1)],
    ['other uvs', slot('a', { uvName: 'st1' }, 1)],
    ['another channel', slot('r', {}, 1)],
    ['a bias', slot('a', { bias: [0, 0, 0, 0.5] }, 1)],
  ])('drops the texture with %s', (_, given) => {
    expect(alpha(given, slot('rgb'))).toEqual({ made: { value: 1, use: null }, leftOut: LOSSES });
  });
});

describe('metallicRoughness', () => {
  const both = (metallic: SurfaceInput, roughness: SurfaceInput) =>
    run((reportLoss) => metallicRoughness(metallic, roughness, reportLoss));
  const LOSSES = [
    'Textures of metallic and roughness are not the blue and green channels of one image and were dropped. Pack them into one image',
  ];

  it('converts numbers, and the blue and green channels of one texture with their scales', () => {
    expect(both(constant(0.25), constant(0.75))).toEqual({
      made: { metallic: 0.25, roughness: 0.75, metallicRoughnessTexture: null },
      leftOut: [],
    });
    expect(both(slot('b', { scale: [1, 1, 0.5, 1] }, 1), slot('g', { scale: [1, 0.25, 1, 1] }, 1))).toEqual({
      made: { metallic: 0.5, roughness: 0.25, metallicRoughnessTexture: USE },
      leftOut: [],
    });
  });

  it('accepts a texture for one of them if the other is 0', () => {
    expect(both(constant(0), slot('g', {}, 1)).made).toEqual({
      metallic: 0,
      roughness: 1,
      metallicRoughnessTexture: USE,
    });
    expect(both(slot('r', { isGray: true }, 1), constant(0)).made).toEqual({
      metallic: 1,
      roughness: 0,
      metallicRoughnessTexture: USE,
    });
  });

  it('drops textures that glTF cannot combine with the other value', () => {
    for (const [metallic, roughness] of [
      [constant(0.5), slot('g', {}, 0.75)],
      [slot('b', {}, 0.5), constant(0.75)],
      [slot('b', {}, 0.5), slot('g', { texture: 1 }, 0.75)],
      [slot('r', {}, 0.5), slot('g', {}, 0.75)],
      [slot('b', { bias: [0, 0, 1, 0] }, 0.5), slot('g', {}, 0.75)],
    ]) {
      expect(both(metallic, roughness)).toEqual({
        made: { metallic: 0.5, roughness: 0.75, metallicRoughnessTexture: null },
        leftOut: LOSSES,
      });
    }
  });

  it('keeps the roughness texture if a metallic texture with constant 0 is dropped', () => {
    expect(both(slot('r', {}, 0), slot('g', {}, 1))).toEqual({
      made: { metallic: 0, roughness: 1, metallicRoughnessTexture: USE },
      leftOut: LOSSES,
    });
  });
});

describe('normalOf', () => {
  const normal = (given: SurfaceInput) => run((reportLoss) => normalOf(given, reportLoss));

  it('reads half the scale as the strength', () => {
    expect(normal(constant(0, 0, 1)).made).toEqual({ normalTexture: null, normalScale: 1 });
    const unpacked = { scale: [2, 2, 2, 1], bias: [-1, -1, -1, 0], colorSpace: 'raw' };
    expect(normal(slot('rgb', unpacked))).toEqual({ made: { normalTexture: USE, normalScale: 1 }, leftOut: [] });
    const flat = { scale: [-1, -1, 2, 1], bias: [0.5, 0.5, -1, 0], colorSpace: 'raw' };
    expect(normal(slot('rgb', flat)).made.normalScale).toBe(-0.5);
  });

  it('accepts textures without the expected scale and bias, and drops single channels', () => {
    expect(normal(slot('rgb', { colorSpace: 'sRGB' }))).toEqual({
      made: { normalTexture: USE, normalScale: 1 },
      leftOut: [
        'Normal maps are declared as sRGB; they were read as linear (raw)',
        'Normal maps do not have the scale (2, 2, 2, 1) and the bias (-1, -1, -1, 0); they were read as if they had',
      ],
    });
    expect(normal(slot('r'))).toEqual({
      made: { normalTexture: null, normalScale: 1 },
      leftOut: ['Normal maps use only the channel r, which is not supported; they were dropped'],
    });
  });
});

describe('occlusionOf', () => {
  const occlusion = (given: SurfaceInput) => run((reportLoss) => occlusionOf(given, reportLoss));
  const none = { occlusionTexture: null, occlusionStrength: 1 };

  it('reads the red channel, and the scale as the strength if scale and bias add up to 1', () => {
    expect(occlusion(slot('r', { scale: [0.25, 1, 1, 1], bias: [0.75, 0, 0, 0] }, 1))).toEqual({
      made: { occlusionTexture: USE, occlusionStrength: 0.25 },
      leftOut: [],
    });
    expect(occlusion(slot('b', { isGray: true }, 1)).made.occlusionTexture).toEqual(USE);
  });

  it('drops what glTF cannot represent', () => {
    expect(occlusion(constant(1))).toEqual({ made: none, leftOut: [] });
    expect(occlusion(constant(0.5)).leftOut).toEqual([
      'Occlusion has no texture, which is not supported; it was dropped',
    ]);
    expect(occlusion(slot('g', {}, 1))).toEqual({
      made: none,
      leftOut: ['Textures of occlusion use the channel g instead of r and were dropped'],
    });
    expect(occlusion(slot('r', { scale: [0.5, 1, 1, 1] }, 1))).toEqual({
      made: { occlusionTexture: USE, occlusionStrength: 1 },
      leftOut: ['Textures of occlusion have a scale and bias that do not add up to 1; both were ignored'],
    });
  });
});
