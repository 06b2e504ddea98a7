/** Errors as the user sees them: one line, an exit code, and JSON with `--json`. */
import { StorageError } from '../../batch/storage/storage-error.ts';
import { FormatError, formatLocation, type SourceLocation } from '../../core/report/format-error.ts';
import { OptionError } from '../../files/option-error.ts';
import { OutputError } from '../../files/outputs/output-error.ts';
import { oneLine } from '../io.ts';
import { InputError, UsageError } from './cli-errors.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { flagOf, withFlags } from './flag-names.ts';

/** The reason why a command ended early. */
interface Failure {
  readonly exit: ExitCode;
  readonly code: string;
  /** What was found, what was expected, what to do. */
  readonly message: string;
  /** Location inside the file; empty when unknown. */
  readonly where: SourceLocation;
  /** The file that the error concerns; null when it concerns none. */
  readonly file: string | null;
  readonly isBug: boolean;
}

/** Adds the flag of an option to its message: before it if the flag was typed; otherwise, where the message offers choices, as the way to choose. */
function withFlag({ option, message: text }: OptionError, typed: ReadonlySet<string> | null): string {
  const message = withFlags(text);
  if (option === 'file') return message;
  const flag = flagOf(option, option === 'mesh');
  if (typed === null || typed.has(flag) || (flag === '--out' && typed.has('-o'))) return `${flag}: ${message}`;
  return message.replace(/:\n/, ` with ${flag}:\n`);
}

/**
 * Describes a caught error. `typed`: the flags of the command line, such as `--clip`, `-o`; null if unknown. Messages about an option start only
 * with a typed flag.
 */
export function failureOf(error: unknown, typed: ReadonlySet<string> | null = null): Failure {
  const base = { where: {}, file: null, isBug: false };
  if (error instanceof InputError) {
    const { file, reason } = error;
    return {
      ...base,
      exit: EXIT.unreadable,
      code: reason.code,
      message: withFlags(reason.message),
      where: reason.where,
      file,
    };
  }
  if (error instanceof FormatError) {
    return { ...base, exit: EXIT.unreadable, code: error.code, message: withFlags(error.message), where: error.where };
  }
  if (error instanceof OptionError) {
    return { ...base, exit: EXIT.usage, code: 'OPTION_INVALID', message: withFlag(error, typed) };
  }
  if (error instanceof OutputError) {
    const exit = error.code === 'OVERWRITE_REFUSED' ? EXIT.usage : EXIT.unwritable;
    return { ...base, exit, code: error.code, message: withFlags(error.message), file: error.path };
  }
  if (error instanceof StorageError)
    return { ...base, exit: EXIT.unreadable, code: error.code, message: withFlags(error.message) };
  // citty throws CLIError for missing arguments.
  if (error instanceof UsageError || (error instanceof Error && error.name === 'CLIError')) {
    return { ...base, exit: EXIT.usage, code: 'USAGE', message: error.message };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { ...base, exit: EXIT.nothing, code: 'BUG', message, isBug: true };
}

export function printFailure({ exit, code, message, where, file, isBug }: Failure): string {
  if (isBug) return `error ${code}: ${oneLine(message).replace(/\.$/, '')}. This is a bug in anyrig; please report it`;
  const showsFile = file !== null && !message.includes(file);
  const location = [showsFile ? file : '', formatLocation(where)].filter((part) => part !== '').join(', ');
  const text = exit === EXIT.usage ? message.split('\n').map(oneLine).join('\n') : oneLine(message);
  return `error ${code}: ${text}${location === '' ? '' : ` (${oneLine(location)})`}`;
}

export function failureJson({ code, message, where, file }: Failure): object {
  return { ok: false, error: { code, message, where, file } };
}
