import { describe, expect, it } from 'vitest';
import { animationSite } from '../../../../src/formats/usd/write/animation-site.ts';
import { stageOf } from '../skel/scene.ts';

const BOUND = '(prepend apiSchemas = ["SkelBindingAPI"])';
const INSTANCE = '(instanceable = true\n references = </Lib>)';
const OWN = { parent: '/Crowd/A/S', holder: '/Crowd/A/S' };

function siteOf(text: string, skeletons = ['/Crowd/A/S'], lib = 'def Skeleton "S" {}') {
  return animationSite(stageOf(`class "Lib" {\n ${lib}\n}\n${text}`), skeletons[0], skeletons);
}

describe('where new animations of a Skeleton go', () => {
  it('is the Skeleton, where layers can say something about it', () => {
    expect(siteOf('def "Crowd" {\n def "A" (references = </Lib>) {}\n}')).toEqual(OWN);
  });

  it('is a Scope beside the instance that it is in, which is bound', () => {
    const crowd = (more = '') => `def "Crowd" {\n def "A" ${INSTANCE} {}\n${more}}`;
    expect(siteOf(crowd())).toEqual({ parent: '/Crowd/A_animations', holder: '/Crowd/A' });
    // Another prim has the name; a Scope of that name is from the time before.
    expect(siteOf(crowd('def Xform "A_animations" {}\n')).parent).toBe('/Crowd/A_animations_1');
    expect(siteOf(crowd('def Scope "A_animations" {}\n')).parent).toBe('/Crowd/A_animations');
  });

  it('is the Skeleton, and the end of the instance, where binding the instance would not do', () => {
    const crowd = `def "Crowd" {\n def "A" ${INSTANCE} {}\n}`;
    const inside = `def Skeleton "S" ${BOUND} {\n rel skel:animationSource = </Lib/Walk>\n}\n def SkelAnimation "Walk" {}`;
    expect(siteOf(crowd, undefined, inside)).toEqual(OWN);
    const two = 'def Skeleton "S" {}\n def Skeleton "T" {}';
    expect(siteOf(crowd, ['/Crowd/A/S', '/Crowd/A/T'], two)).toEqual(OWN);
    expect(siteOf(crowd, ['/Crowd/A/S'], two).holder).toBe('/Crowd/A');
    expect(siteOf(`def "A" ${INSTANCE} {}`, ['/A/S'])).toEqual({ parent: '/A/S', holder: '/A/S' });
  });
});
