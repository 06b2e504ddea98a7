import { describe, expect, it } from 'vitest';
import { skelRoots } from '../../../../src/formats/usd/skel/bindings.ts';
import { bindingsOutsideRoots, describeUsdSkel } from '../../../../src/formats/usd/skel/report/describe-usd-skel.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { messagesOf, stageOf, stageOfFile } from './scene.ts';

const API = '(prepend apiSchemas = ["SkelBindingAPI"])';

const told = (stage: Stage): string[] => messagesOf(bindingsOutsideRoots(stage, skelRoots(stage)));

describe('bindingsOutsideRoots', () => {
  it('reports all bindings together, except below classes and inactive prims', () => {
    const stage = stageOf(`
      def Xform "A" ${API} {
        rel skel:skeleton = </A/S>
        def Skeleton "S" {
        }
        def Mesh "M" ${API} {
          int[] primvars:skel:jointIndices = [0]
        }
      }
      class Xform "C" {
        def Mesh "M" ${API} {
        }
      }
      def Xform "Off" (active = false) {
        def Mesh "M" ${API} {
        }
      }`);
    expect(told(stage)).toEqual([
      '/A and 1 more have bindings but no SkelRoot ancestor, so they have no effect. Change the type of a common ancestor of skeleton and meshes to SkelRoot.',
    ]);
  });

  it('reports none if they reach a SkelRoot: animations are inherited', () => {
    const stage = stageOf(`
      def Xform "Crowd" ${API} {
        rel skel:animationSource = </Anim>
        def SkelRoot "R" ${API} {
          def Mesh "M" ${API} {
          }
        }
      }
      def SkelAnimation "Anim" {
      }`);
    expect(told(stage)).toEqual([]);
  });

  const TESTS = 'conformance/usd/openusd/pxr/usd/bin/usdchecker/testenv/testUsdChecker';
  it.skipIf(!HAS_ASSETS).each([
    ['clean/cleanSkelBindingAPIApplied', []],
    [
      'bad/badSkelBindingNoSkelRoot',
      [
        '/Mesh has bindings but no SkelRoot ancestor, so they have no effect. Change the type of a common ancestor of skeleton and meshes to SkelRoot.',
      ],
    ],
    [
      'bad/badSkelBindingAPIApplied',
      ['/Mesh has skel:animationSource, but SkelBindingAPI is not applied. It is ignored. Apply the API schema.'],
    ],
  ])('reports as usdchecker does: %s', (name, messages) => {
    expect(describeUsdSkel(stageOfFile(asset(TESTS, `${name}.usda`))).messages).toEqual(messages);
  });
});
