/** Assets of USD text for tests of clips. */
import type { Track } from '../../../../src/core/animation/clip.ts';
import type { Asset, AssetClip } from '../../../../src/core/asset/asset.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import { stageOf } from '../skel/scene.ts';

const IDENTITY = '((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))';

/** One second is one time code. */
export const HEAD = '#usda 1.0\n(\n timeCodesPerSecond = 1\n)\n';

/** A Skeleton of joints that rest in the origin; `more` are its other statements. */
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

/** A SkelAnimation of joints; of what is left out there are defaults that are the rest. */
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

/** The asset of a text in which a second is a time code. */
export function assetOf(text: string): Asset {
  return readUsdAsset(readUsdScene(stageOf(HEAD + text)));
}

/** The asset of a skeleton with the joints `A` and `A/B`, and the attributes of its animation. */
export function animated(...attributes: readonly string[]): Asset {
  const joints = ['A', 'A/B'];
  const body = skeletonText('Skel', joints, 'rel skel:animationSource = </Root/Anim>');
  return assetOf(`def SkelRoot "Root" {${body}${animationText('Anim', joints, ...attributes)}}`);
}

/** Tracks as plain data, nodes by name. */
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
