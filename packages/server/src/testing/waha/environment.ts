import type { EngineName } from './failures.ts'

/** What a fake server is: its version and its settings. */
export interface FakeEnvironment {
  readonly version: string
  readonly engine: EngineName
  readonly tier: 'CORE' | 'PLUS'
  /** After how many seconds a file of a message is deleted; 0: never. */
  readonly filesLifetimeSeconds: number
  /** Whether sessions of other names than `default` exist: not at WAHA Core before 2026.6.1. */
  readonly hasNamedSessions: boolean
  /** `GET /api/server/version`, and in each webhook. */
  readonly described: object
  /** `GET /api/server/environment`: the variables that were set, with the key. */
  readonly variables: Readonly<Record<string, string>>
}

/** How a fake server differs in its environment. */
export interface FakeEnvironmentOptions {
  readonly engine?: EngineName
  readonly version?: string
  readonly tier?: 'CORE' | 'PLUS'
  /** WHATSAPP_FILES_LIFETIME; null: it is not set, and WAHA deletes files after 180 s. Default: two weeks. */
  readonly filesLifetime?: string | null
}

const unsetLifetimeSeconds = 180
const twoWeeks = '1209600'
const firstWithNames = [2026, 6, 1] as const

/** Creates the environment of a fake server with this key. */
export function fakeEnvironment(options: FakeEnvironmentOptions, key: string): FakeEnvironment {
  const { engine = 'GOWS', version = '2026.9.2', tier = 'CORE', filesLifetime = twoWeeks } = options
  return {
    version,
    engine,
    tier,
    filesLifetimeSeconds: filesLifetime === null ? unsetLifetimeSeconds : Number(filesLifetime),
    hasNamedSessions: tier === 'PLUS' || !isBefore(version, firstWithNames),
    described: { version, engine, tier, browser: null, platform: 'linux/x64', worker: { id: null } },
    variables: {
      WAHA_API_KEY: key,
      WHATSAPP_DEFAULT_ENGINE: engine,
      ...(filesLifetime === null ? {} : { WHATSAPP_FILES_LIFETIME: filesLifetime }),
    },
  }
}

function isBefore(version: string, other: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const differs = other.findIndex((part, n) => part !== parts[n])
  return differs >= 0 && (parts[differs] ?? 0) < (other[differs] ?? 0)
}
