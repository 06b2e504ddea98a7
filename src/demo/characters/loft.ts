/** Lofts: closed surfaces through a row of ellipses, from which all parts of the mannequin are built. */
import type { Vec3 } from '../../core/math/vec3.ts';
import * as vec3 from '../../core/math/vec3.ts';

/** An ellipse perpendicular to the axis of a loft. A first or last station with radii 0 closes the surface in a tip. */
export interface Station {
  readonly center: Vec3;
  readonly ru: number;
  readonly rv: number;
}

/** An indexed triangle mesh. Triangles are counter-clockwise seen from outside (glTF 2.0, 3.7.2.1). */
export interface Surface {
  readonly positions: Float64Array;
  readonly normals: Float64Array;
  /** Vertex indices, three per triangle. */
  readonly indices: readonly number[];
  readonly stations: readonly number[];
}

/**
 * Builds the surface through a row of stations. `u`: unit vector of the first radius. `v`: unit vector of the second radius; (u, v, axis) is
 * right-handed.
 */
export function loft(stations: readonly Station[], u: Vec3, v: Vec3, sectors: number): Surface {
  const count = stations.length * sectors;
  const positions = new Float64Array(count * 3);
  stations.forEach(({ center, ru, rv }, s) => {
    for (let k = 0; k < sectors; k++) {
      const angle = (2 * Math.PI * k) / sectors;
      const o = (s * sectors + k) * 3;
      vec3.copy(positions, o, center, 0);
      vec3.addScaled(positions, o, positions, o, u, 0, ru * Math.cos(angle));
      vec3.addScaled(positions, o, positions, o, v, 0, rv * Math.sin(angle));
    }
  });
  return {
    positions,
    normals: normalsOf(positions, stations, u, v, sectors),
    indices: trianglesOf(stations, sectors),
    stations: Array.from({ length: count }, (_, vertex) => Math.floor(vertex / sectors)),
  };
}

function isTip({ ru, rv }: Station): boolean {
  return ru === 0 && rv === 0;
}

function trianglesOf(stations: readonly Station[], sectors: number): number[] {
  const indices: number[] = [];
  for (let s = 0; s + 1 < stations.length; s++) {
    for (let k = 0; k < sectors; k++) {
      const next = (k + 1) % sectors;
      const a = s * sectors;
      const b = a + sectors;
      if (!isTip(stations[s])) indices.push(a + k, a + next, b + k);
      if (!isTip(stations[s + 1])) indices.push(b + k, a + next, b + next);
    }
  }
  return indices;
}

function normalsOf(
  positions: Float64Array,
  stations: readonly Station[],
  u: Vec3,
  v: Vec3,
  sectors: number,
): Float64Array {
  const normals = new Float64Array(positions.length);
  const last = stations.length - 1;
  const around = new Float64Array(3);
  const along = new Float64Array(3);
  for (let s = 0; s <= last; s++) {
    for (let k = 0; k < sectors; k++) {
      const o = (s * sectors + k) * 3;
      if (isTip(stations[s])) {
        vec3.cross(normals, o, u, 0, v, 0);
        if (s === 0) vec3.scale(normals, o, normals, o, -1);
        continue;
      }
      const before = (Math.max(s - 1, 0) * sectors + k) * 3;
      const after = (Math.min(s + 1, last) * sectors + k) * 3;
      vec3.subtract(along, 0, positions, after, positions, before);
      const left = (s * sectors + ((k + sectors - 1) % sectors)) * 3;
      const right = (s * sectors + ((k + 1) % sectors)) * 3;
      vec3.subtract(around, 0, positions, right, positions, left);
      vec3.cross(normals, o, around, 0, along, 0);
      vec3.normalize(normals, o, normals, o);
    }
  }
  return normals;
}

/** Lists the stations of a rod with round ends whose radius changes linearly. `to`: center of the second end. */
export function rod(from: Vec3, to: Vec3, radius: number, endRadius: number, flat: number, rings: number): Station[] {
  const axis = new Float64Array(3);
  vec3.subtract(axis, 0, to, 0, from, 0);
  vec3.normalize(axis, 0, axis, 0);
  const stations: Station[] = [];
  const add = (center: Vec3, along: number, ru: number): void => {
    const moved = [0, 1, 2].map((c) => center[c] + axis[c] * along) as [number, number, number];
    stations.push({ center: moved, ru, rv: ru * flat });
  };
  // Caps the length of the round ends by their thickness; otherwise flat rods get long tips.
  const length = Math.min(1, 2 * flat);
  for (let ring = 0; ring < rings; ring++) {
    const angle = ((ring / rings) * Math.PI) / 2;
    add(from, -radius * length * Math.cos(angle), ring === 0 ? 0 : radius * Math.sin(angle));
  }
  for (let k = 0; k <= rings; k++) {
    const t = k / rings;
    const between = [0, 1, 2].map((c) => from[c] + (to[c] - from[c]) * t) as [number, number, number];
    add(between, 0, radius + (endRadius - radius) * t);
  }
  for (let ring = 1; ring <= rings; ring++) {
    const angle = ((ring / rings) * Math.PI) / 2;
    add(to, endRadius * length * Math.sin(angle), ring === rings ? 0 : endRadius * Math.cos(angle));
  }
  return stations;
}
