import { describe, expect, it } from 'vitest';

import { readUsdAsset } from '../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdGeometry } from '../../../../src/formats/usd/read/read-usd-geometry.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import type { UsdScene } from '../../../../src/formats/usd/read/scene.ts';
import { expectNear } from '../../../support/near.ts';
import { USD_STAGE_F64 } from '../../../support/tolerances.ts';
import { messagesOf, stageOf } from '../skel/scene.ts';

const IDENTITY = '((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))';
const moved = (x: number, y: number, z: number): string =>
  `((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (${x}, ${y}, ${z}, 1))`;

function sceneOf(text: string): UsdScene {
  return readUsdScene(stageOf(text));
}

/** Lists the nodes as paths of names. */
function paths({ nodes: { names, parents } }: UsdScene): string[] {
  const found: string[] = [];
  for (const [node, name] of names.entries()) found.push(parents[node] < 0 ? name : `${found[parents[node]]}/${name}`);
  return found;
}

function restOf({ nodes }: UsdScene, name: string): number[] {
  const node = nodes.names.indexOf(name);
  return [...nodes.rest.slice(10 * node, 10 * node + 10)];
}

describe('readUsdScene nodes', () => {
  it('contain imageable prims and their ancestors', () => {
    const scene = sceneOf(`
def Xform "World" {
  def Scope "Geo" {
    def Mesh "Body" {
      def GeomSubset "Part" {
      }
    }
  }
  def Scope "Materials" {
    def Material "Skin" {
      def Shader "Surface" {
      }
    }
  }
  def "Group" {
    def Camera "Eye" {
    }
  }
  def "Nothing" {
  }
  def Xform "Hidden" (active = false) {
  }
  over "Undefined" {
    def Mesh "Unreal" {
    }
  }
}
class Xform "Template" {
}
def SphereLight "Sun" {
}`);
    expect(paths(scene)).toEqual(['World', 'World/Geo', 'World/Geo/Body', 'World/Group', 'World/Group/Eye', 'Sun']);
    expect(scene.prims).toEqual([
      '/World',
      '/World/Geo',
      '/World/Geo/Body',
      '/World/Group',
      '/World/Group/Eye',
      '/Sun',
    ]);
    expect([...scene.joints]).toEqual([-1, -1, -1, -1, -1, -1]);
    expect(scene.issues).toEqual([]);
  });

  it('are named by displayName', () => {
    const scene = sceneOf('def Xform "a_b" (displayName = "a b/ü") {\n}\ndef Xform "c" (displayName = "") {\n}');
    expect(scene.nodes.names).toEqual(['a b/ü', 'c']);
  });

  it('have the rest transform at the default time, or at the first sample without default values', () => {
    const scene = sceneOf(`
def Xform "Default" {
  double3 xformOp:translate = (1, 2, 3)
  double3 xformOp:translate.timeSamples = { 5: (9, 9, 9) }
  token[] xformOpOrder = ["xformOp:translate"]
}
def Xform "Sampled" {
  double3 xformOp:translate.timeSamples = { 5: (4, 5, 6), 6: (0, 0, 0) }
  float3 xformOp:scale = (2, 2, 2)
  token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
}`);
    expectNear(restOf(scene, 'Default'), [1, 2, 3, 0, 0, 0, 1, 1, 1, 1], USD_STAGE_F64);
    expectNear(restOf(scene, 'Sampled'), [4, 5, 6, 0, 0, 0, 1, 2, 2, 2], USD_STAGE_F64);
  });

  it('are roots if they reset the transform stack', () => {
    const scene = sceneOf(`
def Xform "A" {
  double3 xformOp:translate = (1, 0, 0)
  token[] xformOpOrder = ["xformOp:translate"]
  def Xform "B" {
    double3 xformOp:translate = (2, 0, 0)
    token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]
    def Xform "C" {
    }
  }
}`);
    expect(paths(scene)).toEqual(['A', 'B', 'B/C']);
    expectNear(restOf(scene, 'B').slice(0, 3), [2, 0, 0], USD_STAGE_F64);
  });

  it('keep mirrors as negative scales; shear and non-finite transforms are repaired with issues', () => {
    const matrix = (rows: string): string =>
      `  matrix4d xformOp:transform = ${rows}\n  token[] xformOpOrder = ["xformOp:transform"]\n`;
    const scene = sceneOf(
      `def Xform "Mirror" {\n${matrix('((-1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))')}}\n` +
        `def Xform "Shear" {\n${matrix('((1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (3, 0, 0, 1))')}}\n` +
        `def Xform "Broken" {\n${matrix('((nan, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (inf, 0, 0, 1))')}}`,
    );
    expectNear(restOf(scene, 'Mirror'), [0, 0, 0, 0, 0, 0, 1, -1, 1, 1], USD_STAGE_F64);
    expect(restOf(scene, 'Shear')[0]).toBe(3);
    expect(restOf(scene, 'Broken')).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(messagesOf(scene.issues)).toEqual([
      'The transform of /Shear has shear. The closest translation, rotation and scale are used.',
      'The transform of /Broken is not finite. The identity is used instead. Export the file again.',
    ]);
  });
});

