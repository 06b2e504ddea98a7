import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { sceneSkeletons } from '../../../../../src/formats/usd/read/skeletons/scene-skeletons.ts';
import { messagesOf, stageOf } from '../../skel/scene.ts';

describe('sceneSkeletons', () => {
  it('lists bound skeletons, joined over several SkelRoots, then unbound ones', () => {
    const api = '(prepend apiSchemas = ["SkelBindingAPI"])';
    const stage = stageOf(`
def SkelRoot "R1" {
  def Skeleton "Free" ${api} {
    rel skel:animationSource = </Walk>
  }
  def Mesh "M" ${api} {
    rel skel:skeleton = </Shared>
  }
}
def SkelRoot "R2" {
  def Mesh "N" ${api} {
    rel skel:skeleton = </Shared>
  }
}
def Skeleton "Shared" ${api} {
  rel skel:animationSource = </Walk>
}
def Skeleton "Loose" {
}
def SkelAnimation "Walk" {
}`);
    const issues: Issue[] = [];
    const found = sceneSkeletons(stage, ['/R1/Free', '/Shared', '/Loose'], {}, issues);
    expect(found.map(({ skeleton, animation, prims }) => [skeleton, animation, prims.map(({ prim }) => prim)])).toEqual(
      [
        ['/Shared', '/Walk', ['/R1/M', '/R2/N']],
        ['/R1/Free', '/Walk', []],
        ['/Loose', null, []],
      ],
    );
    expect(messagesOf(issues)).toEqual([
      'Skeleton /Loose has no SkelRoot ancestor, so renderers do not skin meshes with it. Change the type of a common ancestor of the Skeleton and its meshes to SkelRoot.',
    ]);
  });
});
