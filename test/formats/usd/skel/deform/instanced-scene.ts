/** A crowd in one file: instances of one SkelRoot, each with an animation of its own. */

const API = 'prepend apiSchemas = ["SkelBindingAPI"]';
const move = (x: number, y: number): string => `((1,0,0,0),(0,1,0,0),(0,0,1,0),(${x},${y},0,1))`;

/** Turns about z and moves, other ones for each animation. */
function animation(index: number): string {
  const half = 0.1 + 0.01 * index;
  const turn = `(${Math.cos(half)}, 0, 0, ${Math.sin(half)})`;
  return `def SkelAnimation "A${index}" {
    uniform token[] joints = ["a", "a/b"]
    float3[] translations.timeSamples = { 0: [(0, 0, 0), (0, 1, 0)], 10: [(${index}, 0, 1), (0, 1.5, 0)] }
    quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0), (1, 0, 0, 0)], 10: [(1, 0, 0, 0), ${turn}] }
    half3[] scales.timeSamples = { 0: [(1, 1, 1), (1, 1, 1)], 10: [(1, 1, 1), (1, ${1 + index / 100}, 1)] }
  }`;
}

export interface InstancedSceneOptions {
  /** What the mesh of the prototype says besides. */
  readonly mesh?: string;
  readonly normals?: string;
  /** What an instance says besides. */
  readonly instance?: (index: number) => string;
}

const NORMALS = 'normal3f[] normals = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] (interpolation = "vertex")';

/** `count` instances `/Crowd/I0…` of the class `/Proto`: a skeleton of two joints and a mesh of three points with normals. */
export function instancedSceneText(
  count: number,
  { mesh = '', normals = NORMALS, instance = () => '' }: InstancedSceneOptions = {},
): string {
  const indices = Array.from({ length: count }, (_, index) => index);
  return `
    class SkelRoot "Proto" (${API}) {
      rel skel:skeleton = </Proto/S>
      def Skeleton "S" {
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [${move(0, 0)}, ${move(0, 1)}]
        uniform matrix4d[] restTransforms = [${move(0, 0)}, ${move(0, 1)}]
      }
      def Mesh "M" (${API}) {
        point3f[] points = [(0, 0, 0), (0, 1, 0), (0, 2, 0.5)]
        ${normals}
        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 1, 0] (elementSize = 2
          interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 0, 0.25, 0.75, 1, 0] (elementSize = 2
          interpolation = "vertex")
        matrix4d primvars:skel:geomBindTransform = ${move(0.5, 0)}
        ${mesh}
      }
    }
    def Scope "Animations" {
      ${indices.map(animation).join('\n')}
    }
    def Xform "Crowd" {
      ${indices
        .map(
          (index) => `def "I${index}" (${API}
        instanceable = true
        references = </Proto>) {
        rel skel:animationSource = </Animations/A${index}>
        ${instance(index)}
      }`,
        )
        .join('\n')}
    }`;
}