/** A SkelRoot with a skeleton of two joints and a mesh. */
function skinned(skeleton: string, mesh = ''): string {
  return `
def SkelRoot "Root" {
  def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"]) {
    uniform token[] joints = ["Hip", "Hip/Knee"]
    ${skeleton}
  }
  def Mesh "Body" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </Root/Skel>
    ${mesh}
  }
  def SkelAnimation "A" {
  }
  def SkelAnimation "B" {
  }
}`;
}
const REST = `uniform matrix4d[] restTransforms = [${moved(0, 3, 0)}, ${moved(0, -1, 0)}]`;
const BIND = `uniform matrix4d[] bindTransforms = [${moved(0, 3, 0)}, ${moved(0, 2, 0)}]`;

describe('readUsdScene joints', () => {
  it('are below their Skeleton, at rest and named by their paths', () => {
    const scene = sceneOf(skinned(REST + '\n' + BIND));
    expect(paths(scene)).toEqual(['Root', 'Root/Skel', 'Root/Skel/Hip', 'Root/Skel/Hip/Knee', 'Root/Body']);
    expect([...scene.joints]).toEqual([-1, -1, 0, 1, -1]);
    expect([...scene.nodes.joints]).toEqual([0, 0, 1, 1, 0]);
    expect(scene.prims[3]).toBe('/Root/Skel');
    expectNear(restOf(scene, 'Knee').slice(0, 3), [0, -1, 0], USD_STAGE_F64);
    const [{ node, jointNodes, bound, animated }] = scene.skeletons;
    expect([node, ...jointNodes]).toEqual([1, 2, 3]);
    expect(bound.map(({ prim }) => prim)).toEqual(['/Root/Body']);
    expect([animated.prim, animated.animation]).toEqual(['/Root/Skel', null]);
    expect(scene.issues).toEqual([]);
  });

  it('are named by jointNames, unless their number is wrong', () => {
    const named = (names: string): UsdScene =>
      sceneOf(skinned(`${REST}\n${BIND}\nuniform token[] jointNames = [${names}]`));
    expect(named('"hüfte", ""').nodes.names).toEqual(['Root', 'Skel', 'hüfte', 'Knee', 'Body']);
    const incomplete = named('"one"');
    expect(incomplete.nodes.names).toContain('Hip');
    expect(messagesOf(incomplete.issues)).toEqual([
      'Skeleton /Root/Skel has 1 jointNames for 2 joints. The names in the joint paths are used instead. Author one name per joint.',
    ]);
  });

  it('use the bind pose without a rest pose, and identities without both', () => {
    const bound = sceneOf(skinned(BIND));
    expectNear(restOf(bound, 'Knee').slice(0, 3), [0, -1, 0], USD_STAGE_F64);
    expect(messagesOf(bound.issues)).toContain(
      'Skeleton /Root/Skel has no rest pose. The bind pose is used instead. Author restTransforms, one matrix per joint.',
    );
    // The bind pose is that of the world.
    const half = 'float3 xformOp:scale = (0.5, 0.5, 0.5)\nuniform token[] xformOpOrder = ["xformOp:scale"]';
    const scaled = sceneOf(skinned(`${BIND}\n${half}`));
    expectNear(restOf(scaled, 'Hip').slice(7), [2, 2, 2], USD_STAGE_F64);
    expectNear(restOf(scaled, 'Knee').slice(0, 3), [0, -1, 0], USD_STAGE_F64);
    const bare = sceneOf(skinned(''));
    expectNear(restOf(bare, 'Hip'), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1], USD_STAGE_F64);
    expect(messagesOf(bare.issues).at(-1)).toMatch(/no rest pose and no bind pose\. All joints are at the origin/);
  });

  it('report the joint whose shear is dropped', () => {
    const shear = `uniform matrix4d[] restTransforms = [${IDENTITY}, ((1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]`;
    expect(messagesOf(sceneOf(skinned(`${shear}\n${BIND}`)).issues)).toEqual([
      'The transform of /Root/Skel, joint Knee, has shear. The closest translation, rotation and scale are used.',
    ]);
  });

  it('have no nodes if the skeleton is invalid, except for its prim', () => {
    const scene = sceneOf('def SkelRoot "R" {\n def Skeleton "S" {\n uniform token[] joints = ["A/B", "A"]\n }\n}');
    expect(paths(scene)).toEqual(['R', 'R/S']);
    expect(scene.skeletons).toEqual([]);
    expect(messagesOf(scene.issues)[0]).toMatch(/^Skeleton \/R\/S: joint 0 \(A\/B\)/);
  });

  it('have separate nodes for each instance, with a shared definition', () => {
    const scene = sceneOf(`
class SkelRoot "Proto" {
  def Skeleton "Skel" {
    uniform token[] joints = ["Hip"]
    uniform matrix4d[] restTransforms = [${IDENTITY}]
    uniform matrix4d[] bindTransforms = [${IDENTITY}]
  }
}
def "One" (instanceable = true
  inherits = </Proto>) {
}
def "Two" (instanceable = true
  inherits = </Proto>) {
}`);
    expect(paths(scene)).toEqual(['One', 'One/Skel', 'One/Skel/Hip', 'Two', 'Two/Skel', 'Two/Skel/Hip']);
    const [one, two] = scene.skeletons;
    expect([one.animated.prim, two.animated.prim]).toEqual(['/One/Skel', '/Two/Skel']);
    expect(one.animated.definition).toBe(two.animated.definition);
  });

  it('are repeated for each animation of their skeleton', () => {
    const text = `
def SkelRoot "Root" {
  def Skeleton "Skel" {
    uniform token[] joints = ["Hip"]
    uniform matrix4d[] restTransforms = [${IDENTITY}]
    uniform matrix4d[] bindTransforms = [${IDENTITY}]
  }
  def Mesh "M1" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </Root/Skel>
    rel skel:animationSource = </Root/A>
  }
  def Mesh "M2" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </Root/Skel>
    rel skel:animationSource = </Root/B>
  }
  def SkelAnimation "A" {
  }
  def SkelAnimation "B" {
  }
}`;
    const scene = sceneOf(text);
    expect(paths(scene)).toEqual([
      'Root',
      'Root/Skel',
      'Root/Skel/Hip',
      'Root/Skel',
      'Root/Skel/Hip',
      'Root/M1',
      'Root/M2',
    ]);
    expect(scene.skeletons.map(({ node, animated }) => [node, animated.animation?.prim])).toEqual([
      [1, '/Root/A'],
      [3, '/Root/B'],
    ]);
    expect(messagesOf(scene.issues)).toEqual([
      'No animation is bound at Skeleton /Root/Skel or its ancestors, where renderers look for it. /Root/A, which is bound at its meshes, is used instead. Bind it at the Skeleton too.',
    ]);
    const byRule = readUsdScene(stageOf(text), { animationBinding: 'skeleton' });
    expect(byRule.skeletons.map(({ animated }) => animated.animation)).toEqual([null]);
    expect(byRule.issues).toEqual([]);
  });
});

