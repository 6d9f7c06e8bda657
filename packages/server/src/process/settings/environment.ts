import { limits } from '@msgctl/contract'
import { isRange } from '@msgctl/network/public-address/address'
import { webVersionUrl } from '@msgctl/network/web-version'
import * as z from 'zod'
import { driverNames } from '#process/drivers.ts'
import {
  canBeOpened,
  httpUrl,
  isOrigin,
  isPlainHttpUrl,
  isPostgresUrl,
  oneOf,
  price,
  toCrash,
  toGuardRules,
  whole,
} from '#process/setting-types.ts'

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
/** Up to ten years. */
const days = (min: number) => whole(min, 3650)
const file = z.string().min(1)
/** A setting that is not set when it is empty: compose files and empty credentials of systemd hand it over so. */
const emptyIsUnset = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/** The schema of the environment. */
export const environment = z.object({
  NODE_ENV: emptyIsUnset(oneOf('production', 'development', 'test')),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: emptyIsUnset(whole(0, 65_535)),
  DATABASE_URL: z
    .string()
    .refine(
      isPostgresUrl,
      'must be like postgres://user:password@host:5432/name, with signs like # or / in it as %23, %2F',
    )
    .optional(),
  DATABASE_URL_FILE: file.optional(),
  DATABASE_POOL: whole(2, 200).default(20),
  DATABASE_PREPARED: flag.prefault('true'),
  DATA_DIR: file.optional(),
  SECRETS_KEYS: z.string().min(1, 'must not be empty').superRefine(canBeOpened).optional(),
  SECRETS_KEYS_FILE: file.optional(),
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
  GATEWAY_WEB_VERSION_URL: z
    .string()
    .max(500)
    .refine(isPlainHttpUrl, 'must be an address like https://web.whatsapp.com/sw.js')
    .default(webVersionUrl),
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
  BODY_TIMEOUT_SECONDS: whole(5, 600).default(30),
  ALLOW_PRIVATE_TARGETS: list
    .refine((texts) => texts.every(isRange), 'must be address ranges like 127.0.0.1/32, separated by commas')
    .prefault(''),
  SMTP_URL: emptyIsUnset(
    z
      .string()
      .regex(/^smtps?:\/\/[^/?#\s]+/, 'must be like smtps://user:password@mail.example.com')
      .refine((text) => URL.canParse(text), 'must be a URL'),
  ),
  SMTP_URL_FILE: file.optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\r\n@]{1,200}@[^\r\n@]{1,200}$/,
      "must be one line with an address, like MAIL_FROM='Msgctl <no-reply@example.com>'",
    )
    .default('Msgctl <no-reply@localhost>'),
  PUBLIC_URL: httpUrl().optional(),
  DASHBOARD_URL: httpUrl().optional(),
  MCP: flag.prefault('true'),
  MCP_ALLOWED_ORIGINS: list
    .refine((texts) => texts.every(isOrigin), 'must be origins like https://app.example.com, separated by commas')
    .prefault(''),
  CONSOLE: flag.prefault('true'),
  CONSOLE_INSECURE: flag.prefault('false'),
  SIGNUP: oneOf('open', 'closed').optional(),
  SIGNUP_PER_HOUR: whole(0, 1_000_000_000).default(20),
  CHECKS_PER_NUMBER_PER_MINUTE: whole(1, 1_000_000).optional(),
  CHECKS_PER_NUMBER_PER_DAY: whole(1, 1_000_000_000).optional(),
  EDIT_WINDOW_SECONDS: seconds.default(900),
  DELETE_WINDOW_SECONDS: seconds.default(216_000),
  RETENTION_MESSAGES_DAYS: days(31).optional(),
  RETENTION_CHATS_DAYS: days(1).optional(),
  RETENTION_EVENTS_DAYS: days(limits.events.keptDays).default(limits.events.keptDays),
  RETENTION_ACTIVITY_DAYS: days(30).default(limits.activityDays),
  GUARD: oneOf('auto', 'on', 'off').default('auto'),
  GUARD_RULES: z.string().transform(toGuardRules).optional(),
  AI_URL: httpUrl().optional(),
  AI_KEY: emptyIsUnset(z.string()),
  AI_KEY_FILE: file.optional(),
  AI_MODEL: z.string().min(1).optional(),
  AI_MODEL_KIND: oneOf('chat', 'reasoning').default('chat'),
  AI_PRICE_IN: price().optional(),
  AI_PRICE_OUT: price().optional(),
  AI_ALLOWANCE_USD: price().prefault('10'),
  TRANSCRIBE_URL: httpUrl().optional(),
  TRANSCRIBE_KEY: emptyIsUnset(z.string()),
  TRANSCRIBE_KEY_FILE: file.optional(),
  TRANSCRIBE_MODEL: z.string().min(1).optional(),
  TRANSCRIBE_PRICE_MINUTE: price().optional(),
  PAYMENTS: oneOf('off', 'stripe', 'simulated').default('off'),
  STRIPE_SECRET_KEY: emptyIsUnset(z.string().regex(/^(sk|rk)_\w{8,}$/, 'must be like sk_live_...')),
  STRIPE_SECRET_KEY_FILE: file.optional(),
  STRIPE_WEBHOOK_SECRET: emptyIsUnset(
    list.pipe(
      z
        .array(z.string().regex(/^whsec_\w{8,}$/, 'must be like whsec_...'))
        .min(1)
        .max(2),
    ),
  ),
  STRIPE_WEBHOOK_SECRET_FILE: file.optional(),
  PRICES_FILE: emptyIsUnset(file),
  BILLING_GRACE_DAYS: whole(0, 30).default(7),
  BILLING_TAX: oneOf('none', 'stripe').default('none'),
  BILLING_RETURN_URL: httpUrl().optional(),
  PAYMENT_TIMEOUT_SECONDS: whole(1, 60).default(10),
  UNSAFE_DISABLE_PACING: flag.prefault('false'),
  UNSAFE_DISABLE_RATE_LIMIT: flag.prefault('false'),
  CRASH_AT: z.string().transform(toCrash).optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
  LOG_FORMAT: oneOf('json', 'pretty').default('json'),
})
