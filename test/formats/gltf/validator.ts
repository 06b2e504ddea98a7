/** Runs the Khronos glTF validator on written files. */
import { validateBytes } from 'gltf-validator';

/** Codes that the validator reports for a GLB, errors (severity 0) first, without unavoidable ones. */
export async function validatorCodes(glb: Uint8Array): Promise<Map<string, number>> {
  const { issues } = await validateBytes(glb, { maxIssues: 0, writeTimestamp: false });
  const codes = new Map<string, number>();
  for (const { code, severity } of issues.messages) {
    if (code !== 'UNSUPPORTED_EXTENSION') codes.set(code, Math.min(codes.get(code) ?? 9, severity));
  }
  return codes;
}

/** Codes that the second file has and the first does not have. */
export async function newCodes(before: Uint8Array, after: Uint8Array): Promise<string[]> {
  const known = await validatorCodes(before);
  return [...(await validatorCodes(after)).keys()].filter((code) => !known.has(code));
}
