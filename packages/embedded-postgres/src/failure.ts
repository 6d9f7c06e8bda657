/** Why the embedded Postgres could not be started. */
export type EmbeddedPostgresReason =
  | 'unsupported_platform'
  | 'no_account'
  | 'untrusted_folder'
  | 'folder_not_usable'
  | 'in_use'
  | 'no_space'
  | 'start_failed'

/** The embedded Postgres could not be started; the message says what a person can do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly reason: EmbeddedPostgresReason

  constructor(reason: EmbeddedPostgresReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/**
 * Turns what initdb or postgres printed before it gave up into an error: `what` failed, and the last lines of its
 * output.
 */
export function failureFromOutput(what: string, folder: string, output: string): EmbeddedPostgresError {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new EmbeddedPostgresError(
      'no_space',
      `${what}: no space is left on the disk of ${folder}. Free some, or set DATA_DIR to a folder on another disk.`,
    )
  }
  const lastLines = output.trimEnd().split('\n').slice(-20).join('\n')
  return new EmbeddedPostgresError('start_failed', `${what} (data folder ${folder}). Its last words:\n${lastLines}`)
}

/** Runs `work` on `folder` and says in an error of ours why the file system refused, when it did. */
export async function explainingFileErrors<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw failureFromOutput('Postgres could not make its data folder', folder, 'No space left on device')
    if (code === undefined || path === undefined) throw error
    throw new EmbeddedPostgresError(
      'folder_not_usable',
      `The data folder ${folder} cannot be used by this user (${message}). Set DATA_DIR to ` +
        'a folder that can be written.',
      { cause: error },
    )
  }
}
