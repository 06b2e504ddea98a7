import type { Geometry } from '../../core/asset/geometry.ts';
import type { FaceRig, MorphNode } from '../../core/face/face-rig.ts';
import type { Issue } from '../../core/report/issue.ts';
import { adapterOf } from '../adapters/adapters.ts';
import type { OpenFile } from '../open-file.ts';

export function readFaceRig(file: OpenFile, issues: Issue[]): FaceRig {
  return adapterOf(file).readFace?.(file, issues) ?? { morphNodes: [], expressions: [], lookAt: null };
}

/** Creates the face rig of a character that is not glTF: its morph targets by name. */
export function faceRigOfGeometry({ instances, meshes, nodes, sourceNodes }: Geometry): FaceRig {
  const morphNodes = instances.flatMap(({ node, mesh, morphWeights }): MorphNode[] => {
    const { morphNames, morphWeights: weights } = meshes[mesh];
    if (morphNames.length === 0) return [];
    const isNamed = morphNames.some((name) => name !== '');
    return [
      {
        node: sourceNodes[node],
        name: nodes.names[node],
        targetNames: isNamed ? morphNames : null,
        weights: Float64Array.from(morphWeights ?? weights),
      },
    ];
  });
  return { morphNodes, expressions: [], lookAt: null };
}
