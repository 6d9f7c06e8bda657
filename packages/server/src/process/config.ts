import * as z from 'zod'
import type { Crash } from '../crash-points.ts'
import { type GuardRules, standardRules } from '../messages/guard/guard-rules.ts'
import { isRange } from '../public-address/address.ts'
import { type DriverName, driverNames } from './drivers.ts'
import {
  canBeOpened,
  httpUrl,
  isPlainHttpUrl,
  isPostgresUrl,
  oneOf,
  toCrash,
  toGuardRules,
  whole,
} from './setting-types.ts'

/** The one spelling of switches. */
const flag = z
  .enum(['true', '1', 'on', 'false', '0', 'off'], { error: 'must be true or false (1, 0, on and off work too)' })
  .transform((value) => value === 'true' || value === '1' || value === 'on')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
/** Up to a year. */
const seconds = whole(0, 31_536_000)

/** The schema of the environment. */
export const environment = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: whole(0, 65_535).optional(),
  DATABASE_URL: z
    .string()
    .refine(
      isPostgresUrl,
      'must be like postgres://user:password@host:5432/name, with signs like # or / in it as %23, %2F',
    )
    .optional(),
  DATABASE_POOL: whole(2, 200).default(20),
  DATA_DIR: z.string().min(1).optional(),
  SECRETS_KEYS: z.string().min(1, 'must not be empty').superRefine(canBeOpened).optional(),
  SERVICES: list.pipe(z.array(oneOf('api', 'worker')).min(1, 'must be api, worker or both')).prefault('api,worker'),
  TRUSTED_PROXIES: list
    .refine((texts) => texts.every(isRange), 'must be addresses or ranges like 10.0.0.0/8, separated by commas')
    .prefault(''),
  SERVICE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,40}$/, 'must be 1 to 40 letters, digits, dots, dashes or underscores')
    .default('Msgctl'),
  GATEWAY: oneOf(...driverNames).optional(),
  GATEWAY_CALLBACK_URL: z
    .string()
    .max(500)
    .refine(isPlainHttpUrl, 'must be an address like http://10.0.0.5:3000, without a query')
    .optional(),
  GATEWAY_HOST_PROGRAM: z.string().min(1).optional(),
  SIM_SPEED: z
    .string()
    .refine((text) => /^\d{1,4}(\.\d+)?$/.test(text) && Number(text) <= 1000, 'must be a number from 0 to 1000')
    .transform(Number)
    .default(1),
  SIM_SEED: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).default(1),
  SIM_AUTOLINK: flag.prefault('false'),
  SIM_CONTROL: flag.optional(),
  SIM_CONTROL_URL: z
    .string()
    .max(500)
    .refine(isPlainHttpUrl, 'must be an address like http://127.0.0.1:3001')
    .optional(),
  SIM_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 characters without spaces')
    .optional(),
  DRAIN_DELAY_SECONDS: whole(0, 15).default(0),
  ALLOW_PRIVATE_TARGETS: list
    .refine((texts) => texts.every(isRange), 'must be address ranges like 127.0.0.1/32, separated by commas')
    .prefault(''),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/?#\s]+/, 'must be like smtps://user:password@mail.example.com')
    .refine((text) => URL.canParse(text), 'must be a URL')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,254}$/, 'must be one line like Msgctl <no-reply@example.com>')
    .default('Msgctl <no-reply@localhost>'),
  PUBLIC_URL: httpUrl().optional(),
  DASHBOARD_URL: httpUrl().optional(),
  SIGNUP: oneOf('open', 'closed').optional(),
  SIGNUP_PER_HOUR: whole(0, 1_000_000_000).default(20),
  CHECKS_PER_NUMBER_PER_MINUTE: whole(1, 1_000_000).optional(),
  CHECKS_PER_NUMBER_PER_DAY: whole(1, 1_000_000_000).optional(),
  EDIT_WINDOW_SECONDS: seconds.default(900),
  DELETE_WINDOW_SECONDS: seconds.default(216_000),
  GUARD: oneOf('auto', 'on', 'off').default('auto'),
  GUARD_RULES: z.string().transform(toGuardRules).optional(),
  UNSAFE_DISABLE_PACING: flag.prefault('false'),
  UNSAFE_DISABLE_RATE_LIMIT: flag.prefault('false'),
  CRASH_AT: z.string().transform(toCrash).optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
})

