import { describe, expect, it } from 'vitest';
import {
  bindingTarget,
  createBindingRules,
  inheritedAnimation,
  usesBindingProperties,
} from '../../../../src/formats/usd/skel/binding-rules.ts';
import { messagesOf, stageOf } from './scene.ts';

const API = '(prepend apiSchemas = ["SkelBindingAPI"])';
const STAGE = stageOf(`
  def SkelAnimation "Anim" {
  }
  def Xform "A" ${API} {
    rel skel:animationSource = </Anim>
    def Xform "None" ${API} {
      rel skel:animationSource = None
    }
    def Xform "Bare" {
      rel skel:animationSource = </Gone>
    }
    def Xform "Silent" ${API} {
    }
  }
  def Xform "B" {
  }`);

describe('binding rules', () => {
  it('use the animation of the nearest ancestor with an opinion, also above the SkelRoot', () => {
    const rules = createBindingRules(STAGE, true);
    expect(['/A', '/A/Silent', '/A/None', '/A/Bare', '/B'].map((prim) => inheritedAnimation(rules, prim))).toEqual([
      '/Anim',
      '/Anim',
      null,
      '/Anim',
      undefined,
    ]);
  });

  it('use properties without the API schema if not strict, and report each once', () => {
    const lenient = createBindingRules(STAGE, false);
    expect([
      inheritedAnimation(lenient, '/A/Bare'),
      usesBindingProperties(lenient, '/A/Bare'),
      usesBindingProperties(lenient, '/B'),
    ]).toEqual([null, true, false]);
    expect(messagesOf([...lenient.issues.values()])).toEqual([
      '/A/Bare has skel:animationSource, but SkelBindingAPI is not applied. It is used here, but other software ignores it. Apply the API schema.',
      'skel:animationSource of /A/Bare targets /Gone, which does not exist; expected a SkelAnimation. The binding is ignored.',
    ]);
  });

  it('distinguish a missing relationship from an empty one', () => {
    const rules = createBindingRules(STAGE, true);
    const target = (prim: string): string | null | undefined =>
      bindingTarget(rules, prim, 'skel:animationSource', 'SkelAnimation');
    expect([target('/B'), target('/A/None'), target('/A')]).toEqual([undefined, null, '/Anim']);
  });
});
