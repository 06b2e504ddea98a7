import { describe, expect, it } from 'vitest';
import {
  type BindingOptions,
  readBindings,
  skeletonAnimation,
  skelRoots,
} from '../../../../src/formats/usd/skel/bindings.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, HAS_ASSETS } from '../../../assets.ts';
import { boundPrims, messagesOf, stageOf, stageOfFile } from './scene.ts';

/** Each binding as `skeleton < animation: prims`. */
function summary(stage: Stage, options: BindingOptions = {}): string[] {
  return skelRoots(stage).flatMap((root) =>
    readBindings(stage, root, options).bindings.map(
      ({ skeleton, animation, prims }) => `${skeleton} < ${animation}: ${prims.map(({ prim }) => prim).join(' ')}`,
    ),
  );
}

const API = '(prepend apiSchemas = ["SkelBindingAPI"])';

describe.skipIf(!HAS_ASSETS)('testUsdSkelCache', () => {
  const stage = HAS_ASSETS
    ? stageOfFile(asset('conformance/usd/openusd/pxr/usd/usdSkel/testenv/testUsdSkelCache/populate.usda'))
    : stageOf('');

  it.each([
    ['/AnimBinding/Scope/Inherit', '/Anim1'],
    ['/AnimBinding/Scope/Override', '/Anim2'],
    ['/AnimBinding/Scope/Block', null],
    ['/AnimBinding/Unbound', null],
    ['/AnimBinding/BoundToInactiveAnim', null],
    ['/AnimBinding/Instance/Inherit', '/Anim1'],
    ['/AnimBinding/Instance/Override', '/AnimBinding/Instance/Anim'],
  ])('the animation of %s is %s', (skeleton, animation) => {
    expect(skeletonAnimation(stage, skeleton)).toBe(animation);
  });

  it('skeletons are inherited; bound to none or to an inactive one is bound to nothing', () => {
    const { bindings, issues } = readBindings(stage, '/SkelBinding');
    expect(bindings.map(({ skeleton, prims }) => [skeleton, prims.map(({ prim }) => prim)])).toEqual([
      ['/Skel1', ['/SkelBinding/Scope/Inherit', '/SkelBinding/Instance/Inherit']],
      ['/Skel2', ['/SkelBinding/Scope/Override']],
      ['/SkelBinding/Instance/Skel', ['/SkelBinding/Instance/Override']],
    ]);
    expect(messagesOf(issues)).toEqual([]);
  });

  it.each([
    ['/SkelBinding/Scope/Inherit', '/SkelBinding/Scope', ['scope'], null, null],
    ['/SkelBinding/Scope/Override', '/SkelBinding/Scope/Override', ['override'], ['shape'], []],
    ['/SkelBinding/Instance/Inherit', '/SkelBinding/Instance', ['instance'], null, null],
    ['/SkelBinding/Instance/Override', '/SkelBinding/Instance/Override', ['override'], ['override'], []],
  ])(
    '%s has its skinning properties from %s, blend shapes of its own only',
    (prim, holder, joints, shapes, targets) => {
      const bounds = new Map(
        readBindings(stage, '/SkelBinding').bindings.flatMap(({ prims }) => prims.map((bound) => [bound.prim, bound])),
      );
      const bound = bounds.get(prim);
      expect(bound?.holders.get('primvars:skel:jointIndices')).toBe(holder);
      expect(bound?.holders.get('primvars:skel:jointWeights')).toBe(holder);
      expect(bound?.joints).toEqual(joints);
      expect(bound?.blendShapes).toEqual(shapes);
      expect(bound?.blendShapeTargets).toEqual(targets);
    },
  );
});

