/** Files of a small character with a humanoid map in each of the formats. */

import type { Asset } from '../../../../src/core/asset/asset.ts';
import { BONES, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { documentOf } from '../../../support/make/glb.ts';

/** A single chain would satisfy hips › spine › head, but arms are siblings. */
const PARENT: Record<string, string> = {
  spine: 'hips',
  head: 'spine',
  leftUpperArm: 'spine',
  leftLowerArm: 'leftUpperArm',
  leftHand: 'leftLowerArm',
  rightUpperArm: 'spine',
  rightLowerArm: 'rightUpperArm',
  rightHand: 'rightLowerArm',
  leftUpperLeg: 'hips',
  leftLowerLeg: 'leftUpperLeg',
  leftFoot: 'leftLowerLeg',
  rightUpperLeg: 'hips',
  rightLowerLeg: 'rightUpperLeg',
  rightFoot: 'rightLowerLeg',
  thumb1: 'leftHand',
  thumb2: 'thumb1',
  thumb3: 'thumb2',
};
const NAMES = ['hips', ...Object.keys(PARENT)];
export const NODES = NAMES.map((name): JsonObject => {
  const children = NAMES.flatMap((child, i) => (PARENT[child] === name ? [i] : []));
  return children.length > 0 ? { name, children } : { name };
});
export const node = (name: string): number => NAMES.indexOf(name);
export const REQUIRED: Record<string, { node: unknown }> = Object.fromEntries(
  REQUIRED_BONES.map((bone) => [bone, { node: node(bone) }]),
);

export type Bones = Record<string, { node: unknown }>;

export const kinds = {
  vrm0: (bones: Bones) => ({
    VRM: { humanoid: { humanBones: Object.entries(bones).map(([bone, item]) => ({ bone, ...item })) } },
  }),
  vrm1: (bones: Bones) => ({ VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: bones } } }),
  vrma: (bones: Bones) => ({ VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones: bones } } }),
} as const;
export type Kind = keyof typeof kinds;

export function read(kind: Kind, bones: Bones): Asset {
  return readGltf(documentOf({ nodes: NODES, extensions: kinds[kind](bones) }));
}

/** Names of the nodes of the bones of the declared humanoid. */
export function bonesOf(asset: Asset): Record<string, string> {
  const [{ skeleton, declared }] = asset.skeletons;
  const found: Record<string, string> = {};
  declared?.nodes.forEach((index, bone) => {
    if (index >= 0) found[BONES[bone]] = skeleton.names[index];
  });
  return found;
}

export const THUMBS_BY_OLD_NAMES = {
  leftThumbProximal: { node: node('thumb1') },
  leftThumbIntermediate: { node: node('thumb2') },
  leftThumbDistal: { node: node('thumb3') },
};
export const THUMBS = { leftThumbMetacarpal: 'thumb1', leftThumbProximal: 'thumb2', leftThumbDistal: 'thumb3' };
