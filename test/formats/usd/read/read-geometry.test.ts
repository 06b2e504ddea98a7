import { describe, expect, it } from 'vitest';
import { plainNumbers, read, square } from './meshes.ts';

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

describe('the geometry of a USD stage', () => {
  it('has a mesh of triangles at the node of its prim', () => {
    const { geometry, told } = read(`def Xform "Top" {\n${square('Body')} }`);
    expect(told).toEqual([]);
    expect(geometry.instances).toEqual([{ node: 1, mesh: 0, skin: -1, morphWeights: null }]);
    expect(geometry.nodes.names).toEqual(['Top', 'Body']);
    expect([...geometry.sourceNodes]).toEqual([0, 1]);
    const [primitive] = geometry.meshes[0].primitives;
    expect(primitive.vertexCount).toBe(4);
    expect([...(primitive.indices ?? [])]).toHaveLength(6);
    expect(primitive).toMatchObject({ mode: 'triangles', normals: null, influences: null, material: -1, uvs: [] });
  });

  it('shares a mesh among instances, and gives those with other materials their own', () => {
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

  it('has a skin for each set of joints and bind matrices, shared by what has the same', () => {
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

  it('gives instances of a skeleton skins of their own with the same bind matrices', () => {
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

  it('writes constant influences out, merges joints that come twice and normalizes weights', () => {
    const { geometry, told } = read(
      skinned(
        square('Rigid', influences('[1]', '[1]', 1, 'constant'), BIND),
        square('Twice', influences('[1, 1, 0, 1, 0, 1, 0, 1]', '[0.5, 0.5, 1, 1, 0, 0, 1, 0]', 2), BIND),
      ),
    );
    const [rigid, twice] = geometry.meshes.map(({ primitives }) => primitives[0].influences);
    expect(rigid).toMatchObject({ kind: 'vertex', jointsPerVertex: 1 });
    expect([...(rigid?.indices ?? [])]).toEqual([1, 1, 1, 1]);
    expect(plainNumbers(twice?.weights ?? null)).toEqual([1, 0, 0.5, 0.5, 1, 0, 1, 0]);
    expect(told).toEqual([
      'GEOMETRY_REPAIRED Points have weights of joints that do not add up to 1; they were made to, as most players do: 2, the first at /Root/Twice.',
    ]);
  });

  it('leaves what unknown joints hold with the Skeleton prim', () => {
    const own = 'uniform token[] skel:joints = ["A", "Nobody"]';
    const { geometry, told } = read(
      skinned(square('Body', `${influences('[0, 1, 1, 0]', '[1, 1, 1, 1]')}\n${own}`, BIND)),
    );
    expect(Array.from(geometry.skins[0].joints, (node) => geometry.nodes.names[node])).toEqual(['A', 'Skel']);
    expect(told).toEqual(['USD_INFLUENCES_INVALID Joints that the skeleton lacks move nothing: 1, at /Root/Body.']);
  });

  it('keeps a mesh rigid whose influences are not valid, and skins linearly what wants dual quaternions', () => {
    const dual = 'token primvars:skel:skinningMethod = "dualQuaternion"';
    const { geometry, told } = read(
      skinned(
        square('Short', influences('[0, 1]', '[1, 1]'), BIND),
        square('Stray', influences('[0, 1, 2, 0]', '[1, 1, 1, 1]'), BIND),
        square('Dual', `${influences('[0, 1, 1, 0]', '[1, 1, 1, 1]')}\n${dual}`, BIND),
      ),
    );
    expect(geometry.instances.map(({ skin }) => skin)).toEqual([-1, -1, 0]);
    expect(told.map((message) => message.slice(0, 58))).toEqual([
      'USD_INFLUENCES_INVALID Joints do not move /Root/Short: the',
      'USD_INFLUENCES_INVALID Joints do not move /Root/Stray: an ',
      'GEOMETRY_DROPPED Dual quaternion skinning was taken as lin',
    ]);
  });

  it('skins a cube that joints hold', () => {
    const cube = `def Cube "Box" (\n${BIND}\n) {\n${influences('[1]', '[1]', 1, 'constant')} }`;
    const { geometry } = read(skinned(cube));
    expect(geometry.instances[0].skin).toBe(0);
    expect(geometry.meshes[0].primitives[0].influences?.indices).toEqual(new Uint16Array(24).fill(1));
  });

  it('has blend shapes and in-betweens as morph targets, with the weights of the default time', () => {
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
    const { geometry, told } = read(skinned(square('Face', shape, BIND)));
    expect(told).toEqual([]);
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

  it('is nothing for an empty stage', () => {
    const { geometry, told } = read('def Xform "Top" {\n}');
    expect(geometry.meshes).toEqual([]);
    expect(told).toEqual([]);
  });

  it.each([
    ['no points', 'int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]'],
    ['counts without corners', 'int[] faceVertexCounts = [2000000000, -1]\npoint3f[] points = [(0, 0, 0)]'],
    [
      'corners out of range',
      'int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, -7, 2147483647]\npoint3f[] points = [(0, 0, 0)]',
    ],
    [
      'values of other types',
      'token faceVertexCounts = "x"\nfloat2[] faceVertexIndices = [(0, 1)]\nstring points = "y"',
    ],
    ['nothing', ''],
  ])('leaves a mesh with %s out, and says so', (_, attributes) => {
    const { geometry, told } = read(`def Mesh "Bad" {\n${attributes}\n}`);
    expect(geometry.meshes).toEqual([]);
    expect(geometry.instances).toEqual([]);
    expect(told).toContain('USD_GEOMETRY Meshes without a triangle were left out: 1, at /Bad.');
  });

  it('refuses more joints a point than any body has', () => {
    const wide = influences(`[${Array(300).fill(0)}]`, `[${Array(300).fill(1)}]`, 300, 'constant');
    const { geometry, told } = read(skinned(square('Wide', wide, BIND)));
    expect(geometry.instances[0].skin).toBe(-1);
    expect(told[0]).toMatch(/300 joints a point; at most 256 are read/);
  });
});
