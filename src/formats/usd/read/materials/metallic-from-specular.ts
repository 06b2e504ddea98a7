/** Converts the specular workflow to the metallic workflow. */

type Rgb = readonly [number, number, number];

/** Reflectance of dielectrics (non-metals) at normal incidence. */
const DIELECTRIC = 0.04;

/** Computes the perceived brightness of a linear color. */
function brightness([r, g, b]: Rgb): number {
  return Math.sqrt(0.299 * r * r + 0.587 * g * g + 0.114 * b * b);
}

function clamp01(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0;
}

/**
 * Finds the base color and metalness closest to a diffuse and a specular color: the mixture of a metal and a dielectric with the same reflectance.
 * Follows Khronos' conversion sample for KHR_materials_pbrSpecularGlossiness, in which metalness solves a quadratic equation in brightness.
 */
export function metallicFromSpecular(diffuse: Rgb, specular: Rgb): { baseColor: Rgb; metallic: number } {
  const reflected = brightness(specular);
  const rest = (1 - Math.max(...specular)) / (1 - DIELECTRIC);
  const b = brightness(diffuse) * rest + reflected - 2 * DIELECTRIC;
  const root = Math.sqrt(Math.max(b * b - 4 * DIELECTRIC * (DIELECTRIC - reflected), 0));
  const metallic = reflected < DIELECTRIC ? 0 : clamp01((root - b) / (2 * DIELECTRIC));
  const channel = (c: 0 | 1 | 2): number => {
    const ofDiffuse = (diffuse[c] * rest) / Math.max(1 - metallic, 1e-6);
    const ofSpecular = (specular[c] - DIELECTRIC * (1 - metallic)) / Math.max(metallic, 1e-6);
    const weight = metallic * metallic;
    return clamp01((1 - weight) * ofDiffuse + weight * ofSpecular);
  };
  return { baseColor: [channel(0), channel(1), channel(2)], metallic };
}
