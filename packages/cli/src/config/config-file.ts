import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'

/** A stored profile: an address and its credentials. */
export interface Profile {
  readonly baseUrl: string
  /** An account key or a number's key. */
  readonly apiKey?: string | undefined
  /** The token of a signed-in user. */
  readonly token?: string | undefined
  /** When the token expires, ISO 8601. */
  readonly tokenExpiresAt?: string | undefined
  readonly email?: string | undefined
}

/** A token from signing in as the owner in a project file. */
export interface StoredSession {
  readonly token: string
  readonly expiresAt: string
}

/** The settings of `msgctl config set`. */
export interface Settings {
  /** The default output format. */
  readonly output?: string | undefined
  /** The timeout of one request, in seconds. */
  readonly timeout?: number | undefined
}

/** The file in the configuration folder. */
export interface ConfigFile {
  /** The name of the current profile. */
  readonly current?: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
  readonly settings: Settings
  /** By address and e-mail, see {@link sessionKey}. */
  readonly sessions: Readonly<Record<string, StoredSession>>
}

const maxBytes = 1024 * 1024

/** Returns the path of the configuration file: XDG Base Directory Specification, or %APPDATA% on Windows. */
export function configPath(host: Host): string {
  const { env, homeDir, platform } = host
  const xdg = env.XDG_CONFIG_HOME
  // The specification says to ignore a relative path.
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'msgctl', 'config.json')
  if (platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'msgctl', 'config.json')
  return path.join(homeDir, '.config', 'msgctl', 'config.json')
}

function unreadable(file: string, reason: string): CliError {
  return new CliError(`The configuration ${file} cannot be used: ${reason}`, {
    code: 'CONFIG_UNREADABLE',
    exitCode: exitCodes.unexpected,
    advice: 'Repair or remove the file, then run msgctl login.',
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function profileFrom(value: unknown): Profile | undefined {
  if (!isRecord(value) || typeof value.baseUrl !== 'string') return undefined
  const { baseUrl } = value
  return {
    baseUrl,
    apiKey: textOrUndefined(value.apiKey),
    token: textOrUndefined(value.token),
    tokenExpiresAt: textOrUndefined(value.tokenExpiresAt),
    email: textOrUndefined(value.email),
  }
}

function sessionFrom(value: unknown): StoredSession | undefined {
  if (!isRecord(value) || typeof value.token !== 'string' || typeof value.expiresAt !== 'string') return undefined
  return { token: value.token, expiresAt: value.expiresAt }
}

/** Returns the entries of `value` that `read` accepts. */
function entries<T>(value: unknown, read: (entry: unknown) => T | undefined): Record<string, T> {
  const found: Record<string, T> = Object.create(null)
  if (!isRecord(value)) return found
  for (const [name, entry] of Object.entries(value)) {
    const parsed = read(entry)
    if (parsed !== undefined) found[name] = parsed
  }
  return found
}

function configFrom(value: unknown): ConfigFile {
  const record = isRecord(value) ? value : {}
  const settings = isRecord(record.settings) ? record.settings : {}
  return {
    current: textOrUndefined(record.current),
    profiles: entries(record.profiles, profileFrom),
    settings: {
      output: textOrUndefined(settings.output),
      timeout: typeof settings.timeout === 'number' ? settings.timeout : undefined,
    },
    sessions: entries(record.sessions, sessionFrom),
  }
}

/** Reads the configuration; it is empty without a file. Throws a CliError if the file cannot be read. */
export function readConfig(host: Host): ConfigFile {
  const file = configPath(host)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return configFrom({})
    throw unreadable(file, (error as Error).message)
  }
  if (text.length > maxBytes) throw unreadable(file, 'it is larger than 1 MiB')
  try {
    return configFrom(JSON.parse(text))
  } catch {
    throw unreadable(file, 'it is not JSON')
  }
}

/** Writes `text` to a file that only its owner can read, and replaces the file atomically. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Changes the configuration. The folder is 0700 and the file 0600, because it contains keys. */
export function updateConfig(host: Host, change: (config: ConfigFile) => ConfigFile): void {
  const file = configPath(host)
  const folder = path.dirname(file)
  const next = change(readConfig(host))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (host.platform !== 'win32') chmodSync(folder, 0o700)
  writePrivate(file, `${JSON.stringify(next, null, 2)}\n`)
}

/** Stores `profile` under `name` and makes it the current one. */
export function saveProfile(host: Host, name: string, profile: Profile): void {
  updateConfig(host, (config) => ({
    ...config,
    current: name,
    profiles: { ...config.profiles, [name]: profile },
  }))
}

/**
 * Returns the key of a stored session. It contains the origin, because a token is sent only to the host that issued it.
 */
export function sessionKey(baseUrl: string, email: string): string {
  return `${new URL(baseUrl).origin} ${email}`
}

/** Stores a session, or removes it when `session` is undefined. Also removes expired sessions. */
export function saveSession(host: Host, key: string, session: StoredSession | undefined): void {
  updateConfig(host, (config) => {
    const others = Object.entries(config.sessions).filter(
      ([name, { expiresAt }]) => name !== key && Date.parse(expiresAt) > host.now(),
    )
    return { ...config, sessions: { ...Object.fromEntries(others), ...(session && { [key]: session }) } }
  })
}
