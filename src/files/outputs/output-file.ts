/** A file to write. */
export interface OutputFile {
  /** Path of the file, relative to the same folder as the `output` option. */
  readonly path: string;
  /** The content in pieces, in order, so that large data need not be joined in memory. */
  readonly parts: readonly Uint8Array[];
  /** Whether the file is written only because another output references it, such as a layer of a USD scene. */
  readonly isDependency?: boolean;
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  readonly isDependency: boolean;
}

/** Returns what to remember of a file, so that its content can be released. */
export function describeOutput({ path, parts, isDependency = false }: OutputFile): WrittenFile {
  return { path, bytes: parts.reduce((sum, { length }) => sum + length, 0), isDependency };
}
