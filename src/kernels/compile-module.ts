/** Compiles the WebAssembly modules of the kernels. */

/**
 * Decodes a kernel.
 *
 * @param base64 The module in base64.
 * @returns Its bytes; null where WebAssembly SIMD is missing.
 */
export function moduleBytes(base64: string): Uint8Array<ArrayBuffer> | null {
  if (typeof WebAssembly === 'undefined') return null;
  const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
  return WebAssembly.validate(bytes) ? bytes : null;
}

/**
 * Compiles a kernel.
 *
 * @param base64 The module in base64.
 * @returns The compiled module; null where WebAssembly SIMD is missing, or where the Content-Security-Policy of the page lacks `wasm-unsafe-eval`.
 * @throws {Error} If compiling fails for a different reason.
 */
export async function compileModule(base64: string): Promise<WebAssembly.Module | null> {
  const bytes = moduleBytes(base64);
  if (bytes === null) return null;
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return null;
    throw error;
  }
}
