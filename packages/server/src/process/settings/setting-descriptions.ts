import { assistantSettings } from '#process/assistant-settings.ts'
import { paymentSettings } from '#process/payments/settings.ts'
import type { environment } from './environment.ts'
import { gatewayHostSettings } from './gateway-host-settings.ts'

export const settingGroups = [
  'Process',
  'Database',
  'Secrets',
  'HTTP',
  'Mail',
  'AI clients',
  'Sending',
  'Assistants',
  'Payments',
  'Retention',
  'Chat networks',
  'Simulated network',
  'Development and tests',
] as const

export type SettingGroup = (typeof settingGroups)[number]
interface Description {
  readonly group: SettingGroup
  readonly meaning: string
  /** Replaces the words of the error message where these are too short to stand alone. */
  readonly values?: string
  /** For a setting without a fixed default: what happens when it is not set. */
  readonly unset?: string
}

/** What each setting means. Defaults and bounds stand in the schema. */
export const settingDescriptions: Readonly<Record<keyof typeof environment.shape, Description>> = {
  NODE_ENV: {
    group: 'Process',
    meaning: '`production` refuses every setting that is for development or tests only.',
    unset: 'not production',
  },
  SERVICES: {
    group: 'Process',
    meaning:
      'Which parts of the service this process runs. A worker sends messages, delivers webhooks and runs the jobs.',
    values: '`api`, `worker` or both, separated by a comma',
  },
  HOST: { group: 'Process', meaning: 'The address that the API listens on.', values: 'a host name or IP address' },
  PORT: { group: 'Process', meaning: 'The port that the API listens on. 0 picks a free port.' },
  DRAIN_DELAY_SECONDS: {
    group: 'Process',
    meaning:
      'How long a process that stops still accepts requests after `/readyz` responds 503, so that load ' +
      'balancers notice.',
  },
  BODY_TIMEOUT_SECONDS: {
    group: 'Process',
    meaning: 'How long the body of a request may take to arrive. Raise it for uploads over slow connections.',
  },
  METRICS_HOST: {
    group: 'Process',
    meaning: 'The address that `/metrics`, `/healthz` and `/readyz` are served on, apart from the API.',
    values: 'a host name or IP address',
  },
  METRICS_PORT: {
    group: 'Process',
    meaning: 'The port of `/metrics`, `/healthz` and `/readyz`. 0 picks a free port.',
    unset: 'metrics are not served',
  },
  LOG_LEVEL: {
    group: 'Process',
    meaning: 'The lowest level that is logged.',
    unset: '`info` with `DATABASE_URL`, `warn` with the embedded database',
  },
  LOG_FORMAT: {
    group: 'Process',
    meaning: '`json` logs lines for programs, `pretty` logs lines for a person at a terminal.',
  },
  DATABASE_URL: {
    group: 'Database',
    meaning: 'The Postgres database to use, version 15 or newer.',
    values: 'like `postgres://user:password@host:5432/name`; characters such as `#` or `/` as `%23`, `%2F`',
    unset: 'an embedded Postgres is started; required with `NODE_ENV=production`',
  },
  DATABASE_POOL: {
    group: 'Database',
    meaning: 'The size of the connection pool of this process. Signals and jobs hold up to three more connections.',
  },
  DATABASE_URL_FILE: {
    group: 'Database',
    meaning: 'The file with the value of `DATABASE_URL`.',
    values: 'a path',
    unset: '`DATABASE_URL` is used',
  },
  DATABASE_PREPARED: {
    group: 'Database',
    meaning:
      '`0` works through a pooler in transaction mode: no statement is prepared and no signal arrives, so that idle ' +
      'loops poll each second. docs/run/deployment.md says what the pooler needs.',
  },
  DATA_DIR: {
    group: 'Database',
    meaning: 'The folder of the embedded Postgres and its secrets key.',
    values: 'a path',
    unset: '`.data`',
  },
  SECRETS_KEYS: {
    group: 'Secrets',
    meaning:
      'The keys that encrypt secrets at rest. The first key encrypts, all keys decrypt. All ' +
      'processes need the same value.',
    values: '`<number>:<32 bytes in base64>`, separated by commas, such as `2:<base64>,1:<base64>`',
    unset: 'webhooks are not signed; the embedded database comes with a key of its own',
  },
  SECRETS_KEYS_FILE: {
    group: 'Secrets',
    meaning: 'The file with the value of `SECRETS_KEYS`.',
    values: 'a path',
    unset: '`SECRETS_KEYS` is used',
  },
  TRUSTED_PROXIES: {
    group: 'HTTP',
    meaning: 'The proxies whose `X-Forwarded-For` header is believed.',
    values: 'addresses or ranges such as `10.0.0.0/8`, separated by commas',
  },
  SERVICE_NAME: { group: 'HTTP', meaning: 'The product name in the `User-Agent` header of webhooks.' },
  SMTP_URL: {
    group: 'Mail',
    meaning:
      'The mail server. `smtps` encrypts from the start, `smtp` when the server offers it, and always with a password.',
    values: 'like `smtps://user:password@mail.example.com`',
    unset: 'mails stay in the local outbox (`msgctl sim mail`); in production none is sent',
  },
  SMTP_URL_FILE: {
    group: 'Mail',
    meaning: 'The file with the value of `SMTP_URL`.',
    values: 'a path',
    unset: '`SMTP_URL` is used',
  },
  MAIL_FROM: {
    group: 'Mail',
    meaning: 'The sender of mails.',
    values: "one line, like `MAIL_FROM='Msgctl <no-reply@example.com>'`",
  },
  PUBLIC_URL: {
    group: 'Mail',
    meaning:
      'The address under which people reach the service. Links in mails begin with it, and the OpenAPI document ' +
      'names it. OAuth for AI clients needs one with https, or a service that listens on this machine only.',
    values: 'like `https://example.com`',
    unset: '`http://127.0.0.1` with the port',
  },
  DASHBOARD_URL: {
    group: 'Mail',
    meaning: 'The page that handles `#join=`, `#reset=` and `#verify=`, instead of `/account` of the service.',
    values: 'like `https://dashboard.example.com/account`',
    unset: 'the page of the service',
  },
  MCP: {
    group: 'AI clients',
    meaning: 'Whether AI clients are served, at `/mcp`.',
  },
  MCP_ALLOWED_ORIGINS: {
    group: 'AI clients',
    meaning: 'The websites whose scripts may call `/mcp` and the OAuth routes. `PUBLIC_URL` may always.',
    unset: 'none',
  },
  CONSOLE: {
    group: 'HTTP',
    meaning: 'Whether the console, a web page, is served at `/console`. The pages that links open are always served.',
  },
  CONSOLE_INSECURE: {
    group: 'HTTP',
    meaning:
      'Whether web pages take sign-ins in production over a connection that is neither https nor of this machine.',
  },
  SIGNUP: {
    group: 'HTTP',
    meaning: 'Whether new organizations can sign up through the API.',
    unset: '`closed` with `DATABASE_URL`, `open` with the embedded database',
  },
  SIGNUP_PER_HOUR: {
    group: 'HTTP',
    meaning: 'Sign-ups allowed in an hour for one client address. 0 means no limit.',
  },
  CHECKS_PER_NUMBER_PER_DAY: {
    group: 'Sending',
    meaning: 'How many recipients a day one number may look up on the network, over all processes.',
    unset: '1000 on a real network, 100000 on the simulated one',
  },
  CHECKS_PER_NUMBER_PER_MINUTE: {
    unset: '60 on a real network, 12000 on the simulated one',
    group: 'Sending',
    meaning:
      'How many recipients a minute one number may look up on the network, over all processes. ' +
      'A sixth of it is reserved for sends, so that cleaning a list does not stop them.',
  },
  RETENTION_MESSAGES_DAYS: {
    group: 'Retention',
    meaning:
      'Days after which a message that was sent or failed is deleted, with its text in chats. Counts and ' +
      'campaign totals stay.',
    unset: 'kept for ever',
  },
  RETENTION_CHATS_DAYS: {
    group: 'Retention',
    meaning: 'Days after which what people wrote is deleted from chats. Opt-outs stay.',
    unset: 'kept for ever',
  },
  RETENTION_EVENTS_DAYS: {
    group: 'Retention',
    meaning: 'Days after which events and their webhook deliveries are deleted. The API promises the default.',
  },
  RETENTION_ACTIVITY_DAYS: { group: 'Retention', meaning: 'Days after which entries of the activity log are deleted.' },
  GUARD: {
    group: 'Sending',
    meaning:
      'The rules that keep numbers from being restricted: `auto` applies them to numbers on real networks, ' +
      '`on` to all, ' +
      '`off` to none. The operator can decide for one number: `msgctl-server guard`.',
  },
  GUARD_RULES: {
    group: 'Sending',
    meaning:
      'The table of the guard rules, like `0:20/20/50,3:40/40/200`: from a number of days after the link, new ' +
      'conversations a day, messages an hour and messages a day; a dash for no limit.',
    unset: 'the table of docs/use/guard-rules.md',
  },
  GATEWAY: {
    group: 'Chat networks',
    meaning:
      'The driver of numbers that are added. A number keeps the driver that it was added with. The simulator ' +
      'sends nothing to real phones; ' +
      '`waha` needs servers that `msgctl-server waha add` names (docs/run/networks.md), `direct` gateway hosts ' +
      '(docs/run/own-sockets.md).',
    unset: '`simulator`; required with `NODE_ENV=production`',
  },
  GATEWAY_CALLBACK_URL: {
    group: 'Chat networks',
    meaning:
      'Where WAHA servers reach this service, for webhooks and for files over 16 MiB. Each API process that ' +
      'sends such files needs an address of its own.',
    values: 'like `http://10.0.0.5:3000`',
    unset: 'the address of HOST and PORT',
  },
  ...assistantSettings,
  ...paymentSettings,
  EDIT_WINDOW_SECONDS: { group: 'Sending', meaning: 'Seconds after sending during which a message can be edited.' },
  DELETE_WINDOW_SECONDS: {
    group: 'Sending',
    meaning: 'Seconds after sending during which a message can be deleted for everyone.',
  },
  ...gatewayHostSettings,
  SIM_SPEED: {
    group: 'Simulated network',
    meaning: 'How fast the simulated network acts, as a factor. 0 means without any delay.',
  },
  SIM_SEED: { group: 'Simulated network', meaning: 'The seed of the random behavior of the simulated network.' },
  SIM_AUTOLINK: { group: 'Simulated network', meaning: 'Whether new numbers link themselves without a QR scan.' },
  SIM_CONTROL: {
    group: 'Simulated network',
    meaning: 'Whether `/sim` is served, which controls the simulated network. Refused in production.',
    unset: '`1` with the embedded database outside of production, otherwise `0`',
  },
  SIM_CONTROL_URL: {
    group: 'Simulated network',
    meaning:
      'Where requests to `/sim` are forwarded, when the simulated network stands behind a fake WAHA server ' +
      '(`npm run fake -- waha`).',
    values: 'like `http://127.0.0.1:3001`',
    unset: '`/sim` controls the simulator of this service',
  },
  SIM_TOKEN: {
    group: 'Simulated network',
    meaning: 'The token that every request to `/sim` must carry as `X-Sim-Token`.',
    unset: 'a random token, kept in `sim-token` of the data folder and written to `.msgctl.json`',
  },
  ALLOW_PRIVATE_TARGETS: {
    group: 'Development and tests',
    meaning:
      'Private address ranges that webhooks, media links and documents of AI clients may reach; a document at this ' +
      'machine also by plain `http`. Refused in production.',
    values: 'address ranges such as `127.0.0.1/32`, separated by commas',
  },
  UNSAFE_DISABLE_PACING: {
    group: 'Development and tests',
    meaning: '`true` sends without the pace of a person, for benchmarks and tests. Refused in production.',
  },
  UNSAFE_DISABLE_RATE_LIMIT: {
    group: 'Development and tests',
    meaning: '`true` removes the rate limit on changes, for benchmarks and tests. Refused in production.',
  },
  CRASH_AT: {
    group: 'Development and tests',
    meaning:
      'The crash point, or the work on items of one owner, at which this process kills itself. Only allowed ' +
      'with `NODE_ENV=test`.',
    values:
      '`<crash point>:<n>`, where n counts from 1, or `work:<kind>@<owner>`. `wait:` in the place of `work:` ' +
      'stops the work there instead.',
    unset: 'no crash',
  },
}
