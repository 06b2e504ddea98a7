import { describe, expect, it } from 'vitest';
import { sharedPath } from '../../../../src/formats/usd/skel/shared-path.ts';
import { stageOf } from './scene.ts';

const stage = stageOf(`
  def "Proto" {
    int a = 1
    int b = 1
    def "Inner" {
      int a = 2
    }
  }
  def "First" (instanceable = true
    references = </Proto>) {
  }
  def "Second" (instanceable = true
    references = </Proto>) {
    int b = 3
  }`);

describe('sharedPath', () => {
  it('is that of the first instance, for instances without local opinions and their descendants', () => {
    expect(sharedPath(stage, '/Second/Inner', ['a'])).toBe('/First/Inner');
    expect(sharedPath(stage, '/First/Inner', ['a'])).toBe('/First/Inner');
    expect(sharedPath(stage, '/Second', ['a'])).toBe('/First');
  });

  it('is the path itself for instances with local opinions and for other prims', () => {
    expect(sharedPath(stage, '/Second', ['a', 'b'])).toBe('/Second');
    expect(sharedPath(stage, '/Proto/Inner', ['a'])).toBe('/Proto/Inner');
    expect(sharedPath(stage, '/Nowhere', ['a'])).toBe('/Nowhere');
  });
});
