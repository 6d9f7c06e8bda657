/** A file that opens connections, or starts programs, which may. */
interface ConnectingPlace {
  /** What it may connect by, such as `fetch` or `Agent of undici`: nothing else. */
  readonly uses: readonly string[]
  readonly why: string
  /**
   * Who chooses the address: people from outside, the operator by a setting or a command, or the service and the
   * network of a number themselves.
   */
  readonly addressFrom: 'outside' | 'operator' | 'own'
  /** The test that an address from outside leads to no private address. It contains `Canary of` and the file. */
  readonly canary?: string
  /** The file that makes the agent which refuses private addresses; it is imported here. */
  readonly agentFrom?: string
}

const fileCanary = 'gateway-host/src/engine/baileys/file-access.test.ts'

/**
 * The files of the service and of the gateway host that open connections. Operators may name private addresses: their
 * database, their mail server and their models are mostly there.
 */
export const connectingPlaces: Readonly<Record<string, ConnectingPlace>> = {
  'gateway-host/src/engine/baileys/connection.ts': {
    uses: ['default of baileys'],
    why:
      'the socket of a number, at the address of the network; and what the library ' +
      'fetches because a message says so',
    addressFrom: 'outside',
    canary: 'gateway-host/test/sender-addresses.test.ts',
    agentFrom: 'gateway-host/src/engine/baileys/file-access.ts',
  },
  'gateway-host/src/engine/baileys/link/probe.ts': {
    uses: ['default of baileys'],
    why: 'the way to the network, tried without an account',
    addressFrom: 'own',
  },
  'gateway-host/src/engine/baileys/files.ts': {
    uses: ['prepareWAMessageMedia of baileys'],
    why: 'uploads of files, to the hosts that the network names',
    addressFrom: 'own',
  },
  'gateway-host/src/engine/baileys/proxy.ts': {
    uses: ['HttpsProxyAgent of https-proxy-agent', 'SocksProxyAgent of socks-proxy-agent', 'Agent of undici'],
    why: 'the proxy of a number, which an operator sets; it carries the files of messages',
    addressFrom: 'operator',
    canary: fileCanary,
  },
  'gateway-host/src/main.ts': {
    uses: ['setDefaultResultOrder of node:dns'],
    why: 'nothing: it puts IPv4 first for all connections of the process',
    addressFrom: 'own',
  },
  'gateway-host/src/process/database-signals.ts': {
    uses: ['default of pg'],
    why: 'DATABASE_URL: signals',
    addressFrom: 'operator',
  },
  'gateway-host/src/process/pools.ts': {
    uses: ['default of pg'],
    why: 'DATABASE_URL: the pools of a host',
    addressFrom: 'operator',
  },
  'packages/embedded-postgres/src/account.ts': {
    uses: ['spawnSync of node:child_process'],
    why: 'asks the system for the account of Postgres',
    addressFrom: 'own',
  },
  'packages/embedded-postgres/src/binaries.ts': {
    uses: ['spawnSync of node:child_process', 'createRequire of node:module'],
    why: 'finds the programs of Postgres, and tries whether they run',
    addressFrom: 'own',
  },
  'packages/embedded-postgres/src/data-folder.ts': {
    uses: ['execFile of node:child_process'],
    why: 'runs initdb',
    addressFrom: 'own',
  },
  'packages/embedded-postgres/src/lock-file.ts': {
    uses: ['spawnSync of node:child_process'],
    why: 'asks the system which program holds a lock',
    addressFrom: 'own',
  },
  'packages/embedded-postgres/src/postmaster.ts': {
    uses: ['spawn of node:child_process'],
    why: 'runs Postgres',
    addressFrom: 'own',
  },
  'packages/server/src/billing/payments/sdk/load.ts': {
    uses: ['* of stripe'],
    why: 'the payment provider, at its own address; the simulated one has no connection',
    addressFrom: 'own',
  },
  'packages/server/src/billing/payments/simulator/deliver.ts': {
    uses: ['fetch'],
    why: 'delivers the events of the simulated payment provider to this service',
    addressFrom: 'own',
  },
  'packages/server/src/conversations/bots/model/http-model.ts': {
    uses: ['fetch'],
    why: 'the model at AI_URL',
    addressFrom: 'operator',
  },
  'packages/server/src/conversations/inbound/voice/transcriber.ts': {
    uses: ['fetch'],
    why: 'the model at TRANSCRIBE_URL',
    addressFrom: 'operator',
  },
  'packages/server/src/platform/db/db.ts': {
    uses: ['default of knex', 'default of pg'],
    why: 'DATABASE_URL: the pool',
    addressFrom: 'operator',
  },
  'packages/server/src/platform/db/pooler.ts': {
    uses: ['default of pg'],
    why: 'DATABASE_URL: recognizes a pooler',
    addressFrom: 'operator',
  },
  'packages/server/src/platform/db/wake.ts': {
    uses: ['default of pg'],
    why: 'DATABASE_URL: signals',
    addressFrom: 'operator',
  },
  'packages/server/src/networks/gateway/direct/host-client.ts': {
    uses: ['fetch'],
    why: 'calls of gateway hosts, at the addresses that they write into gateway_hosts',
    addressFrom: 'own',
  },
  'packages/server/src/networks/gateway/waha/client.ts': {
    uses: ['* of undici'],
    why: 'calls of the WAHA servers that an operator adds; of the address of a file only the path is used',
    addressFrom: 'operator',
  },
  'packages/server/src/platform/mail/smtp.ts': {
    uses: ['* of nodemailer'],
    why: 'the mail server of SMTP_URL',
    addressFrom: 'operator',
  },
  'packages/server/src/process/job-backend.ts': {
    uses: ['PostgresBackend of @agendajs/postgres-backend', 'PostgresJobRepository of @agendajs/postgres-backend'],
    why: 'DATABASE_URL: the periodic jobs',
    addressFrom: 'operator',
  },
  'packages/server/src/process/job-runner.ts': {
    uses: ['default of pg'],
    why: 'DATABASE_URL: the pool of the periodic jobs',
    addressFrom: 'operator',
  },
  'packages/network/src/web-version.ts': {
    uses: ['fetch'],
    why: 'the file that names the version of the network’s own client, at GATEWAY_WEB_VERSION_URL',
    addressFrom: 'operator',
  },
  'packages/network/src/public-address/agent.ts': {
    uses: ['* of undici'],
    why:
      'the one agent for addresses from outside: webhooks, links to media, documents of ' +
      'AI clients, files of messages',
    addressFrom: 'outside',
    canary: 'packages/network/src/public-address/fetch.test.ts',
  },
  'packages/network/src/public-address/lookup.ts': {
    uses: ['Resolver of node:dns/promises'],
    why: 'asks the name servers of the machine for the addresses of a name, which may come from outside',
    addressFrom: 'operator',
  },
  'packages/server/src/fixture/connected-service.ts': {
    uses: ['MessagingClient of @msgctl/client'],
    why: 'tests of an application: the service that they started',
    addressFrom: 'own',
  },
  'packages/server/src/fixture/simulator-calls.ts': {
    uses: ['fetch'],
    why: 'tests of an application: the service that they started',
    addressFrom: 'own',
  },
  'packages/server/src/fixture/start-service.ts': {
    uses: ['spawn of node:child_process'],
    why: 'tests of an application: runs the service',
    addressFrom: 'own',
  },
  'packages/server/src/process/quick-start/host-process.ts': {
    uses: ['spawn of node:child_process'],
    why: 'runs the gateway host',
    addressFrom: 'own',
  },
  'packages/server/src/networks/simulator/routes.ts': {
    uses: ['fetch'],
    why: 'passes /sim on to SIM_CONTROL_URL',
    addressFrom: 'operator',
  },
}

/** What an address from outside is for, in a file that hands such addresses to the agent. */
interface OutsideAddress {
  readonly what: string
  readonly canary: string
}

const serviceCanary = 'packages/server/src/testing/end-to-end/outside-addresses.test.ts'

/** The files that use public-address/: each takes addresses from outside, and has a canary of its own. */
export const outsideAddresses: Readonly<Record<string, OutsideAddress>> = {
  'gateway-host/src/engine/baileys/file-access.ts': { what: 'files and history of messages', canary: fileCanary },
  'packages/server/src/api/media/media.ts': { what: 'links to files that callers send', canary: serviceCanary },
  'packages/server/src/ai-clients/oauth/endpoint.ts': { what: 'documents of AI clients', canary: serviceCanary },
  'packages/server/src/events/webhook/delivery/attempt.ts': { what: 'webhooks', canary: serviceCanary },
}
