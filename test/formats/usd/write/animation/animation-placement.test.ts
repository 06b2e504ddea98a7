import { describe, expect, it } from 'vitest';
import { animationPlacement } from '../../../../../src/formats/usd/write/add-animations.ts';
import { stageOf } from '../../skel/scene.ts';

const BOUND = '(prepend apiSchemas = ["SkelBindingAPI"])';
const INSTANCE = '(instanceable = true\n references = </Lib>)';
const OWN = { parent: '/Crowd/A/S', boundPrim: '/Crowd/A/S' };

function placementOf(text: string, skeletons = ['/Crowd/A/S'], lib = 'def Skeleton "S" {}') {
  return animationPlacement(stageOf(`class "Lib" {\n ${lib}\n}\n${text}`), skeletons[0], skeletons);
}

describe('animationPlacement', () => {
  it('returns a Skeleton outside of instances', () => {
    expect(placementOf('def "Crowd" {\n def "A" (references = </Lib>) {}\n}')).toEqual(OWN);
  });

  it('returns a Scope beside the instance that contains the Skeleton, and binds the instance', () => {
    const crowd = (more = '') => `def "Crowd" {\n def "A" ${INSTANCE} {}\n${more}}`;
    expect(placementOf(crowd())).toEqual({ parent: '/Crowd/A_animations', boundPrim: '/Crowd/A' });
    // A Scope with this name is from an earlier call; other prims are not reused.
    expect(placementOf(crowd('def Xform "A_animations" {}\n')).parent).toBe('/Crowd/A_animations_1');
    expect(placementOf(crowd('def Scope "A_animations" {}\n')).parent).toBe('/Crowd/A_animations');
  });

  it('returns the Skeleton if the instance cannot be bound', () => {
    const crowd = `def "Crowd" {\n def "A" ${INSTANCE} {}\n}`;
    const inside = `def Skeleton "S" ${BOUND} {\n rel skel:animationSource = </Lib/Walk>\n}\n def SkelAnimation "Walk" {}`;
    expect(placementOf(crowd, undefined, inside)).toEqual(OWN);
    const two = 'def Skeleton "S" {}\n def Skeleton "T" {}';
    expect(placementOf(crowd, ['/Crowd/A/S', '/Crowd/A/T'], two)).toEqual(OWN);
    expect(placementOf(crowd, ['/Crowd/A/S'], two).boundPrim).toBe('/Crowd/A');
    expect(placementOf(`def "A" ${INSTANCE} {}`, ['/A/S'])).toEqual({ parent: '/A/S', boundPrim: '/A/S' });
  });
});