/** Names that programs share; every other setting is read as `MSGCTL_<name>` first. */
const sharedNames: ReadonlySet<string> = new Set(['NODE_ENV'])

/** The settings of one process. Nothing else reads the environment. */
export interface Config {
  readonly production: boolean
  readonly host: string
  readonly port: number
  /** Where metrics and probes are served beside the API; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  /** Null: the embedded Postgres in `dataDir`. */
  readonly databaseUrl: string | null
  /** Connections in the pool of this process at most; its jobs and signals hold up to three more. */
  readonly databasePool: number
  readonly dataDir: string
  readonly secretsKeys: string | undefined
  readonly services: readonly ('api' | 'worker')[]
  readonly trustedProxies: readonly string[]
  readonly serviceName: string
  /** The driver of numbers that are added. */
  readonly gateway: DriverName
  /** Where the hosts of a network reach this service, without a slash at the end. */
  readonly gatewayCallbackUrl: string
  /** The compiled gateway host that a quick start with `direct` runs; null: none. */
  readonly gatewayHostProgram: string | null
  readonly simulator: {
    readonly speed: number
    readonly seed: number
    readonly autolink: boolean
    readonly control: boolean
    /** Where /sim is forwarded to, when the simulated network stands behind another server; null: it is here. */
    readonly controlUrl: string | null
    /** What callers of /sim prove themselves with; null: the one in `dataDir`. */
    readonly token: string | null
  }
  /** Address ranges that webhooks and media links may reach although they are private; for development only. */
  readonly allowPrivateTargets: readonly string[]
  /** How mails leave; without `smtpUrl` they stay in the local outbox, or in production there are none. */
  readonly mail: { readonly smtpUrl: string | null; readonly from: string }
  /** What links in mails begin with; a dashboard of one's own replaces the page of the service. Both without a slash at the end. */
  readonly links: { readonly publicUrl: string; readonly dashboardUrl: string | null }
  readonly signUp: 'open' | 'closed'
  readonly signUpPerHour: number
  /** How many recipients a minute may be checked on the network through one number, over all processes. */
  readonly checksPerNumberPerMinute: number | null
  /** The same for a day; null, as for the minute: the usual limit of the number's network. */
  readonly checksPerNumberPerDay: number | null
  /** How long after it was sent the network lets a message be changed, and be taken back. */
  readonly editWindowSeconds: number
  readonly deleteWindowSeconds: number
  /** How long the API still takes requests after readiness turned 503, for balancers that probe. */
  readonly drainDelaySeconds: number
  /** The rules against restrictions: `auto` is on for real networks and off for the simulator. */
  readonly guard: { readonly mode: 'auto' | 'on' | 'off'; readonly rules: GuardRules }
  readonly pacing: boolean
  readonly changeLimit: boolean
  readonly logLevel: string
  /** Where this process shall die; for tests, null otherwise. */
  readonly crashAt: Crash | null
}

/** A setting of the environment that cannot be used; the message names it and says why. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the variable that holds a setting: with the prefix when that one is set, because containers share names. */
function variableName(env: Environment, name: string): string {
  const prefixed = `MSGCTL_${name}`
  return sharedNames.has(name) || env[prefixed] === undefined ? name : prefixed
}

