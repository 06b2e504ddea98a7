/** Makes a VRM 1.0 of a document whose character is in a T-pose, faces +Z and is in meters. */

import type { FaceRig } from '../../../core/face/face-rig.ts';
import { findFaceShape } from '../../../core/face/find-face-shape.ts';
import { type FaceSource, planFace } from '../../../core/face/plan-face.ts';
import { ARKIT_SHAPES, presetToShape, shapeToPreset, VRM_PRESETS } from '../../../core/face/shapes.ts';
import { BONE } from '../../../core/humanoid/bones.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { useExtension } from '../document/extensions-used.ts';
import { arrayAt, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { objectOf } from '../document/loose-json.ts';
import { readFace } from '../read/read-face.ts';
import { readNodes } from '../read/read-nodes.ts';
import { humanoidToVrm1 } from './humanoid-bones.ts';
import { pointInNode } from './look-at.ts';
import { clamp, tidy } from './vrm-values.ts';

/** Position of the eyes above the head, meters, where a character has no eye bones: the example of lookAt.md. */
const EYES_ABOVE_HEAD = [0, 0.06, 0] as const;
/** Range of the eyes: the example of lookAt.md. */
const BONE_RANGE = { inputMaxValue: 90, outputScale: 10 };
const EXPRESSION_RANGE = { inputMaxValue: 90, outputScale: 1 };
const KEYS = { interpolation: 'LINEAR', times: Float32Array.of(0), values: Float32Array.of(1) } as const;

function bind(node: number, index: number, weight: number): JsonObject {
  return { node, index, weight: clamp(tidy(weight), 0, 1) };
}

/** Presets by the names of morph targets, in any naming convention, or by recipes of other shapes. */
function presetsOf(rig: FaceRig): Map<string, JsonObject[]> {
  const sources = VRM_PRESETS.map((name): FaceSource => {
    return { name, match: { shape: presetToShape(name), parts: 1 }, kind: 'expression', keys: KEYS };
  });
  const binds = new Map<string, JsonObject[]>();
  for (const { node, target, terms } of planFace(sources, rig).morphs) {
    for (const { source, factor } of terms) {
      const { name } = sources[source];
      binds.set(name, [...(binds.get(name) ?? []), bind(node, target, factor)]);
    }
  }
  return binds;
}

/** Shapes of ARKit without a preset, as custom expressions of their names. */
function customsOf({ morphNodes }: FaceRig): Map<string, JsonObject[]> {
  const binds = new Map<string, JsonObject[]>();
  for (const { node, targetNames } of morphNodes) {
    (targetNames ?? []).forEach((name, target) => {
      const match = findFaceShape(name);
      if (match === null || match.parts !== 1 || shapeToPreset(match.shape) !== null) return;
      if (!(ARKIT_SHAPES as readonly string[]).includes(match.shape)) return;
      binds.set(match.shape, [...(binds.get(match.shape) ?? []), bind(node, target, 1)]);
    });
  }
  return binds;
}

function expressionsOf(rig: FaceRig): JsonObject {
  const listed = (binds: Map<string, JsonObject[]>): JsonObject =>
    Object.fromEntries(Array.from(binds, ([name, morphTargetBinds]) => [name, { morphTargetBinds }]));
  const [preset, custom] = [listed(presetsOf(rig)), listed(customsOf(rig))];
  return {
    ...(Object.keys(preset).length > 0 ? { preset } : {}),
    ...(Object.keys(custom).length > 0 ? { custom } : {}),
  };
}

function lookAtOf(doc: GltfDocument, bones: Int32Array, expressions: JsonObject): JsonObject {
  const forest = readNodes(doc, []);
  const head = bones[BONE.head];
  const eyes = [bones[BONE.leftEye], bones[BONE.rightEye]].filter((node) => node >= 0);
  const presets = objectOf(expressions, 'preset');
  const looks = ['lookUp', 'lookDown', 'lookLeft', 'lookRight'].some((name) => presets[name] !== undefined);
  const isBone = eyes.length > 0 || !looks;
  const range = isBone ? BONE_RANGE : EXPRESSION_RANGE;
  const points = eyes.map((eye) => pointInNode(forest, [0, 0, 0], eye, head));
  const middle = [0, 1, 2].map((c) => points.reduce((sum, point) => sum + point[c], 0) / points.length);
  return {
    offsetFromHeadBone: eyes.length > 0 ? middle : aboveHead(forest, head),
    type: isBone ? 'bone' : 'expression',
    rangeMapHorizontalInner: range,
    rangeMapHorizontalOuter: range,
    rangeMapVerticalDown: range,
    rangeMapVerticalUp: range,
  };
}

/** The default position of the eyes, in the axes of the head. */
function aboveHead(forest: ReturnType<typeof readNodes>, head: number): number[] {
  const zero = pointInNode(forest, [0, 0, 0], -1, head);
  return pointInNode(forest, EYES_ABOVE_HEAD, -1, head).map((value, c) => value - zero[c]);
}

/**
 * Adds VRMC_vrm 1.0 to a document: humanoid, metadata, expressions from the names of morph targets, look-at from the eyes,
 * and first-person annotations.
 */
export function createVrm(doc: GltfDocument, bones: Int32Array, meta: JsonObject, issues: Issue[]): void {
  const { json } = doc;
  const expressions = expressionsOf(readFace(doc).rig);
  const meshAnnotations = arrayAt(json, 'nodes', '').flatMap((node, n) =>
    isObject(node) && memberAt(node, 'mesh') !== undefined ? [{ node: n, type: 'auto' }] : [],
  );
  const extensions = objectOf(json, 'extensions');
  extensions['VRMC_vrm'] = {
    specVersion: '1.0',
    meta,
    humanoid: humanoidToVrm1(bones, issues),
    firstPerson: { meshAnnotations },
    lookAt: lookAtOf(doc, bones, expressions),
    expressions,
  };
  json['extensions'] = extensions;
  useExtension(json, 'VRMC_vrm');
}
