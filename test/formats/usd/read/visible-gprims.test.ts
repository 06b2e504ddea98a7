import { describe, expect, it } from 'vitest';
import { read, square } from './meshes.ts';

/** Names of the meshes that are read, and what is told. */
function seen(text: string): { names: string[]; told: string[] } {
  const { geometry, told } = read(text);
  return { names: geometry.meshes.map(({ name }) => name), told };
}

describe('what is read of a scene', () => {
  it('is what is visible itself and all above', () => {
    const hidden = 'token visibility = "invisible"';
    const { names, told } = seen(
      `${square('A')}${square('B', hidden)}def Xform "X" {\n${hidden}\n${square('C', 'token visibility = "inherited"')} }`,
    );
    expect(names).toEqual(['A']);
    expect(told).toEqual([
      'GEOMETRY_DROPPED Invisible gprims, and those of purpose proxy or guide, were left out: 2, the first at /B.',
    ]);
  });

  it('is what is meant for pictures, by its own purpose or the nearest above', () => {
    const purpose = (word: string): string => `uniform token purpose = "${word}"`;
    const { names } = seen(`def Xform "X" {
      ${purpose('proxy')}
      ${square('A')}
      ${square('B', purpose('render'))} }
      ${square('C', purpose('guide'))}${square('D', purpose('default'))}`);
    expect(names).toEqual(['B', 'D']);
  });

  it('is no curves and points, nor what a PointInstancer copies', () => {
    const { names, told } = seen(`def BasisCurves "Hair" {
      }
      def PointInstancer "Crowd" {
        ${square('Proto')} }
      def SphereLight "Lamp" {
      }
      ${square('A')}`);
    expect(names).toEqual(['A']);
    expect(told).toEqual([
      'GEOMETRY_DROPPED Prims of type BasisCurves, which are no polygons, were left out: 1, at /Hair.',
      'GEOMETRY_DROPPED Prims of type PointInstancer, which are no polygons, were left out: 1, at /Crowd.',
    ]);
  });

  it('stands still: what changes over time is told of', () => {
    const moving = `point3f[] points.timeSamples = {
        1: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)],
        2: [(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
      }
      token visibility.timeSamples = {
        1: "inherited",
        2: "invisible",
      }`;
    const { names, told } = seen(square('A', moving));
    expect(names).toEqual(['A']);
    expect(told).toEqual([
      'GEOMETRY_DROPPED Prims that appear or vanish over time are as they are at rest: 1, at /A.',
      'GEOMETRY_DROPPED Meshes whose points or faces change over time are as they are at rest: 1, at /A.',
    ]);
  });

  it('is polygons, also of surfaces that say that they are subdivided', () => {
    expect(seen(square('A', 'uniform token subdivisionScheme = "none"')).told).toEqual([]);
    expect(seen(square('A', 'uniform token subdivisionScheme = "catmullClark"')).told).toEqual([
      'GEOMETRY_DROPPED Subdivision surfaces are not refined; their polygons were taken: 1, at /A.',
    ]);
  });
});
