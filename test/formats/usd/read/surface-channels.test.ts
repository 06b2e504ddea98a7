import { describe, expect, it } from 'vitest';
import type { ShadedTexture } from '../../../../src/formats/usd/read/read-texture.ts';
import {
  alphaOf,
  type Channel,
  colorOf,
  component,
  metallicRoughness,
  normalOf,
  occlusionOf,
  type Slot,
} from '../../../../src/formats/usd/read/surface-channels.ts';

const PLAIN: ShadedTexture = {
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

const constant = (...numbers: number[]): Slot => ({ channel: null, constant: numbers });
const channel = (output: string, texture: Partial<ShadedTexture> = {}): Channel => ({
  output,
  texture: { ...PLAIN, ...texture },
});
const slot = (output: string, texture: Partial<ShadedTexture> = {}, ...numbers: number[]): Slot => ({
  channel: channel(output, texture),
  constant: numbers,
});

/** What a function makes, and what it left out. */
function run<Result>(make: (leaveOut: (what: string) => void) => Result): { made: Result; leftOut: string[] } {
  const leftOut: string[] = [];
  return { made: make((what) => leftOut.push(what)), leftOut };
}

it('channels are places among rgba, of rgb the first', () => {
  expect(['r', 'g', 'b', 'a', 'rgb'].map(component)).toEqual([0, 1, 2, 3, 0]);
});

describe('a color', () => {
  const color = (given: Slot) => run((leaveOut) => colorOf(given, 'diffuseColor', leaveOut));

  it('is a constant, or a texture with its scale as factor', () => {
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

  it('of one channel is a texture where the image is gray', () => {
    const gray = slot('g', { isGray: true, scale: [9, 0.5, 9, 9] }, 1, 1, 1);
    expect(color(gray).made).toMatchObject({ rgb: [0.5, 0.5, 0.5], use: USE });
    for (const given of [slot('g', {}, 1, 0, 1), slot('a', { isGray: true }, 1, 0, 1)]) {
      const { made, leftOut } = color(given);
      expect(made).toEqual({ rgb: [1, 0, 1], use: null, channel: null });
      expect(leftOut).toEqual([
        `Textures of diffuseColor of which only the channel ${given.channel?.output} is read were left out`,
      ]);
    }
  });

  it('has no bias, but one of roundings; one that is said to be linear is taken for sRGB', () => {
    expect(color(slot('rgb', { bias: [0, 0.1, 0, 0] }, 1, 1, 1))).toMatchObject({
      made: { use: null },
      leftOut: ['Textures of diffuseColor with a bias were left out'],
    });
    expect(color(slot('rgb', { bias: [0, 5e-5, 0, 0.5] }, 1, 1, 1))).toMatchObject({ made: { use: USE }, leftOut: [] });
    expect(color(slot('rgb', { colorSpace: 'raw' }, 1, 1, 1))).toMatchObject({
      made: { use: USE },
      leftOut: ['Textures of diffuseColor that are said to be linear (raw) are taken for sRGB'],
    });
  });
});

describe('opacity', () => {
  const diffuse = (given: Slot) => colorOf(given, 'diffuseColor', () => {});
  const alpha = (given: Slot, color: Slot) => run((leaveOut) => alphaOf(given, diffuse(color), leaveOut));
  const LEFT_OUT = ['Textures of opacity that are not the alpha of those of diffuseColor were left out'];

  it('is a number, or the alpha of the texture of the color', () => {
    expect(alpha(constant(0.5), constant(1, 1, 1))).toEqual({ made: { value: 0.5, use: null }, leftOut: [] });
    expect(alpha(slot('a', { scale: [1, 1, 1, 0.5] }, 1), slot('rgb', { scale: [0.1, 1, 1, 1] }))).toEqual({
      made: { value: 0.5, use: USE },
      leftOut: [],
    });
  });

  it('may be that of any texture beside black', () => {
    expect(alpha(slot('a', {}, 1), constant(0, 0, 0)).made.use).toEqual(USE);
    expect(alpha(slot('a', {}, 0.75), constant(0, 0, 1))).toEqual({
      made: { value: 0.75, use: null },
      leftOut: LEFT_OUT,
    });
  });

  it.each([
    ['another texture', slot('a', { texture: 1 }, 1)],
    ['other uvs', slot('a', { uvName: 'st1' }, 1)],
    ['another channel', slot('r', {}, 1)],
    ['a bias', slot('a', { bias: [0, 0, 0, 0.5] }, 1)],
  ])('is left out with %s', (_, given) => {
    expect(alpha(given, slot('rgb'))).toEqual({ made: { value: 1, use: null }, leftOut: LEFT_OUT });
  });
});

describe('metalness and roughness', () => {
  const both = (metallic: Slot, roughness: Slot) => run((leaveOut) => metallicRoughness(metallic, roughness, leaveOut));
  const LEFT_OUT = [
    'Textures of metallic and roughness that are not the green and the blue of one image were left out; pack them into one',
  ];

  it('are numbers, or the blue and the green of one texture with their scales', () => {
    expect(both(constant(0.25), constant(0.75))).toEqual({
      made: { metallic: 0.25, roughness: 0.75, metallicRoughnessTexture: null },
      leftOut: [],
    });
    expect(both(slot('b', { scale: [1, 1, 0.5, 1] }, 1), slot('g', { scale: [1, 0.25, 1, 1] }, 1))).toEqual({
      made: { metallic: 0.5, roughness: 0.25, metallicRoughnessTexture: USE },
      leftOut: [],
    });
  });

  it('of which one is 0 may have any texture for the other', () => {
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

  it('of which a constant would be multiplied with the texture of the other are left out', () => {
    for (const [metallic, roughness] of [
      [constant(0.5), slot('g', {}, 0.75)],
      [slot('b', {}, 0.5), constant(0.75)],
      [slot('b', {}, 0.5), slot('g', { texture: 1 }, 0.75)],
      [slot('r', {}, 0.5), slot('g', {}, 0.75)],
      [slot('b', { bias: [0, 0, 1, 0] }, 0.5), slot('g', {}, 0.75)],
    ]) {
      expect(both(metallic, roughness)).toEqual({
        made: { metallic: 0.5, roughness: 0.75, metallicRoughnessTexture: null },
        leftOut: LEFT_OUT,
      });
    }
  });

  it('keep the texture of roughness where a texture of no metal is left out', () => {
    expect(both(slot('r', {}, 0), slot('g', {}, 1))).toEqual({
      made: { metallic: 0, roughness: 1, metallicRoughnessTexture: USE },
      leftOut: LEFT_OUT,
    });
  });
});

describe('normals', () => {
  const normal = (given: Slot) => run((leaveOut) => normalOf(given, leaveOut));

  it('are unpacked by a scale and a bias, of which half the scale is the strength', () => {
    expect(normal(constant(0, 0, 1)).made).toEqual({ normalTexture: null, normalScale: 1 });
    const unpacked = { scale: [2, 2, 2, 1], bias: [-1, -1, -1, 0], colorSpace: 'raw' };
    expect(normal(slot('rgb', unpacked))).toEqual({ made: { normalTexture: USE, normalScale: 1 }, leftOut: [] });
    const flat = { scale: [-1, -1, 2, 1], bias: [0.5, 0.5, -1, 0], colorSpace: 'raw' };
    expect(normal(slot('rgb', flat)).made.normalScale).toBe(-0.5);
  });

  it('that are not unpacked so are taken as if they were; one channel is none', () => {
    expect(normal(slot('rgb', { colorSpace: 'sRGB' }))).toEqual({
      made: { normalTexture: USE, normalScale: 1 },
      leftOut: [
        'Normal maps that are said to be sRGB are taken for linear (raw)',
        'Normal maps without the scale (2, 2, 2, 1) and bias (-1, -1, -1, 0) are taken as if they had them',
      ],
    });
    expect(normal(slot('r'))).toEqual({
      made: { normalTexture: null, normalScale: 1 },
      leftOut: ['Normal maps of which only the channel r is read were left out'],
    });
  });
});

describe('occlusion', () => {
  const occlusion = (given: Slot) => run((leaveOut) => occlusionOf(given, leaveOut));
  const none = { occlusionTexture: null, occlusionStrength: 1 };

  it('is the red of a texture, its strength a scale that a bias fills up to 1', () => {
    expect(occlusion(slot('r', { scale: [0.25, 1, 1, 1], bias: [0.75, 0, 0, 0] }, 1))).toEqual({
      made: { occlusionTexture: USE, occlusionStrength: 0.25 },
      leftOut: [],
    });
    expect(occlusion(slot('b', { isGray: true }, 1)).made.occlusionTexture).toEqual(USE);
  });

  it('is left out as far as glTF has no place for it', () => {
    expect(occlusion(constant(1))).toEqual({ made: none, leftOut: [] });
    expect(occlusion(constant(0.5)).leftOut).toEqual(['Occlusion without a texture was left out']);
    expect(occlusion(slot('g', {}, 1))).toEqual({
      made: none,
      leftOut: ['Textures of occlusion of which only the channel g is read were left out'],
    });
    expect(occlusion(slot('r', { scale: [0.5, 1, 1, 1] }, 1))).toEqual({
      made: { occlusionTexture: USE, occlusionStrength: 1 },
      leftOut: ['The scale and bias of textures of occlusion were left out'],
    });
  });
});