describe('readUsdScene with invalid blend shapes', () => {
  const text = `
class SkelRoot "Root" (prepend apiSchemas = ["SkelBindingAPI"]) {
  rel skel:skeleton = </Root/Skel>
  rel skel:animationSource = </Root/Smile>
  def Skeleton "Skel" {
  }
  def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    uniform token[] skel:blendShapes = ["smile", "none"]
    rel skel:blendShapeTargets = [</Root/M/Smile>, </Root/Skel>]
    def BlendShape "Smile" {
      uniform vector3f[] offsets = [(1, 0, 0), (1, 0, 0), (1, 0, 0)]
      uniform vector3f[] inbetweens:bad = [(1, 0, 0), (1, 0, 0), (1, 0, 0)] (weight = 1)
    }
  }
  ${['Smile', 'Grin']
    .map(
      (name) =>
        `def SkelAnimation "${name}" {\n uniform token[] blendShapes = ["smile"]\n float[] blendShapeWeights = [1]\n }`,
    )
    .join('\n')}
}
${['A', 'B'].map((name) => `def "${name}" (instanceable = true\n references = </Root>) {\n}\n`).join('')}`;

  it('reports them once, not again for clips, meshes or instances', () => {
    const scene = sceneOf(text);
    const messages = [
      'BlendShape /A/M/Smile: the in-between bad has weight 1, the weight of the primary shape; assign a different weight; it is ignored.',
      'skel:blendShapeTargets of /A/M targets /A/Skel, which is not a BlendShape; the target is ignored.',
    ];
    expect(messagesOf(scene.issues)).toEqual(messages);
    const asset = readUsdAsset(scene);
    expect(asset.clips.map(({ name, morphs }) => [name, morphs.length])).toEqual([
      ['Smile', 2],
      ['Grin', 2],
    ]);
    expect(messagesOf(asset.issues)).toEqual(messages);
    const { geometry, issues } = readUsdGeometry(scene, () => null);
    expect(geometry.meshes).toHaveLength(1);
    expect(issues).toEqual([]);
  });
});

