/** The parts of gltf-validator that are used; the package has no types of its own. */
declare module 'gltf-validator' {
  export interface GltfValidationMessage {
    readonly code: string;
    readonly message: string;
    /** 0 error, 1 warning, 2 information, 3 hint. */
    readonly severity: number;
    readonly pointer?: string;
  }

  export interface GltfValidationReport {
    readonly issues: {
      readonly numErrors: number;
      readonly numWarnings: number;
      readonly messages: readonly GltfValidationMessage[];
    };
  }

  export interface GltfValidationOptions {
    readonly uri?: string;
    /** 0 for all. */
    readonly maxIssues?: number;
    readonly writeTimestamp?: boolean;
    readonly externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
  }

  export function validateBytes(bytes: Uint8Array, options?: GltfValidationOptions): Promise<GltfValidationReport>;
}