/** Parses the environment. Throws {@link ConfigError} that names every wrong setting. */
export function readConfig(env: Environment): Config {
  const names = Object.keys(environment.shape)
  const parsed = environment.safeParse(Object.fromEntries(names.map((name) => [name, env[variableName(env, name)]])))
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      ({ path: [name], message }) => `  ${variableName(env, String(name))}: ${message}`,
    )
    throw new ConfigError(`These settings cannot be used:\n${[...new Set(lines)].join('\n')}`)
  }
  const set = parsed.data
  const production = set.NODE_ENV === 'production'
  const embedded = set.DATABASE_URL === undefined
  refuseInProduction(production, {
    UNSAFE_DISABLE_PACING: set.UNSAFE_DISABLE_PACING,
    UNSAFE_DISABLE_RATE_LIMIT: set.UNSAFE_DISABLE_RATE_LIMIT,
    SIM_CONTROL: set.SIM_CONTROL === true,
    ALLOW_PRIVATE_TARGETS: set.ALLOW_PRIVATE_TARGETS.length > 0,
  })
  if (set.CRASH_AT !== undefined && set.NODE_ENV !== 'test') {
    throw new ConfigError('Allowed with NODE_ENV=test only: CRASH_AT')
  }
  return {
    production,
    host: set.HOST,
    port: set.PORT,
    metrics: set.METRICS_PORT === undefined ? null : { host: set.METRICS_HOST, port: set.METRICS_PORT },
    databaseUrl: set.DATABASE_URL ?? null,
    databasePool: set.DATABASE_POOL,
    dataDir: set.DATA_DIR ?? '.data',
    secretsKeys: set.SECRETS_KEYS,
    services: set.SERVICES,
    trustedProxies: set.TRUSTED_PROXIES,
    serviceName: set.SERVICE_NAME,
    gateway: set.GATEWAY ?? defaultDriver(production),
    gatewayCallbackUrl: (set.GATEWAY_CALLBACK_URL ?? ownAddress(set.HOST, set.PORT)).replace(/\/+$/, ''),
    gatewayHostProgram: set.GATEWAY_HOST_PROGRAM ?? null,
    simulator: {
      speed: set.SIM_SPEED,
      seed: set.SIM_SEED,
      autolink: set.SIM_AUTOLINK,
      control: set.SIM_CONTROL ?? (embedded && !production),
      controlUrl: set.SIM_CONTROL_URL?.replace(/\/+$/, '') ?? null,
      token: set.SIM_TOKEN ?? null,
    },
    allowPrivateTargets: set.ALLOW_PRIVATE_TARGETS,
    mail: { smtpUrl: set.SMTP_URL ?? null, from: set.MAIL_FROM },
    links: { publicUrl: set.PUBLIC_URL ?? `http://127.0.0.1:${set.PORT}`, dashboardUrl: set.DASHBOARD_URL ?? null },
    signUp: set.SIGNUP ?? (embedded ? 'open' : 'closed'),
    signUpPerHour: set.SIGNUP_PER_HOUR,
    checksPerNumberPerMinute: set.CHECKS_PER_NUMBER_PER_MINUTE ?? null,
    checksPerNumberPerDay: set.CHECKS_PER_NUMBER_PER_DAY ?? null,
    editWindowSeconds: set.EDIT_WINDOW_SECONDS,
    deleteWindowSeconds: set.DELETE_WINDOW_SECONDS,
    drainDelaySeconds: set.DRAIN_DELAY_SECONDS,
    guard: { mode: set.GUARD, rules: set.GUARD_RULES ?? standardRules },
    pacing: !set.UNSAFE_DISABLE_PACING,
    changeLimit: !set.UNSAFE_DISABLE_RATE_LIMIT,
    // The terminal of a first start stays readable; a service in operation logs what it does.
    logLevel: set.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
    crashAt: set.CRASH_AT ?? null,
  }
}

/** The address of this process for programs on this machine. */
function ownAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** A service that people rely on must not simulate its network because a setting is missing. */
function defaultDriver(production: boolean): DriverName {
  if (!production) return 'simulator'
  throw new ConfigError(
    `With NODE_ENV=production GATEWAY has no default. Set it to the chat network of new numbers: ${driverNames.join(' or ')}. The simulator sends nothing to real phones.`,
  )
}

function refuseInProduction(production: boolean, used: Record<string, boolean>): void {
  const refused = Object.keys(used).filter((name) => used[name])
  if (production && refused.length > 0) {
    throw new ConfigError(`Not allowed with NODE_ENV=production: ${refused.join(', ')}`)
  }
}
