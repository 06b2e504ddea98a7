import type { ReadResource } from '../../core/asset/asset.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { GltfDocument } from '../../formats/gltf/document/document.ts';
import { isRemote, resolveUri } from '../../formats/gltf/document/uri.ts';

interface ValidatorMessage {
  readonly code: string;
  readonly message: string;
  /** 0 error, 1 warning, 2 information, 3 hint. */
  readonly severity: number;
  readonly pointer?: string;
  /** Byte offset in a GLB, for findings about the container. */
  readonly offset?: number;
}

/** The part of the report of gltf-validator that is used. */
interface ValidatorReport {
  readonly issues: {
    readonly numErrors: number;
    readonly numWarnings: number;
    /** Whether it stopped at `maxIssues`. */
    readonly truncated: boolean;
    readonly messages: readonly ValidatorMessage[];
  };
}

interface ValidatorOptions {
  readonly format?: 'glb' | 'gltf';
  /** Most findings; 0 for all. */
  readonly maxIssues?: number;
  /** Codes that are not reported. */
  readonly ignoredIssues?: readonly string[];
  readonly writeTimestamp?: boolean;
  /** Reads an external file; a rejection becomes an `IO_ERROR`. */
  readonly externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
}

/** `validateBytes` of gltf-validator, which may run in a thread. */
export type RunValidator = (bytes: Uint8Array, options?: ValidatorOptions) => Promise<ValidatorReport>;

/** Most findings of one run. A real character of 4 MB has 5,000. */
const MOST_FINDINGS = 10_000;
const NOT_FETCHED = 'It is on the web. Remote files are not fetched and not checked.';

interface ValidatedFile {
  readonly bytes: Uint8Array;
  /** The parsed content, with the external buffers that were read. */
  readonly document: GltfDocument;
  readonly readResource: ReadResource | undefined;
}

function externalResources({ document, readResource }: ValidatedFile) {
  if (readResource === undefined) return {};
  return {
    externalResourceFunction: async (uri: string): Promise<Uint8Array> => {
      if (isRemote(uri)) return Promise.reject(NOT_FETCHED);
      try {
        const path = resolveUri(uri, '');
        return document.resources.get(path) ?? (await readResource(path));
      } catch (error) {
        // The validator prints what it catches.
        return Promise.reject(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function toIssue({ code, severity, pointer, offset, ...found }: ValidatorMessage): Issue<string> {
  const message = found.message.replace(/^Node Exception: /, '');
  const isRemoteFile = code === 'IO_ERROR' && message === NOT_FETCHED;
  const where = {
    ...(pointer === undefined ? {} : { pointer: pointer === '/' ? '' : pointer }),
    ...(offset === undefined ? {} : { offset }),
  };
  return {
    code,
    severity: isRemoteFile ? 'info' : ((['error', 'warning'] as const)[severity] ?? 'info'),
    message,
    where,
  };
}

function mostFrequent(messages: readonly ValidatorMessage[]): string {
  const counts = new Map<string, number>();
  for (const { code } of messages) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/**
 * Validates a glTF file with the Khronos glTF Validator. It stops at a number of findings, behind which others may hide: it then runs again
 * without the most frequent one.
 */
export async function validatorIssues(run: RunValidator, file: ValidatedFile): Promise<Issue<string>[]> {
  const { bytes, document } = file;
  const found: Issue<string>[] = [];
  const ignoredIssues: string[] = [];
  try {
    for (;;) {
      const options = { format: document.container, maxIssues: MOST_FINDINGS, ignoredIssues, writeTimestamp: false };
      const { messages, truncated } = (await run(bytes, { ...options, ...externalResources(file) })).issues;
      if (!truncated) return [...found, ...messages.map(toIssue)];
      const most = mostFrequent(messages);
      const first = messages.filter(({ code }) => code === most);
      const text = `gltf-validator reports ${most} more than ${first.length} times; the others were left out.`;
      found.push(...first.map(toIssue), issue('FINDINGS_LEFT_OUT', text));
      ignoredIssues.push(most);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `gltf-validator ended without a result (${reason}), so the file was not checked against glTF 2.0.`;
    return [...found, issue('VALIDATOR_FAILED', text)];
  }
}
