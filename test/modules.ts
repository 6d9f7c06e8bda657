/** Which modules the files of one package may load, besides their own files. An entry ending in `*` is a beginning. */
export interface PackageModules {
  /** At run time. */
  readonly run: readonly string[]
  /** As types only. */
  readonly types: readonly string[]
}

/**
 * What may leave each package. The contract knows zod only; the verifier loads nothing at all, so that it runs wherever
 * fetch does; a client carries the two plain tables of the contract, and its schemas in the fake for tests only; msgctl
 * and the console speak through the client; msgctl signs what it forwards with the verifier.
 */
export const packageModules: Readonly<Record<string, PackageModules>> = {
  contract: { run: ['zod'], types: [] },
  'webhook-verifier': { run: [], types: ['node:http'] },
  'embedded-postgres': { run: ['node:*'], types: [] },
  docs: {
    run: ['@msgctl/contract', '@msgctl/contract/openapi', 'highlight.js/*', 'marked', 'node:*'],
    types: [],
  },
  network: { run: ['ipaddr.js', 'node:*', 'undici'], types: ['@msgctl/contract'] },
  client: {
    run: [
      '@msgctl/contract',
      '@msgctl/contract/admin-endpoints',
      '@msgctl/contract/assistant-endpoints',
      '@msgctl/contract/endpoints',
      '@msgctl/contract/error-table',
      '@msgctl/contract/issues',
      '@msgctl/contract/traits',
      '@msgctl/webhook-verifier/testing',
    ],
    types: ['@msgctl/webhook-verifier/events'],
  },
  cli: {
    run: [
      '@michaelhomer/jqjs',
      '@clack/prompts',
      '@michaelhomer/jqjs',
      '@msgctl/client',
      '@msgctl/client/admin',
      '@msgctl/contract/admin-endpoints',
      '@msgctl/contract/csv',
      '@msgctl/contract/endpoints',
      '@msgctl/contract/error-table',
      '@msgctl/contract/limits',
      '@msgctl/contract/phone',
      '@msgctl/contract/placeholders',
      '@msgctl/contract/states',
      '@msgctl/contract/traits',
      '@msgctl/webhook-verifier',
      'cli-table3',
      'commander',
      'csv-parse/sync',
      'fast-string-truncated-width',
      'fast-string-width',
      'fast-wrap-ansi',
      'libphonenumber-js/max',
      'node:*',
      'qrcode',
    ],
    types: ['@msgctl/contract'],
  },
  console: {
    run: [
      '@msgctl/client',
      '@msgctl/client/admin',
      '@msgctl/contract/assistant',
      '@msgctl/contract/csv',
      '@msgctl/contract/limits',
      '@msgctl/contract/phone',
      '@msgctl/contract/placeholders',
      '@msgctl/contract/states',
      '@tanstack/preact-query',
      'd3-dsv',
      'lucide-preact',
      'preact',
      'preact-iso/*',
      'preact/hooks',
    ],
    types: ['@msgctl/contract'],
  },
  server: {
    run: [
      '@agendajs/postgres-backend',
      '@koa/router',
      '@modelcontextprotocol/server',
      '@msgctl/client',
      '@msgctl/contract',
      '@msgctl/contract/issues',
      '@msgctl/contract/openapi',
      '@msgctl/embedded-postgres',
      '@msgctl/network/*',
      '@node-rs/argon2',
      'agenda',
      'commander',
      'content-disposition',
      'ipaddr.js',
      'knex',
      'koa',
      'koa-helmet',
      'libphonenumber-js/max',
      'node:*',
      'nodemailer',
      'otpauth',
      'pg',
      'pino',
      'prom-client',
      'proxy-addr',
      'qrcode',
      'stripe',
      'temporal-polyfill',
      'tinyld/light',
      'undici',
      'uuid',
      'zod',
    ],
    types: [],
  },
}

/** Modules that only some files of their package may import, as types too. */
export const confined: Readonly<Record<string, readonly string[]>> = {
  '@asteasolutions/zod-to-openapi': [
    'contract/openapi/document.ts',
    'contract/openapi/errors.ts',
    'contract/openapi/operation.ts',
  ],
  'temporal-polyfill': ['server/sending/reminders/occurrence.ts'],
  'tinyld/light': ['server/conversations/bots/conversations/language.ts'],
  koa: [
    'server/process/app.ts',
    'server/api/http/',
    'server/process/files-route.ts',
    'server/process/gateway-route.ts',
    'server/networks/simulator/routes.ts',
    'server/billing/payments/simulator/routes.ts',
    'server/ai-clients/mcp/',
    'server/ai-clients/oauth/',
    'server/web/',
  ],
  '@msgctl/client': ['cli/', 'console/', 'server/fixture/'],
  '@modelcontextprotocol/server': ['server/ai-clients/mcp/protocol.ts'],
  nodemailer: ['server/platform/mail/smtp.ts'],
  otpauth: ['server/people/auth/two-factor/totp.ts'],
  '@koa/router': ['server/api/http/'],
  'koa-helmet': ['server/api/http/security-headers.ts'],
  knex: ['server/platform/db/'],
  pg: ['server/platform/db/', 'server/process/'],
  'content-disposition': ['server/api/http/files/', 'server/api/media/name.ts'],
  'libphonenumber-js/max': ['server/numbers/guard/quiet-hours.ts', 'cli/input/written-phone.ts'],
  'prom-client': ['server/platform/metrics/'],
  'proxy-addr': ['server/api/http/client-ip.ts'],
  marked: ['docs/markdown.ts'],
  agenda: ['server/process/'],
  '@agendajs/postgres-backend': ['server/process/'],
  stripe: ['server/billing/payments/sdk/', 'server/billing/payments/simulator/'],
  undici: ['network/public-address/', 'server/networks/gateway/waha/client.ts', 'server/events/webhook/'],
  '@node-rs/argon2': ['server/api/access/'],
  commander: ['cli/', 'server/main.ts', 'server/process/operator/'],
}

/** The entries of the contract that clients carry at run time; whatever they reach must be free of zod. */
export const plainEntries = [
  'errors/error-table.ts',
  'generated/admin-endpoints.ts',
  'generated/endpoints.ts',
  'model/csv.ts',
  'model/limits.ts',
  'model/phone.ts',
  'model/states.ts',
  'traits.ts',
]
