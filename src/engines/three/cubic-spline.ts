/** Cubic splines of glTF (2.0, Appendix C) as tracks of three.js, in the form that GLTFLoader and GLTFExporter use. */
import { Interpolant, type KeyframeTrack, type TypedArray } from 'three';

/** Marks a track with in-tangent, value and out-tangent per key. GLTFLoader sets the flag; GLTFExporter and AnimationUtils read it. */
interface CubicFactory {
  (this: KeyframeTrack, result?: TypedArray): Interpolant;
  isInterpolantFactoryMethodGLTFCubicSpline?: true;
}

class CubicSpline extends Interpolant {
  override copySampleValue_(index: number): TypedArray {
    const { resultBuffer, sampleValues, valueSize } = this as unknown as Buffers;
    for (let c = 0; c < valueSize; c++) resultBuffer[c] = sampleValues[(3 * index + 1) * valueSize + c];
    return resultBuffer;
  }

  override interpolate_(right: number, t0: number, time: number, t1: number): TypedArray {
    const { resultBuffer, sampleValues: keys, valueSize: width } = this as unknown as Buffers;
    const length = t1 - t0;
    const t = (time - t0) / length;
    const rest = 1 - t;
    const from = rest * rest * (1 + 2 * t);
    const to = t * t * (3 - 2 * t);
    const leaving = length * t * rest * rest;
    const arriving = -length * t * t * rest;
    let squared = 0;
    for (let c = 0; c < width; c++) {
      const a = (3 * right - 2) * width + c;
      const b = (3 * right + 1) * width + c;
      const value = from * keys[a] + leaving * keys[a + width] + to * keys[b] + arriving * keys[b - width];
      resultBuffer[c] = value;
      squared += value * value;
    }
    if (width === 4 && squared > 0) for (let c = 0; c < 4; c++) resultBuffer[c] /= Math.sqrt(squared);
    return resultBuffer;
  }
}

/** Buffers of an interpolant, typed for any numeric array. */
interface Buffers {
  readonly resultBuffer: TypedArray;
  readonly sampleValues: TypedArray;
  readonly valueSize: number;
}

const createCubicSpline: CubicFactory = function (result) {
  return new CubicSpline(this.times, this.values, this.getValueSize() / 3, result);
};
createCubicSpline.isInterpolantFactoryMethodGLTFCubicSpline = true;

/** Returns whether a track is a glTF cubic spline, with three values per key. */
export function isCubicSpline(track: KeyframeTrack): boolean {
  const { createInterpolant } = track as unknown as { createInterpolant: CubicFactory };
  return createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline === true;
}

export function makeCubicSpline(track: KeyframeTrack): void {
  (track as unknown as { createInterpolant: CubicFactory }).createInterpolant = createCubicSpline;
}
