/** Creates assets from USD text for tests of clips. */
import type { Track } from '../../../../src/core/animation/clip.ts';
import type { Asset, AssetClip } from '../../../../src/core/asset/asset.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import { stageOf } from '../skel/scene.ts';

const IDENTITY = '((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))';

/** Header of a layer in which a time code is one second. */
export const HEAD = '#usda 1.0\n(\n timeCodesPerSecond = 1\n)\n';

/** The text of a Skeleton whose joints are at the origin; `more`: further properties. */
export function skeletonText(name: string, joints: readonly string[], more = ''): string {
  const matrices = joints.map(() => IDENTITY).join(', ');
  return `
def Skeleton "${name}" (prepend apiSchemas = ["SkelBindingAPI"]) {
  uniform token[] joints = [${joints.map((joint) => `"${joint}"`).join(', ')}]
  uniform matrix4d[] restTransforms = [${matrices}]
  uniform matrix4d[] bindTransforms = [${matrices}]
  ${more}
}
`;
}

/** The text of a SkelAnimation. Missing attributes have default values that equal the rest pose. */
export function animationText(name: string, joints: readonly string[], ...attributes: readonly string[]): string {
  const list = (value: string): string => `[${joints.map(() => value).join(', ')}]`;
  const defaults = [
    `float3[] translations = ${list('(0, 0, 0)')}`,
    `quatf[] rotations = ${list('(1, 0, 0, 0)')}`,
    `half3[] scales = ${list('(1, 1, 1)')}`,
  ].filter((text) => !attributes.some((given) => given.split(/[.= ]/)[1] === text.split(' ')[1]));
  return `
def SkelAnimation "${name}" {
  uniform token[] joints = [${joints.map((joint) => `"${joint}"`).join(', ')}]
  ${[...defaults, ...attributes].join('\n  ')}
}
`;
}

/** Reads the asset of a text in which a time code is one second. */
export function assetOf(text: string): Asset {
  return readUsdAsset(readUsdScene(stageOf(HEAD + text)));
}

/** Reads the asset of a skeleton with the joints `A` and `A/B` and an animation with these attributes. */
export function animated(...attributes: readonly string[]): Asset {
  const joints = ['A', 'A/B'];
  const skeleton = skeletonText('Skel', joints, 'rel skel:animationSource = </Root/Anim>');
  return assetOf(`def SkelRoot "Root" {${skeleton}${animationText('Anim', joints, ...attributes)}}`);
}

/** Converts tracks to plain data, keyed by node name and path. */
export function tracksOf({ skeletons }: Asset, clip: AssetClip, skeleton = 0): Record<string, unknown> {
  const { names } = skeletons[skeleton].skeleton;
  const plain = ({ interpolation, times, values }: Track): unknown => [
    interpolation,
    Array.from(times),
    Array.from(values),
  ];
  return Object.fromEntries(
    clip.clips[skeleton].tracks.map((track) => [`${names[track.target]} ${track.path}`, plain(track)]),
  );
}
