import type { ILogger } from 'baileys/lib/Utils/logger.js'

const ignore = (): void => undefined

/** A logger that drops every line: the library logs keys and texts. */
export const silentLogger: ILogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
}