describe('bindings without the API schema', () => {
  it('count only where the rules are not strict, with a warning', () => {
    const stage = stageOf(`
      def SkelRoot "R" {
        rel skel:skeleton = </R/S>
        def Skeleton "S" {
        }
        def Mesh "M" {
        }
      }`);
    const { bindings, issues } = readBindings(stage, '/R');
    expect(bindings.length).toBe(1);
    expect(messagesOf(issues)).toEqual([
      '/R has skel:skeleton without the API schema SkelBindingAPI; it is taken, but players ignore it. Apply the schema.',
    ]);
    const strict = readBindings(stage, '/R', { isStrict: true });
    expect(strict.bindings).toEqual([]);
    expect(messagesOf(strict.issues)).toEqual([
      '/R has skel:skeleton without the API schema SkelBindingAPI; it is ignored. Apply the schema.',
    ]);
  });
});

/** The first example of the text of UsdSkel on where an animation is bound: the Skeleton stands outside of the bound prims. */
const SITES = `
def Skeleton "Skel" {
}
def SkelAnimation "Anim1" {
}
def SkelAnimation "Anim2" {
}
def SkelRoot "A" ${API} {
  rel skel:skeleton = </Skel>
  rel skel:animationSource = </Anim1>
  def Mesh "M" {
  }
  def Xform "C" ${API} {
    rel skel:animationSource = </Anim2>
    def Mesh "N" {
    }
  }
  def Xform "D" ${API} {
    rel skel:skeleton = </Skel>
    rel skel:animationSource = </Anim2>
    def Mesh "O" {
    }
  }
}`;

describe('where an animation is looked for', () => {
  it('is the Skeleton, as players have it, or the prim that binds it, as the documentation has it', () => {
    const stage = stageOf(SITES);
    expect(summary(stage)).toEqual(['/Skel < null: /A/M /A/C/N /A/D/O']);
    const bySite = ['/Skel < /Anim1: /A/M /A/C/N', '/Skel < /Anim2: /A/D/O'];
    expect(summary(stage, { animationBinding: 'bindingSite' })).toEqual(bySite);
    expect(summary(stage, { animationBinding: 'either' })).toEqual(bySite);
  });

  it('is either: the Skeleton counts where the site says nothing, not where it says none', () => {
    const scene = (site: string): Stage =>
      stageOf(`
        def SkelAnimation "Anim" {
        }
        def SkelRoot "R" ${API} {
          rel skel:skeleton = </R/S>
          ${site}
          def Skeleton "S" ${API} {
            rel skel:animationSource = </Anim>
          }
          def Mesh "M" {
          }
        }`);
    expect(summary(scene(''), { animationBinding: 'either' })).toEqual(['/R/S < /Anim: /R/M']);
    expect(summary(scene(''), { animationBinding: 'bindingSite' })).toEqual(['/R/S < null: /R/M']);
    const none = 'rel skel:animationSource = None';
    expect(summary(scene(none), { animationBinding: 'either' })).toEqual(['/R/S < null: /R/M']);
    expect(summary(scene(none))).toEqual(['/R/S < /Anim: /R/M']);
  });
});

