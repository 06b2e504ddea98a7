import { describe, expect, it } from 'vitest';
import { createJointMapper } from '../../../../src/core/skeleton/joint-mapper.ts';
import { createBindingRules, inheritedAnimation } from '../../../../src/formats/usd/skel/binding-rules.ts';
import {
  type BindingOptions,
  readBindings,
  skeletonAnimation,
  skelRoots,
} from '../../../../src/formats/usd/skel/bindings.ts';
import { hasBlendShapes } from '../../../../src/formats/usd/skel/bound-prim.ts';
import { weightsForMesh } from '../../../../src/formats/usd/skel/deform/apply-blend-shapes.ts';
import { mapFlags } from '../../../../src/formats/usd/skel/joint-transforms.ts';
import { readSkelAnimation } from '../../../../src/formats/usd/skel/skel-animation.ts';
import { primAt, type Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { stageOf as stageOfTexts } from '../stage/scene.ts';
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

describe.skipIf(!HAS_ASSETS)('readBindings (testUsdSkelCache)', () => {
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

  it('inherits skeletons; an empty or inactive target binds nothing', () => {
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
    '%s inherits its skinning properties from %s, but not its blend shapes',
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

  it('maps the blend shapes of an instance to its animation by name, in another order', () => {
    const bound = readBindings(stage, '/SkelBinding').bindings[2].prims[0];
    expect([bound.prim, hasBlendShapes(bound)]).toEqual(['/SkelBinding/Instance/Override', true]);
    const animation = inheritedAnimation(createBindingRules(stage, true), bound.prim);
    expect(animation).toBe('/Anim1');
    expect(skeletonAnimation(stage, '/SkelBinding/Instance/Skel')).toBe(animation);
    const { blendShapes } = readSkelAnimation(stage, '/Anim1');
    expect(blendShapes).toEqual(['override', 'shape']);
    const map = createJointMapper(blendShapes, bound.blendShapes ?? []);
    expect(mapFlags(map)).toEqual({ identity: false, sparse: false, null: false });
    expect([...weightsForMesh(map, [0.25, 0.75])]).toEqual([0.25]);
  });

  it('visits instance proxies and knows their prototype', () => {
    const targets = readBindings(stage, '/SkelBinding').bindings.flatMap(({ prims }) => prims.map(({ prim }) => prim));
    expect(targets.filter((prim) => primAt(stage, prim)?.isInstanceProxy)).toEqual([
      '/SkelBinding/Instance/Inherit',
      '/SkelBinding/Instance/Override',
    ]);
    expect(primAt(stage, '/AnimBinding/Instance/Anim')?.isInstanceProxy).toBe(true);
    expect(primAt(stage, '/Anim1')?.isInstanceProxy).toBe(false);
  });
});

describe('bindings without the API schema', () => {
  it('count with a warning, and only if not strict', () => {
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
      '/R has skel:skeleton, but SkelBindingAPI is not applied. It is used here, but other software ignores it. Apply the API schema.',
    ]);
    const strict = readBindings(stage, '/R', { isStrict: true });
    expect(strict.bindings).toEqual([]);
    expect(messagesOf(strict.issues)).toEqual([
      '/R has skel:skeleton, but SkelBindingAPI is not applied. It is ignored. Apply the API schema.',
    ]);
  });
});

/** The examples of the text of UsdSkel on where an animation is bound, each below a SkelRoot and with meshes. */
const TARGETS = ['Skeleton "Skel"', 'Skeleton "Skel1"', 'Skeleton "Skel2"', 'SkelAnimation "Anim"']
  .concat('SkelAnimation "Anim1"', 'SkelAnimation "Anim2"')
  .map((prim) => `def ${prim} {\n}`)
  .join('\n');
const xform = (name: string, body: string): string => `def Xform "${name}" ${API} {\n${body}\n}`;
const skeleton = (path: string): string => `rel skel:skeleton = <${path}>`;
const source = (path: string): string => `rel skel:animationSource = <${path}>`;
const mesh = (name: string): string => `def Mesh "${name}" {\n}`;
const examples: readonly [string, string, readonly string[], readonly string[]][] = [
  [
    'a model is instanced, with an animation of the instance',
    `class SkelRoot "Character" ${API} {
      ${skeleton('/Character/Skel')}
      def Skeleton "Skel" {
      }
      ${mesh('M')}
    }
    def "Instance" (
      prepend apiSchemas = ["SkelBindingAPI"]
      prepend references = </Character>
    ) {
      ${source('/Anim')}
    }`,
    // The skeleton stands below the instance, where both rules find the animation.
    ['/Instance/Skel < /Anim: /Instance/M'],
    ['/Instance/Skel < /Anim: /Instance/M'],
  ],
  [
    'one animation is inherited by two skeletons',
    `def SkelRoot "A" ${API} {
      ${source('/Anim')}
      ${xform('B', `${skeleton('/Skel1')}\n${mesh('M')}`)}
      ${xform('C', `${skeleton('/Skel2')}\n${mesh('M')}`)}
    }`,
    ['/Skel1 < /Anim: /A/B/M', '/Skel2 < /Anim: /A/C/M'],
    ['/Skel1 < null: /A/B/M', '/Skel2 < null: /A/C/M'],
  ],
  [
    'animations below the place where the skeleton is bound have no effect',
    `def SkelRoot "A" ${API} {
      ${skeleton('/Skel')}
      ${xform('B', `${source('/Anim1')}\n${mesh('M')}`)}
      ${xform('C', `${source('/Anim2')}\n${mesh('M')}`)}
    }`,
    ['/Skel < null: /A/B/M /A/C/M'],
    ['/Skel < null: /A/B/M /A/C/M'],
  ],
  [
    'one skeleton is bound twice, each time with its animation',
    `def SkelRoot "A" ${API} {
      ${skeleton('/Skel')}
      ${source('/Anim1')}
      ${mesh('M')}
      ${xform('B', `${source('/Anim2')}\n${mesh('M')}`)}
      ${xform('C', `${source('/Anim2')}\n${skeleton('/Skel')}\n${mesh('M')}`)}
    }`,
    ['/Skel < /Anim1: /A/M /A/B/M', '/Skel < /Anim2: /A/C/M'],
    ['/Skel < null: /A/M /A/B/M /A/C/M'],
  ],
];

describe('animationBinding', () => {
  it.each(examples)(
    'looks up the animation at the binding site (documentation) or the Skeleton (OpenUSD): %s',
    (_, text, bySite, bySkeleton) => {
      const stage = stageOf(`${TARGETS}\n${text}`);
      expect(summary(stage, { animationBinding: 'bindingSite' })).toEqual(bySite);
      expect(summary(stage, { animationBinding: 'either' })).toEqual(bySite);
      expect(summary(stage)).toEqual(bySkeleton);
    },
  );

  it('either: the Skeleton is used if the site has no opinion, but not if it is bound to nothing', () => {
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

describe('readBindings', () => {
  it('finds bindings below the outermost SkelRoot only', () => {
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
  });

  it.each([
    ['SkelRoot', 'Xform', []],
    ['Xform', 'SkelRoot', ['/R/S < /R/A: /R/M']],
    ['SkelRoot', '', ['/R/S < /R/A: /R/M']],
  ])('follows an over that changes the root type from %j to %j', (below, above, expected) => {
    const sub = `
      def ${below} "R" ${API} {
        ${skeleton('/R/S')}
        def Skeleton "S" ${API} {
          ${source('/R/A')}
        }
        def SkelAnimation "A" {
        }
        ${mesh('M')}
      }`;
    const over = `(\n  subLayers = [@sub.usda@]\n)\nover ${above} "R" {\n}`;
    expect(summary(stageOfTexts(over, { 'sub.usda': sub }))).toEqual(expected);
  });

  it('skips descendants of skinned prims and of prims that are not imageable', () => {
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

  it('binds instances of one skeleton and mesh to different animations', () => {
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

  it('ignores a wrong target and reports why', () => {
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
      'skel:skeleton of /R/X targets /Gone, which does not exist; expected a Skeleton. The binding is ignored.',
    ]);
    expect(told('</Scope>')).toEqual([
      'skel:skeleton of /R/X targets /Scope, which is a Scope; expected a Skeleton. The binding is ignored.',
    ]);
    expect([...told('</Off>'), ...told('None'), ...told('[]')]).toEqual([]);
    expect(summary(scene('[</R/S>, </Gone>]'))).toEqual(['/R/S < null: /R/X/M']);
    expect(told('[</R/S>, </Gone>]')).toEqual([
      'skel:skeleton of /R/X has several targets. The first one, /R/S, was used.',
    ]);
  });

  it('follows relationships that target relationships', () => {
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

  it('inherits each property separately; a blocked one counts as missing', () => {
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
