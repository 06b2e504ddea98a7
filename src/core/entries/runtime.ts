/** Playback at run time: clips compiled for fast sampling. Nothing here allocates per frame. */
export { type CompileOptions, compileClip } from '../runtime/compile-clip.ts';
export { CHANNEL_STRIDE, type CompiledClip, locateFrame, sampleCompiledClip } from '../runtime/compiled-clip.ts';
