import { describe, expect, it } from 'vitest';
import {
  inheritedAnimation,
  usesBindingProperties,
  createBindingRules,
  bindingTarget,
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

describe('rules of binding', () => {
  it('the nearest prim that says something about the animation counts, also beyond a SkelRoot', () => {
    const rules = createBindingRules(STAGE, true);
    expect(['/A', '/A/Silent', '/A/None', '/A/Bare', '/B'].map((prim) => inheritedAnimation(rules, prim))).toEqual([
      '/Anim',
      '/Anim',
      null,
      '/Anim',
      undefined,
    ]);
  });

  it('properties without the API schema count where rules are not strict; each is told of once', () => {
    const lenient = createBindingRules(STAGE, false);
    expect([
      inheritedAnimation(lenient, '/A/Bare'),
      usesBindingProperties(lenient, '/A/Bare'),
      usesBindingProperties(lenient, '/B'),
    ]).toEqual([null, true, false]);
    expect(messagesOf([...lenient.issues.values()])).toEqual([
      '/A/Bare has skel:animationSource without the API schema SkelBindingAPI; it is taken, but players ignore it. Apply the schema.',
      'skel:animationSource of /A/Bare leads to /Gone, which is not there; expected a SkelAnimation. Nothing is bound.',
    ]);
  });

  it('a relationship that is not there says nothing, an empty one says none', () => {
    const rules = createBindingRules(STAGE, true);
    const target = (prim: string): string | null | undefined =>
      bindingTarget(rules, prim, 'skel:animationSource', 'SkelAnimation');
    expect([target('/B'), target('/A/None'), target('/A')]).toEqual([undefined, null, '/Anim']);
  });
});