describe('bindings', () => {
  it('are found below the outermost SkelRoot only; retyping it switches skinning off', () => {
    const text = `
      def Xform "W" {
        def SkelRoot "R" ${API} {
          rel skel:skeleton = </W/R/S>
          def Skeleton "S" {
          }
          def SkelRoot "Inner" {
            def Mesh "M" {
            }
          }
        }
        def Mesh "Outside" ${API} {
          rel skel:skeleton = </W/R/S>
        }
      }`;
    expect(skelRoots(stageOf(text))).toEqual(['/W/R']);
    expect(summary(stageOf(text))).toEqual(['/W/R/S < null: /W/R/Inner/M']);
    expect(skelRoots(stageOf(text.replaceAll('def SkelRoot', 'def Xform')))).toEqual([]);
  });

  it('do not go below a skinned prim, nor below a prim that cannot be seen', () => {
    const stage = stageOf(`
      def SkelRoot "R" ${API} {
        rel skel:skeleton = </R/S>
        def Skeleton "S" {
          def Mesh "BelowSkeleton" {
          }
        }
        def Mesh "M" {
          def Mesh "BelowMesh" {
          }
        }
        def "NoType" {
          def Mesh "BelowNoType" {
          }
        }
        def Material "Mat" {
          def Mesh "BelowMaterial" {
          }
        }
        class Mesh "Class" {
        }
        over "Over" {
        }
        def Camera "Cam" {
          def Sphere "BelowCamera" {
          }
        }
      }`);
    expect(summary(stage)).toEqual(['/R/S < null: /R/S/BelowSkeleton /R/M /R/Cam/BelowCamera']);
  });

  it('give one skeleton and mesh many animations by instances', () => {
    const copies = [1, 2, 3].map(
      (n) => `def "C${n}" (
          prepend apiSchemas = ["SkelBindingAPI"]
          instanceable = true
          prepend references = </Model>
        )
        {
          rel skel:animationSource = </A${n}>
        }`,
    );
    const stage = stageOf(`
      class SkelRoot "Model" ${API} {
        rel skel:skeleton = </Model/S>
        def Skeleton "S" {
        }
        def Mesh "M" {
        }
      }
      ${[1, 2, 3].map((n) => `def SkelAnimation "A${n}" {\n}`).join('\n')}
      ${copies.join('\n')}`);
    expect(summary(stage)).toEqual([1, 2, 3].map((n) => `/C${n}/S < /A${n}: /C${n}/M`));
  });

  it('with a wrong target are bound to nothing, with a reason', () => {
    const scene = (skeleton: string): Stage =>
      stageOf(`
        def Scope "Scope" {
        }
        def Skeleton "Off" (active = false) {
        }
        def SkelRoot "R" ${API} {
          rel skel:skeleton = </R/S>
          def Skeleton "S" {
          }
          def Xform "X" ${API} {
            rel skel:skeleton = ${skeleton}
            def Mesh "M" {
            }
          }
        }`);
    const told = (skeleton: string): string[] => messagesOf(readBindings(scene(skeleton), '/R').issues);
    expect(['</Gone>', '</Scope>', '</Off>', 'None', '[]'].flatMap((target) => summary(scene(target)))).toEqual([]);
    expect(told('</Gone>')).toEqual([
      'skel:skeleton of /R/X leads to /Gone, which is not there; expected a Skeleton. Nothing is bound.',
    ]);
    expect(told('</Scope>')).toEqual([
      'skel:skeleton of /R/X leads to /Scope, which is a Scope; expected a Skeleton. Nothing is bound.',
    ]);
    expect([...told('</Off>'), ...told('None'), ...told('[]')]).toEqual([]);
    expect(summary(scene('[</R/S>, </Gone>]'))).toEqual(['/R/S < null: /R/X/M']);
    expect(told('[</R/S>, </Gone>]')).toEqual(['skel:skeleton of /R/X has 2 targets; /R/S, the first, was taken.']);
  });

  it('follow relationships that lead to relationships', () => {
    const stage = stageOf(`
      def SkelRoot "R" ${API} {
        rel skel:skeleton = </R.other>
        custom rel other = </R/S>
        def Skeleton "S" {
        }
        def Mesh "M" {
        }
      }`);
    expect(summary(stage)).toEqual(['/R/S < null: /R/M']);
  });

  it('inherit each property for itself; a blocked one counts as not there', () => {
    const stage = stageOf(`
      def SkelRoot "R" ${API} {
        rel skel:skeleton = </R/S>
        uniform token[] skel:joints = ["a"]
        uniform token primvars:skel:skinningMethod = "dualQuaternion"
        def Skeleton "S" {
        }
        def Mesh "M" ${API} {
          uniform token[] skel:joints = None
          uniform token primvars:skel:skinningMethod = "classicLinear"
        }
      }`);
    const bound = boundPrims(stage).get('/R/M');
    expect([bound?.joints, bound?.method]).toEqual([['a'], 'classicLinear']);
  });
});