describe('readUsdScene joint flags', () => {
  const scene = (meshes: string): UsdScene =>
    sceneOf(`def SkelRoot "R" {
  def Skeleton "S" {
    uniform token[] joints = ["a", "a/b", "a/b/tip"]
    uniform matrix4d[] bindTransforms = [${IDENTITY}, ${moved(0, 1, 0)}, ${moved(0, 2, 0)}]
    uniform matrix4d[] restTransforms = [${IDENTITY}, ${moved(0, 1, 0)}, ${moved(0, 1, 0)}]
  }
  ${meshes}
}`);
  const mesh = (name: string, own: string): string => `def Mesh "${name}" (apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    ${own}
    int[] primvars:skel:jointIndices = [0] (
      interpolation = "constant"
      elementSize = 1
    )
    float[] primvars:skel:jointWeights = [1] (
      interpolation = "constant"
      elementSize = 1
    )
  }`;
  const marked = ({ nodes }: UsdScene): string[] => nodes.names.filter((_, node) => nodes.joints[node] === 1);

  it('mark the joints in the joint orders of prims', () => {
    const own = (joints: string): string => `uniform token[] skel:joints = [${joints}]`;
    expect(marked(scene(mesh('M', own('"a/b"'))))).toEqual(['b']);
    expect(marked(scene(mesh('M', own('"a/b"')) + '\n' + mesh('N', own('"a"'))))).toEqual(['a', 'b']);
  });

  it('mark all joints if a prim has no joint order or no prim is skinned', () => {
    const own = 'uniform token[] skel:joints = ["a"]';
    expect(marked(scene(`${mesh('M', own)}\n${mesh('N', '')}`))).toEqual(['a', 'b', 'tip']);
    expect(marked(scene(''))).toEqual(['a', 'b', 'tip']);
    expect(
      marked(scene(`def Mesh "M" (apiSchemas = ["SkelBindingAPI"]) {\nrel skel:skeleton = </R/S>\n${own}\n}`)),
    ).toEqual(['a', 'b', 'tip']);
  });
});
