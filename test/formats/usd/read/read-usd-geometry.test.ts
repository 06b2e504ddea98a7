import { describe, expect, it } from 'vitest';
import { plainNumbers, read, square } from './mesh-scene.ts';

const SKELETON = `def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"]) {
    uniform token[] joints = ["A", "A/B"]
    uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
    uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
    rel skel:animationSource = </Root/Anim>
  }
  def SkelAnimation "Anim" {
    uniform token[] blendShapes = ["wide"]
    float[] blendShapeWeights = [0.25]
  }`;
const BIND = 'prepend apiSchemas = ["SkelBindingAPI"]';

function skinned(...meshes: string[]): string {
  return `def SkelRoot "Root" {\n${SKELETON}\n${meshes.join('\n')} }`;
}

function influences(indices: string, weights: string, size = 1, interpolation = 'vertex'): string {
  return `rel skel:skeleton = </Root/Skel>
    int[] primvars:skel:jointIndices = ${indices} (
      interpolation = "${interpolation}"
      elementSize = ${size}
    )
    float[] primvars:skel:jointWeights = ${weights} (
      interpolation = "${interpolation}"
      elementSize = ${size}
    )`;
}

describe('readUsdGeometry', () => {
  it('reads a mesh of triangles at the node of its prim', () => {
    const { geometry, messages } = read(`def Xform "Top" {\n${square('Body')} }`);
    expect(messages).toEqual([]);
    expect(geometry.instances).toEqual([{ node: 1, mesh: 0, skin: -1, morphWeights: null }]);
    expect(geometry.nodes.names).toEqual(['Top', 'Body']);
    expect([...geometry.sourceNodes]).toEqual([0, 1]);
    const [primitive] = geometry.meshes[0].primitives;
    expect(primitive.vertexCount).toBe(4);
    expect([...(primitive.indices ?? [])]).toHaveLength(6);
    expect(primitive).toMatchObject({ mode: 'triangles', normals: null, influences: null, material: -1, uvs: [] });
  });

  it('shares a mesh among instances with the same material', () => {
    const { geometry } = read(`class "Proto" {
      ${square('Body')} }
      def Xform "A" (
        instanceable = true
        references = </Proto>
      ) {
      }
      def Xform "B" (
        instanceable = true
        references = </Proto>
      ) {
      }
      def Xform "C" (
        instanceable = true
        references = </Proto>
      ) {
        rel material:binding = </Red>
      }
      def Material "Red" {
      }`);
    expect(geometry.instances.map(({ mesh }) => mesh)).toEqual([0, 0, 1]);
    expect(geometry.meshes.map(({ primitives }) => primitives[0].material)).toEqual([-1, 0]);
  });

  it('shares a skin among meshes with the same joints and bind matrices', () => {
    const held = influences('[0, 1, 1, 0]', '[1, 1, 1, 1]');
    const moved = 'matrix4d primvars:skel:geomBindTransform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(5,0,0,1))';
    const { geometry } = read(
      skinned(
        square('One', held, BIND),
        square('Two', held, BIND),
        square('Moved', `${held}\n${moved}`, BIND),
        square('Own', `${held}\nuniform token[] skel:joints = ["A/B", "A"]`, BIND),
      ),
    );
    expect(geometry.instances.map(({ skin }) => skin)).toEqual([0, 0, 1, 2]);
    const [skin, other, own] = geometry.skins;
    const names = (joints: Int32Array): string[] => Array.from(joints, (node) => geometry.nodes.names[node]);
    expect(names(skin.joints)).toEqual(['A', 'B']);
    expect(names(own.joints)).toEqual(['B', 'A']);
    expect(plainNumbers(skin.inverseBindMatrices.slice(28, 32))).toEqual([0, -2, 0, 1]);
    expect(plainNumbers(other.inverseBindMatrices.slice(28, 32))).toEqual([5, -2, 0, 1]);
    expect([...geometry.nodes.joints]).toEqual(
      geometry.nodes.names.map((name) => (name === 'A' || name === 'B' ? 1 : 0)),
    );
  });

  it('creates separate skins with shared bind matrices for instances of a skeleton', () => {
    const held = influences('[0, 1, 1, 0]', '[1, 1, 1, 1]').replaceAll('/Root', '/Proto');
    const proto = skinned(square('One', held, BIND))
      .replaceAll('/Root', '/Proto')
      .replace('def SkelRoot "Root"', 'class SkelRoot "Proto"');
    const instance = (name: string): string => `def "${name}" (
      instanceable = true
      prepend references = </Proto>
    ) {
    }`;
    const { geometry } = read(`${proto}\n${instance('A')}\n${instance('B')}`);
    expect(geometry.instances.map(({ mesh, skin }) => [mesh, skin])).toEqual([
      [0, 0],
      [0, 1],
    ]);
    const [a, b] = geometry.skins;
    expect(b.inverseBindMatrices).toBe(a.inverseBindMatrices);
    expect([...a.joints].filter((joint) => b.joints.includes(joint))).toEqual([]);
  });

  it('expands constant influences, merges repeated joints and normalizes weights', () => {
    const { geometry, messages } = read(
      skinned(
        square('Rigid', influences('[1]', '[1]', 1, 'constant'), BIND),
        square('Twice', influences('[1, 1, 0, 1, 0, 1, 0, 1]', '[0.5, 0.5, 1, 1, 0, 0, 1, 0]', 2), BIND),
      ),
    );
    const [rigid, twice] = geometry.meshes.map(({ primitives }) => primitives[0].influences);
    expect(rigid).toMatchObject({ kind: 'vertex', jointsPerVertex: 1 });
    expect([...(rigid?.indices ?? [])]).toEqual([1, 1, 1, 1]);
    expect(plainNumbers(twice?.weights ?? null)).toEqual([1, 0, 0.5, 0.5, 1, 0, 1, 0]);
    expect(messages).toEqual([
      'GEOMETRY_REPAIRED The joint weights of points do not add up to 1 and were normalized (2 occurrences, the first at /Root/Twice).',
    ]);
  });

  it('skins points of unknown joints to the Skeleton prim', () => {
    const own = 'uniform token[] skel:joints = ["A", "Nobody"]';
    const { geometry, messages } = read(
      skinned(square('Body', `${influences('[0, 1, 1, 0]', '[1, 1, 1, 1]')}\n${own}`, BIND)),
    );
    expect(Array.from(geometry.skins[0].joints, (node) => geometry.nodes.names[node])).toEqual(['A', 'Skel']);
    expect(messages).toEqual([
      'USD_INFLUENCES_INVALID Joints of skel:joints are missing in the skeleton; their points follow the Skeleton prim (1 occurrence, at /Root/Body).',
    ]);
  });

  it('reads meshes with invalid influences as rigid, and dual quaternion skinning as linear', () => {
    const dual = 'token primvars:skel:skinningMethod = "dualQuaternion"';
    const { geometry, messages } = read(
      skinned(
        square('Short', influences('[0, 1]', '[1, 1]'), BIND),
        square('Stray', influences('[0, 1, 2, 0]', '[1, 1, 1, 1]'), BIND),
        square('Dual', `${influences('[0, 1, 1, 0]', '[1, 1, 1, 1]')}\n${dual}`, BIND),
      ),
    );
    expect(geometry.instances.map(({ skin }) => skin)).toEqual([-1, -1, 0]);
    expect(messages.map((message) => message.slice(0, 58))).toEqual([
      'USD_INFLUENCES_INVALID /Root/Short cannot be skinned: ther',
      'USD_INFLUENCES_INVALID /Root/Stray cannot be skinned: an i',
      'GEOMETRY_DROPPED Dual quaternion skinning is not supported',
    ]);
  });

  it('skins a Cube', () => {
    const cube = `def Cube "Box" (\n${BIND}\n) {\n${influences('[1]', '[1]', 1, 'constant')} }`;
    const { geometry } = read(skinned(cube));
    expect(geometry.instances[0].skin).toBe(0);
    expect(geometry.meshes[0].primitives[0].influences?.indices).toEqual(new Uint16Array(24).fill(1));
  });

  it('reads blend shapes and in-betweens as morph targets, with the weights at the default time', () => {
    const shape = `
      uniform token[] skel:blendShapes = ["wide"]
      rel skel:blendShapeTargets = </Root/Face/wide>
      rel skel:skeleton = </Root/Skel>
      def BlendShape "wide" {
        uniform vector3f[] offsets = [(1, 0, 0)]
        uniform int[] pointIndices = [2]
        uniform vector3f[] inbetweens:half = [(0, 0, 3)] (
          weight = 0.5
        )
      }`;
    const { geometry, messages } = read(skinned(square('Face', shape, BIND)));
    expect(messages).toEqual([]);
    const [mesh] = geometry.meshes;
    expect(mesh.morphNames).toEqual(['wide', 'wide/half']);
    expect(plainNumbers(mesh.morphWeights)).toEqual([0, 0.5]);
    const [{ positions, morphTargets }] = mesh.primitives;
    const [wide, half] = morphTargets;
    expect(wide.vertices).toHaveLength(1);
    const vertex = wide.vertices?.[0] ?? -1;
    expect(plainNumbers(positions.slice(3 * vertex, 3 * vertex + 3))).toEqual([1, 1, 0]);
    expect(plainNumbers(wide.positions)).toEqual([1, 0, 0]);
    expect(plainNumbers(half.positions)).toEqual([0, 0, 3]);
  });

  it('returns no meshes for an empty stage', () => {
    const { geometry, messages } = read('def Xform "Top" {\n}');
    expect(geometry.meshes).toEqual([]);
    expect(messages).toEqual([]);
  });

  it.each([
    ['no points', 'int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]'],
    ['counts without indices', 'int[] faceVertexCounts = [2000000000, -1]\npoint3f[] points = [(0, 0, 0)]'],
    [
      'indices out of range',
      'int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, -7, 2147483647]\npoint3f[] points = [(0, 0, 0)]',
    ],
    [
      'values of other types',
      'token faceVertexCounts = "x"\nfloat2[] faceVertexIndices = [(0, 1)]\nstring points = "y"',
    ],
    ['nothing', ''],
  ])('drops a mesh with %s, with an issue', (_, attributes) => {
    const { geometry, messages } = read(`def Mesh "Bad" {\n${attributes}\n}`);
    expect(geometry.meshes).toEqual([]);
    expect(geometry.instances).toEqual([]);
    expect(messages).toContain('USD_GEOMETRY Meshes contain no triangle and were dropped (1 occurrence, at /Bad).');
  });

  it('reads a mesh with too many joints per point as rigid', () => {
    const wide = influences(`[${Array(300).fill(0)}]`, `[${Array(300).fill(1)}]`, 300, 'constant');
    const { geometry, messages } = read(skinned(square('Wide', wide, BIND)));
    expect(geometry.instances[0].skin).toBe(-1);
    expect(messages[0]).toMatch(/300 joints per point, expected at most 256/);
  });
});
