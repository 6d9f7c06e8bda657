import { type GuardRules, standardRules } from '#numbers/guard/guard-rules.ts'
import type { Crash, WorkCrash } from '#platform/crash-points.ts'
import type { LogFormat } from '#platform/log/log.ts'
import { type AiSettings, toAiSettings } from './ai-settings.ts'
import { type DriverName, driverNames } from './drivers.ts'
import { type PaymentSettings, toPaymentSettings } from './payments/settings.ts'
import { environment } from './settings/environment.ts'
import { readSecretFiles } from './settings/secret-files.ts'

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
  /**
   * False: a pooler in transaction mode shares the sessions of the database, so none can be prepared for a statement.
   */
  readonly databasePrepared: boolean
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
  /** The file that names the present version of the network's own client. */
  readonly gatewayWebVersionUrl: string
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
  /**
   * What links in mails begin with; a dashboard of one's own replaces the page of the service. Both without a slash at
   * the end.
   */
  readonly links: { readonly publicUrl: string; readonly dashboardUrl: string | null }
  /** The endpoint of AI clients; `publicUrl` is PUBLIC_URL, or null where it is not set. */
  readonly mcp: {
    readonly enabled: boolean
    readonly publicUrl: string | null
    /** Websites whose scripts may call /mcp and the OAuth routes. */
    readonly allowedOrigins: readonly string[]
  }
  /** Whether /console is served, and whether production takes its sign-ins over connections that are not encrypted. */
  readonly console: { readonly enabled: boolean; readonly insecure: boolean }
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
  /** How long a request body may take to arrive. */
  readonly bodyTimeoutSeconds: number
  readonly retention: Retention
  /** The rules against restrictions: `auto` is on for real networks and off for the simulator. */
  readonly guard: { readonly mode: 'auto' | 'on' | 'off'; readonly rules: GuardRules }
  readonly ai: AiSettings
  /** Null: organizations cannot pay, and the operator grants products. */
  readonly payments: PaymentSettings | null
  readonly pacing: boolean
  readonly changeLimit: boolean
  readonly logLevel: string
  readonly logFormat: LogFormat
  /** Where this process shall die; for tests, null otherwise. */
  readonly crashAt: Crash | WorkCrash | null
}

/** How many days are kept of what grows; null: for ever. */
interface Retention {
  readonly messagesDays: number | null
  readonly chatsDays: number | null
  readonly eventsDays: number
  readonly activityDays: number
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
  const files = readSecretFiles((name) => {
    const variable = variableName(env, name)
    return { name: variable, value: env[variable] ?? null }
  })
  const given = Object.fromEntries(names.map((name) => [name, env[variableName(env, name)]]))
  const parsed = environment.safeParse({ ...given, ...files.values })
  const issues = parsed.success ? [] : parsed.error.issues
  const faults = issues.map(({ path: [name], message }) => `${variableName(env, String(name))}: ${message}`)
  const lines = [...new Set([...files.faults, ...faults])].map((line) => `  ${line}`)
  if (lines.length > 0 || !parsed.success) throw new ConfigError(`These settings cannot be used:\n${lines.join('\n')}`)
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
    databasePrepared: set.DATABASE_PREPARED,
    dataDir: set.DATA_DIR ?? '.data',
    secretsKeys: set.SECRETS_KEYS,
    services: set.SERVICES,
    trustedProxies: set.TRUSTED_PROXIES,
    serviceName: set.SERVICE_NAME,
    gateway: set.GATEWAY ?? defaultDriver(production),
    gatewayCallbackUrl: (set.GATEWAY_CALLBACK_URL ?? ownAddress(set.HOST, set.PORT)).replace(/(?<!\/)\/+$/, ''),
    gatewayHostProgram: set.GATEWAY_HOST_PROGRAM ?? null,
    gatewayWebVersionUrl: set.GATEWAY_WEB_VERSION_URL,
    simulator: {
      speed: set.SIM_SPEED,
      seed: set.SIM_SEED,
      autolink: set.SIM_AUTOLINK,
      control: set.SIM_CONTROL ?? (embedded && !production),
      controlUrl: set.SIM_CONTROL_URL?.replace(/(?<!\/)\/+$/, '') ?? null,
      token: set.SIM_TOKEN ?? null,
    },
    allowPrivateTargets: set.ALLOW_PRIVATE_TARGETS,
    mail: { smtpUrl: set.SMTP_URL ?? null, from: set.MAIL_FROM },
    links: { publicUrl: set.PUBLIC_URL ?? `http://127.0.0.1:${set.PORT}`, dashboardUrl: set.DASHBOARD_URL ?? null },
    mcp: { enabled: set.MCP, publicUrl: set.PUBLIC_URL ?? null, allowedOrigins: set.MCP_ALLOWED_ORIGINS },
    console: { enabled: set.CONSOLE, insecure: set.CONSOLE_INSECURE },
    signUp: set.SIGNUP ?? (embedded ? 'open' : 'closed'),
    signUpPerHour: set.SIGNUP_PER_HOUR,
    checksPerNumberPerMinute: set.CHECKS_PER_NUMBER_PER_MINUTE ?? null,
    checksPerNumberPerDay: set.CHECKS_PER_NUMBER_PER_DAY ?? null,
    editWindowSeconds: set.EDIT_WINDOW_SECONDS,
    deleteWindowSeconds: set.DELETE_WINDOW_SECONDS,
    drainDelaySeconds: set.DRAIN_DELAY_SECONDS,
    bodyTimeoutSeconds: set.BODY_TIMEOUT_SECONDS,
    retention: {
      messagesDays: set.RETENTION_MESSAGES_DAYS ?? null,
      chatsDays: set.RETENTION_CHATS_DAYS ?? null,
      eventsDays: set.RETENTION_EVENTS_DAYS,
      activityDays: set.RETENTION_ACTIVITY_DAYS,
    },
    guard: { mode: set.GUARD, rules: set.GUARD_RULES ?? standardRules },
    ai: toAiSettings(set, refuse),
    payments: toPaymentSettings(set, set.PUBLIC_URL ?? `http://127.0.0.1:${set.PORT}`, refuse),
    pacing: !set.UNSAFE_DISABLE_PACING,
    changeLimit: !set.UNSAFE_DISABLE_RATE_LIMIT,
    // The terminal of a first start stays readable; a service in operation logs what it does.
    logLevel: set.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
    logFormat: set.LOG_FORMAT,
    crashAt: set.CRASH_AT ?? null,
  }
}

function refuse(problem: string): never {
  throw new ConfigError(problem)
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
    'With NODE_ENV=production GATEWAY has no default. Set it to the chat network of new numbers: ' +
      `${driverNames.join(' or ')}. The simulator sends nothing to real phones.`,
  )
}

function refuseInProduction(production: boolean, used: Record<string, boolean>): void {
  const refused = Object.keys(used).filter((name) => used[name])
  if (production && refused.length > 0) {
    throw new ConfigError(`Not allowed with NODE_ENV=production: ${refused.join(', ')}`)
  }
}
