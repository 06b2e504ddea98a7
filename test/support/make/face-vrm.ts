/** Makes VRM files of the demo character with a face: morph targets, expressions, look-at. */
import { ARKIT_SHAPES, type ArkitShape } from '../../../src/core/face/shapes.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { UNREAL_RIG, VRM0_RIG, VRM1_RIG } from '../../../src/demo/characters/rigs.ts';
import { characterDocument, glbBytes } from '../../../src/demo/files/glb.ts';
import { vrm0Document, vrm1Document } from '../../../src/demo/files/vrm.ts';
import { appendAccessor } from '../../../src/formats/gltf/accessors/append-accessor.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';
import { appendClips } from '../../../src/formats/gltf/write/write-clips.ts';

export interface FaceVrmOptions {
  readonly version: '0' | '1';
  readonly lookAtType: 'bone' | 'expression';
  /** Override rule between the expressions; none by default. */
  readonly rule?: 'isBinary' | 'blend' | 'block' | 'binaryOverridden';
}

/** Morph targets of the face, in the order of `TARGETS`; each expression is bound to some of them. */
export const TARGETS = ['Joy', 'Lids', 'Open', 'Frown', 'Smirk', 'Brows', 'Up', 'Down', 'Left', 'Right'] as const;

type Bind = readonly [mesh: 0 | 1, target: number, weight: number];

const BINDS: readonly (readonly [vrm1: string, vrm0: string, binds: readonly Bind[]])[] = [
  [
    'happy',
    'joy',
    [
      [0, 0, 1],
      [0, 1, 0.5],
    ],
  ],
  ['blink', 'blink', [[0, 1, 1]]],
  [
    'aa',
    'a',
    [
      [0, 2, 0.8],
      [1, 0, 1],
    ],
  ],
  ['angry', 'angry', [[0, 3, 1]]],
  [
    'smirk',
    'unknown',
    [
      [0, 4, 0.6],
      [0, 0, 0.3],
    ],
  ],
  [
    'surprised',
    '',
    [
      [0, 5, 1],
      [0, 2, 0.4],
    ],
  ],
  ['lookUp', 'lookup', [[0, 6, 1]]],
  ['lookDown', 'lookdown', [[0, 7, 1]]],
  ['lookLeft', 'lookleft', [[0, 8, 1]]],
  ['lookRight', 'lookright', [[0, 9, 1]]],
];

/** Degrees of the look-at ranges: inner, outer, down, up. For bones three-vrm uses down for up, so both are equal there. */
const RANGES = {
  bone: [
    [90, 10],
    [60, 16],
    [70, 12],
    [70, 12],
  ],
  expression: [
    [90, 1],
    [60, 0.8],
    [70, 1],
    [45, 0.9],
  ],
} as const;

/** Adds a node with a triangle that has morph targets. Returns its index. */
function addMorphNode(doc: GltfDocument, name: string, targets: readonly string[], weights: readonly number[]): number {
  const [position, ...morphs] = Array.from({ length: targets.length + 1 }, (_, k) => {
    return appendAccessor(doc, Float32Array.of(0, 0, k, 1, 0, 0, 0, 1, 0), { type: 'VEC3', minMax: true });
  });
  const meshes = doc.json['meshes'] as unknown[];
  const nodes = doc.json['nodes'] as unknown[];
  const mesh: JsonObject = {
    name,
    primitives: [{ attributes: { POSITION: position }, targets: morphs.map((index) => ({ POSITION: index })) }],
    weights: [...weights],
    extras: { targetNames: [...targets] },
  };
  nodes.push({ name, mesh: meshes.push(mesh) - 1 });
  ((doc.json['scenes'] as JsonObject[])[0]['nodes'] as number[]).push(nodes.length - 1);
  return nodes.length - 1;
}

/**
 * Returns a GLB of the demo character with a node `Head` that has the ARKit blend shapes, and a clip of one second with these weights;
 * without weights no clip.
 */
