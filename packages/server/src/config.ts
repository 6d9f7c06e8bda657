import * as z from 'zod'
import { isRange } from './public-address/address.ts'

const flag = z.enum(['0', '1']).transform((value) => value === '1')
const onOff = z.enum(['on', 'off'])
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
/** Up to a year. */
const seconds = z.coerce.number().int().min(0).max(31_536_000)
const port = z.coerce.number().int().min(0).max(65_535)

const environment = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  DATABASE_URL: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).optional(),
  SECRETS_KEYS: z.string().min(1).optional(),
  SERVICES: list.pipe(z.array(z.enum(['api', 'worker'])).min(1)).prefault('api,worker'),
  TRUSTED_PROXIES: list.prefault(''),
  SERVICE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,40}$/, 'must be 1 to 40 letters, digits, dots, dashes or underscores')
    .default('Msgctl'),
  GATEWAY: z.enum(['simulator']).default('simulator'),
  SIM_SPEED: z.coerce.number().min(0).max(1000).default(1),
  SIM_SEED: z.coerce.number().int().default(1),
  SIM_AUTOLINK: flag.prefault('0'),
  SIM_CONTROL: flag.optional(),
  ALLOW_PRIVATE_TARGETS: list
    .refine((texts) => texts.every(isRange), 'must be address ranges like 127.0.0.1/32, separated by commas')
    .prefault(''),
  SIGNUP: z.enum(['open', 'closed']).optional(),
  SIGNUP_PER_HOUR: z.coerce.number().int().min(0).default(20),
  // A whole list of 10,000 recipients a minute, and a sixth on top that lists leave to sends.
  CHECKS_PER_NUMBER_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(12_000),
  EDIT_WINDOW_SECONDS: seconds.default(900),
  DELETE_WINDOW_SECONDS: seconds.default(216_000),
  PACING: onOff.default('on'),
  CHANGE_LIMIT: onOff.default('on'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

/** The settings of one process. Nothing else reads the environment. */
export interface Config {
  readonly production: boolean
  readonly host: string
  readonly port: number
  /** Null: the embedded Postgres in `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly secretsKeys: string | undefined
  readonly services: readonly ('api' | 'worker')[]
  readonly trustedProxies: readonly string[]
  readonly serviceName: string
  readonly simulator: {
    readonly speed: number
    readonly seed: number
    readonly autolink: boolean
    readonly control: boolean
  }
  /** Address ranges that webhooks and media links may reach although they are private; for development only. */
  readonly allowPrivateTargets: readonly string[]
  readonly signUp: 'open' | 'closed'
  readonly signUpPerHour: number
  /** How many recipients a minute the network may be asked about through one number, over all processes. */
  readonly checksPerNumberPerMinute: number
  /** How long after it was sent the network lets a message be changed, and be taken back. */
  readonly editWindowSeconds: number
  readonly deleteWindowSeconds: number
  readonly pacing: boolean
  readonly changeLimit: boolean
  readonly logLevel: string
}

/** A setting of the environment that cannot be used; the message names it and says why. */
export class ConfigError extends Error {}

/** Parses the environment. Throws {@link ConfigError} that names every wrong setting. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`These settings cannot be used:\n${lines.join('\n')}`)
  }
  const set = parsed.data
  const production = set.NODE_ENV === 'production'
  const embedded = set.DATABASE_URL === undefined
  refuseInProduction(production, {
    'PACING=off': set.PACING === 'off',
    'CHANGE_LIMIT=off': set.CHANGE_LIMIT === 'off',
    'SIM_CONTROL=1': set.SIM_CONTROL === true,
    ALLOW_PRIVATE_TARGETS: set.ALLOW_PRIVATE_TARGETS.length > 0,
  })
  return {
    production,
    host: set.HOST,
    port: set.PORT,
    databaseUrl: set.DATABASE_URL ?? null,
    dataDir: set.DATA_DIR ?? '.data',
    secretsKeys: set.SECRETS_KEYS,
    services: set.SERVICES,
    trustedProxies: set.TRUSTED_PROXIES,
    serviceName: set.SERVICE_NAME,
    simulator: {
      speed: set.SIM_SPEED,
      seed: set.SIM_SEED,
      autolink: set.SIM_AUTOLINK,
      control: set.SIM_CONTROL ?? (embedded && !production),
    },
    allowPrivateTargets: set.ALLOW_PRIVATE_TARGETS,
    signUp: set.SIGNUP ?? (embedded ? 'open' : 'closed'),
    signUpPerHour: set.SIGNUP_PER_HOUR,
    checksPerNumberPerMinute: set.CHECKS_PER_NUMBER_PER_MINUTE,
    editWindowSeconds: set.EDIT_WINDOW_SECONDS,
    deleteWindowSeconds: set.DELETE_WINDOW_SECONDS,
    pacing: set.PACING === 'on',
    changeLimit: set.CHANGE_LIMIT === 'on',
    // A newcomer's terminal stays readable; a service that somebody runs tells what it does.
    logLevel: set.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
  }
}

function refuseInProduction(production: boolean, used: Record<string, boolean>): void {
  const refused = Object.keys(used).filter((name) => used[name])
  if (production && refused.length > 0) {
    throw new ConfigError(`Not allowed with NODE_ENV=production: ${refused.join(', ')}`)
  }
}
