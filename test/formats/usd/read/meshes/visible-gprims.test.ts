import { describe, expect, it } from 'vitest';
import { read, square } from '../mesh-scene.ts';

/** Names of the meshes that are read, and the messages of the issues. */
function visible(text: string): { names: string[]; messages: string[] } {
  const { geometry, messages } = read(text);
  return { names: geometry.meshes.map(({ name }) => name), messages };
}

describe('visibleGprims', () => {
  it('skips invisible gprims and descendants of invisible prims', () => {
    const hidden = 'token visibility = "invisible"';
    const { names, messages } = visible(
      `${square('A')}${square('B', hidden)}def Xform "X" {\n${hidden}\n${square('C', 'token visibility = "inherited"')} }`,
    );
    expect(names).toEqual(['A']);
    expect(messages).toEqual([
      'GEOMETRY_DROPPED Gprims are invisible or have the purpose proxy or guide and were skipped (2 occurrences, the first at /B).',
    ]);
  });

  it('skips the purposes proxy and guide, authored or inherited', () => {
    const purpose = (word: string): string => `uniform token purpose = "${word}"`;
    const { names } = visible(`def Xform "X" {
      ${purpose('proxy')}
      ${square('A')}
      ${square('B', purpose('render'))} }
      ${square('C', purpose('guide'))}${square('D', purpose('default'))}`);
    expect(names).toEqual(['B', 'D']);
  });

  it('drops curves, points and prototypes of PointInstancers', () => {
    const { names, messages } = visible(`def BasisCurves "Hair" {
      }
      def PointInstancer "Crowd" {
        ${square('Proto')} }
      def SphereLight "Lamp" {
      }
      ${square('A')}`);
    expect(names).toEqual(['A']);
    expect(messages).toEqual([
      'GEOMETRY_DROPPED Prims have the type BasisCurves, which is not polygonal; they were dropped (1 occurrence, at /Hair).',
      'GEOMETRY_DROPPED Prims have the type PointInstancer, which is not polygonal; they were dropped (1 occurrence, at /Crowd).',
    ]);
  });

  it('reports animated visibility and points', () => {
    const moving = `point3f[] points.timeSamples = {
        1: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)],
        2: [(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
      }
      token visibility.timeSamples = {
        1: "inherited",
        2: "invisible",
      }`;
    const { names, messages } = visible(square('A', moving));
    expect(names).toEqual(['A']);
    expect(messages).toEqual([
      'GEOMETRY_DROPPED Prims have animated visibility, which is not supported; the static or first value was used (1 occurrence, at /A).',
      'GEOMETRY_DROPPED Meshes have animated points or faces, which is not supported; their static or first value was used (1 occurrence, at /A).',
    ]);
  });

  it('reports authored subdivision', () => {
    expect(visible(square('A', 'uniform token subdivisionScheme = "none"')).messages).toEqual([]);
    expect(visible(square('A', 'uniform token subdivisionScheme = "catmullClark"')).messages).toEqual([
      'GEOMETRY_DROPPED Subdivision surfaces are not refined; their control polygons were used (1 occurrence, at /A).',
    ]);
  });
});