export function makeArkitGlb(weights: Readonly<Record<string, readonly number[]>>): Uint8Array {
  const doc = characterDocument(makeCharacter(UNREAL_RIG));
  const node = addMorphNode(
    doc,
    'Head',
    ARKIT_SHAPES,
    ARKIT_SHAPES.map(() => 0),
  );
  const count = ARKIT_SHAPES.length;
  const keys = Object.values(weights)[0]?.length ?? 0;
  if (keys === 0) return glbBytes(doc);
  const values = new Float32Array(keys * count);
  for (const [name, list] of Object.entries(weights)) {
    for (const [k, weight] of list.entries()) values[k * count + ARKIT_SHAPES.indexOf(name as ArkitShape)] = weight;
  }
  const times = Float32Array.from({ length: keys }, (_, k) => k / (keys - 1));
  const morph = {
    sourceNode: node,
    nodeName: 'Head',
    targetCount: count,
    interpolation: 'LINEAR' as const,
    times,
    values,
  };
  const clip = { name: 'talk', duration: 1, tracks: [] };
  appendClips(doc, [{ name: 'talk', clip, sourceNodes: [], morphs: [morph] }]);
  return glbBytes(doc);
}

/** Returns a GLB with the nodes `Face`, with {@link TARGETS}, and `Teeth`, with one target. */
export function makeFaceVrm({ version, lookAtType, rule }: FaceVrmOptions): Uint8Array {
  const doc = version === '0' ? vrm0Document(makeCharacter(VRM0_RIG)) : vrm1Document(makeCharacter(VRM1_RIG));
  const rest = TARGETS.map(() => 0);
  const nodes = [addMorphNode(doc, 'Face', TARGETS, rest), addMorphNode(doc, 'Teeth', ['Down'], [0])];
  const meshes = nodes.map((node) => (doc.json['nodes'] as { mesh: number }[])[node].mesh);
  const extensions = doc.json['extensions'] as Record<string, Record<string, unknown>>;
  const ranges = RANGES[lookAtType];
  if (version === '0') {
    const blendShapeGroups = BINDS.flatMap(([name, presetName, binds]) =>
      presetName === ''
        ? []
        : [
            {
              name,
              presetName,
              binds: binds.map(([k, index, weight]) => ({ mesh: meshes[k], index, weight: 100 * weight })),
            },
          ],
    );
    const map = ([xRange, yRange]: readonly [number, number]) => ({ curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange, yRange });
    extensions['VRM']['blendShapeMaster'] = { blendShapeGroups };
    extensions['VRM']['firstPerson'] = {
      lookAtTypeName: lookAtType === 'bone' ? 'Bone' : 'BlendShape',
      lookAtHorizontalInner: map(ranges[0]),
      lookAtHorizontalOuter: map(ranges[1]),
      lookAtVerticalDown: map(ranges[2]),
      lookAtVerticalUp: map(ranges[3]),
    };
    return glbBytes(doc);
  }
  const expressions = new Map(
    BINDS.map(([name, , binds]) => {
      const morphTargetBinds = binds.map(([k, index, weight]) => ({ node: nodes[k], index, weight }));
      return [name, { morphTargetBinds } as JsonObject];
    }),
  );
  const edit = (name: string, members: JsonObject) => Object.assign(expressions.get(name) as JsonObject, members);
  if (rule === 'isBinary') edit('happy', { isBinary: true });
  if (rule === 'blend') edit('happy', { overrideBlink: 'blend', overrideMouth: 'blend' });
  if (rule === 'block') edit('angry', { overrideMouth: 'block', overrideLookAt: 'block' });
  if (rule === 'binaryOverridden') {
    edit('happy', { overrideBlink: 'blend' });
    edit('blink', { isBinary: true });
  }
  const preset = Object.fromEntries([...expressions].filter(([name]) => name !== 'smirk'));
  const map = ([inputMaxValue, outputScale]: readonly [number, number]) => ({ inputMaxValue, outputScale });
  Object.assign(extensions['VRMC_vrm'], {
    expressions: { preset, custom: { smirk: expressions.get('smirk') } },
    lookAt: {
      type: lookAtType,
      offsetFromHeadBone: [0, 0.07, 0.03],
      rangeMapHorizontalInner: map(ranges[0]),
      rangeMapHorizontalOuter: map(ranges[1]),
      rangeMapVerticalDown: map(ranges[2]),
      rangeMapVerticalUp: map(ranges[3]),
    },
  });
  return glbBytes(doc);
}
