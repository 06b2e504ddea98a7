/** Types of the parts of gltf-validator that anyrig uses; the package ships none. */
declare module 'gltf-validator' {
  /** One finding. */
  export interface GltfValidationMessage {
    readonly code: string;
    readonly message: string;
    /** 0 error, 1 warning, 2 information, 3 hint. */
    readonly severity: number;
    readonly pointer?: string;
    /** Byte offset in a GLB, for findings about the container. */
    readonly offset?: number;
  }

  /** The report of `validateBytes`. */
  export interface GltfValidationReport {
    readonly issues: {
      readonly numErrors: number;
      readonly numWarnings: number;
      /** Whether it stopped at `maxIssues`. */
      readonly truncated: boolean;
      readonly messages: readonly GltfValidationMessage[];
    };
  }

  /** Options of `validateBytes`. */
  export interface GltfValidationOptions {
    readonly format?: 'glb' | 'gltf';
    /** Maximum number of findings; 0 for all. */
    readonly maxIssues?: number;
    /** Codes that are not reported. */
    readonly ignoredIssues?: readonly string[];
    readonly writeTimestamp?: boolean;
    readonly externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
  }

  /**
   * Validates a glTF asset.
   *
   * @param bytes A GLB or .gltf file.
   * @param options Options of the validator.
   * @returns The report.
   */
  export function validateBytes(bytes: Uint8Array, options?: GltfValidationOptions): Promise<GltfValidationReport>;
}
