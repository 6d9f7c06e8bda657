import { type FileHosts, networkFileHosts, testFileHosts } from '@msgctl/network/files/hosts'
import { openSecrets } from '@msgctl/network/secrets'
import { webVersionUrl } from '@msgctl/network/web-version'
import * as z from 'zod'
import { withSecretFiles } from './secret-files.ts'

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)

const listenAddress = (example: string) => z.string().regex(/^[\w.:-]+:\d{1,5}$/, `must be like ${example}`)

const settings = z.object({
  DATABASE_URL: z.string().min(1),
  SECRETS_KEYS: z.string().superRefine((value, context) => {
    try {
      if (!openSecrets(value).available) context.addIssue('must have at least one key')
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message.replace('SECRETS_KEYS: ', '') : 'cannot be read')
    }
  }),
  GATEWAY_HOST_LISTEN: listenAddress('127.0.0.1:7070').default('127.0.0.1:0'),
  GATEWAY_METRICS_LISTEN: listenAddress('127.0.0.1:9475').optional(),
  GATEWAY_HOST_URL: z.url().optional(),
  GATEWAY_CAPACITY: wholeNumber(1, 2000).prefault('250'),
  GATEWAY_ENGINE: z.enum(['baileys']).default('baileys'),
  GATEWAY_WEB_VERSION: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, 'must be like 2.3000.1043857760')
    .optional(),
  GATEWAY_WEB_VERSION_URL: z.url({ protocol: /^https?$/ }).optional(),
  GATEWAY_LEASE_SECONDS: wholeNumber(1, 300).prefault('15'),
  GATEWAY_NETWORK_URL: z.url().default('wss://web.whatsapp.com/ws/chat'),
  GATEWAY_NETWORK_ROOT: z
    .string()
    .regex(/^[0-9a-f]{64,66}$/, 'must be a public key in hex')
    .optional(),
  GATEWAY_NETWORK_FILES: z
    .string()
    .regex(/^localhost:\d{1,5}$/, 'must be like localhost:7071')
    .optional(),
  GATEWAY_LOGIN_SPREAD_SECONDS: wholeNumber(0, 3600).prefault('300'),
  GATEWAY_KEEP_ALIVE_SECONDS: wholeNumber(1, 300).prefault('30'),
  GATEWAY_TRACE: z.string().min(1).optional(),
  GATEWAY_END_WITH_INPUT: z.enum(['0', '1']).default('0'),
  NODE_ENV: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

/** A host at the real network, or in production, fetches files from the real file hosts only. */
const schema = settings.refine(
  ({ GATEWAY_NETWORK_FILES: files, GATEWAY_NETWORK_ROOT: root, NODE_ENV: mode }) =>
    files === undefined || (root !== undefined && mode !== 'production'),
  { path: ['GATEWAY_NETWORK_FILES'], message: 'is for a test network, with GATEWAY_NETWORK_ROOT, not for production' },
)

/** Where a server listens. Port 0 is any free one. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

function toListenAddress(text: string): ListenAddress {
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) }
}

/** The settings of a gateway host. Nothing else reads the environment. */
export interface HostConfig {
  readonly databaseUrl: string
  readonly secretsKeys: string
  readonly listen: ListenAddress
  /** Where metrics are served; null: nowhere. */
  readonly metrics: ListenAddress | null
  /** Where servers reach this process; null: at the address that it listens on. */
  readonly url: string | null
  readonly capacity: number
  /** The version that the engine claims to be, whatever is stored; null: the stored one. */
  readonly webVersion: string | null
  /** The file that names the present version; null for a test network: nothing is fetched. */
  readonly webVersionUrl: string | null
  readonly leaseMs: number
  readonly networkUrl: string
  /** The root key of a test network; null: the real one. */
  readonly networkRoot: Buffer | null
  /** Where the files of messages are. */
  readonly fileHosts: FileHosts
  /** The time over which many numbers without a proxy log in after a start. */
  readonly loginSpreadMs: number
  /** How often a connection requests a sign of life of the network. */
  readonly keepAliveMs: number
  /** The folder for the forms of stanzas; null: they are not written. */
  readonly trace: string | null
  /** Whether the host ends when its standard input is closed: the process that started it has ended. */
  readonly endsWithInput: boolean
  readonly logLevel: string
}

/** Thrown for settings that cannot be used. Its message names each of them. */
export class HostConfigError extends Error {}

/** Reads the settings of a host. Throws {@link HostConfigError} that names every wrong one. */
export function readHostConfig(env: Readonly<Record<string, string | undefined>>): HostConfig {
  const { env: given, faults } = withSecretFiles(env)
  const parsed = schema.safeParse(given)
  if (faults.length > 0 || !parsed.success) {
    const issues = parsed.success ? [] : parsed.error.issues
    const lines = [...faults, ...issues.map(({ path: [name], message }) => `${String(name)}: ${message}`)]
    throw new HostConfigError(`These settings cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
  const set = parsed.data
  return {
    databaseUrl: set.DATABASE_URL,
    secretsKeys: set.SECRETS_KEYS,
    listen: toListenAddress(set.GATEWAY_HOST_LISTEN),
    metrics: set.GATEWAY_METRICS_LISTEN === undefined ? null : toListenAddress(set.GATEWAY_METRICS_LISTEN),
    url: set.GATEWAY_HOST_URL ?? null,
    capacity: set.GATEWAY_CAPACITY,
    webVersion: set.GATEWAY_WEB_VERSION ?? null,
    webVersionUrl: set.GATEWAY_WEB_VERSION_URL ?? (set.GATEWAY_NETWORK_ROOT === undefined ? webVersionUrl : null),
    leaseMs: set.GATEWAY_LEASE_SECONDS * 1000,
    networkUrl: set.GATEWAY_NETWORK_URL,
    networkRoot: set.GATEWAY_NETWORK_ROOT === undefined ? null : Buffer.from(set.GATEWAY_NETWORK_ROOT, 'hex'),
    fileHosts: set.GATEWAY_NETWORK_FILES === undefined ? networkFileHosts : testFileHosts(set.GATEWAY_NETWORK_FILES),
    loginSpreadMs: set.GATEWAY_LOGIN_SPREAD_SECONDS * 1000,
    keepAliveMs: set.GATEWAY_KEEP_ALIVE_SECONDS * 1000,
    trace: set.GATEWAY_TRACE ?? null,
    endsWithInput: set.GATEWAY_END_WITH_INPUT === '1',
    logLevel: set.LOG_LEVEL,
  }
}
