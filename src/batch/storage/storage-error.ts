/** Errors of S3-compatible storage in words. */

/** Why a request failed. */
type StorageErrorCode = 'STORAGE_REFUSED' | 'STORAGE_BUCKET' | 'STORAGE_UNREACHABLE' | 'STORAGE_FAILED';

/** Reports a request that failed for a reason that other objects of the storage share. */
export class StorageError extends Error {
  /** Name of the class. */
  override readonly name = 'StorageError';

  /** The kind of failure. */
  readonly code: StorageErrorCode;

  /**
   * @param code The kind of failure.
   * @param message What was found, what was expected and what to do.
   */
  constructor(code: StorageErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the client and the system throw. */
interface RequestError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const REFUSED = new Set([
  'AccessDenied',
  'ExpiredToken',
  'Forbidden',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
]);
const WRONG_REGION = new Set(['AuthorizationHeaderMalformed', 'PermanentRedirect']);

/** Returns the HTTP status of a response that was an error; null when there was no response. */
export function statusOf(error: unknown): number | null {
  return (error as RequestError).$metadata?.httpStatusCode ?? null;
}

/** Tests whether a request may succeed when it is sent again: the connection was lost, or the server is overloaded. */
export function isTransient(error: unknown): boolean {
  const { name = '', code = '' } = error as RequestError;
  const status = statusOf(error);
  if (status !== null && status >= 400) return status >= 500 || status === 429 || status === 408 || status === 409;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENETUN|ERR_STREAM)/.test(code) ||
    name === 'TimeoutError' ||
    name === 'AbortError' ||
    (error as RequestError).message === 'aborted'
  );
}

/** Describes why a request failed. The words of the server are left out: they can contain keys and signatures. */
export function storageError(error: unknown, url: string, bucket: string, host: string): StorageError {
  const { name = '', code = '' } = error as RequestError;
  const status = statusOf(error);
  const where = host === '' ? 'AWS' : host;
  if (name === 'CredentialsProviderError')
    return new StorageError(
      'STORAGE_REFUSED',
      `There are no credentials for ${url}; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  if (/region is missing/i.test((error as RequestError).message ?? ''))
    return new StorageError(
      'STORAGE_BUCKET',
      `There is no region for ${url}; set AWS_REGION, and AWS_ENDPOINT_URL for storage other than AWS`,
    );
  if (name === 'NoSuchBucket')
    return new StorageError(
      'STORAGE_BUCKET',
      `The bucket ${bucket} does not exist at ${where}; create it, or check its name, AWS_ENDPOINT_URL and AWS_REGION`,
    );
  if (WRONG_REGION.has(name) || status === 301)
    return new StorageError(
      'STORAGE_BUCKET',
      `The bucket ${bucket} is in another region; set AWS_REGION to the region of the bucket`,
    );
  if (REFUSED.has(name) || status === 401 || status === 403)
    return new StorageError(
      'STORAGE_REFUSED',
      `${where} refused access to ${url} (${name}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do`,
    );
  if (isTransient(error) && (status === null || status < 400))
    return new StorageError(
      'STORAGE_UNREACHABLE',
      `${where} did not answer for ${url} (${code === '' ? name : code}); check AWS_ENDPOINT_URL and the network, then run the same command again`,
    );
  const answer = status === null ? name : `status ${status}, ${name}`;
  return new StorageError('STORAGE_FAILED', `${where} failed for ${url} (${answer}); run the same command again later`);
}
