/** A file that opens connections. */
interface ConnectingPlace {
  readonly why: string
  /**
   * Who chooses the address: people from outside, the operator by a setting or a command, or the service and the network
   * of a number themselves.
   */
  readonly addressFrom: 'outside' | 'operator' | 'own'
  /** The test that an address from outside leads to no private address. It contains `Canary of` and the file. */
  readonly canary?: string
}

const fileCanary = 'gateway-host/src/engine/baileys/file-access.test.ts'

/**
 * The files of the server and of the gateway host that open connections. Operators may name private addresses: their
 * database, their mail server and their models are mostly there.
 */
export const connectingPlaces: Readonly<Record<string, ConnectingPlace>> = {
  'gateway-host/src/engine/baileys/connection.ts': {
    why: 'the socket of a number, at the address of the network; and what the library fetches because a message says so',
    addressFrom: 'outside',
    canary: fileCanary,
  },
  'gateway-host/src/engine/baileys/files.ts': {
    why: 'uploads of files, to the hosts that the network names',
    addressFrom: 'own',
  },
  'gateway-host/src/engine/baileys/proxy.ts': {
    why: 'the proxy of a number, which an operator sets; it carries the files of messages',
    addressFrom: 'operator',
    canary: fileCanary,
  },
  'gateway-host/src/process/database-signals.ts': { why: 'DATABASE_URL: signals', addressFrom: 'operator' },
  'gateway-host/src/process/start-host.ts': { why: 'DATABASE_URL: the pools of a host', addressFrom: 'operator' },
  'packages/server/src/bots/model/http-model.ts': { why: 'the model at AI_URL', addressFrom: 'operator' },
  'packages/server/src/bots/voice/transcriber.ts': {
    why: 'the model at TRANSCRIBE_URL',
    addressFrom: 'operator',
  },
  'packages/server/src/db/db.ts': { why: 'DATABASE_URL: the pool', addressFrom: 'operator' },
  'packages/server/src/db/pooler.ts': { why: 'DATABASE_URL: recognizes a pooler', addressFrom: 'operator' },
  'packages/server/src/db/wake.ts': { why: 'DATABASE_URL: signals', addressFrom: 'operator' },
  'packages/server/src/gateway/direct/host-client.ts': {
    why: 'calls of gateway hosts, at the addresses that they write into gateway_hosts',
    addressFrom: 'own',
  },
  'packages/server/src/gateway/waha/client.ts': {
    why: 'calls of the WAHA servers that an operator adds; of the address of a file only the path is used',
    addressFrom: 'operator',
  },
  'packages/server/src/mail/smtp.ts': { why: 'the mail server of SMTP_URL', addressFrom: 'operator' },
  'packages/server/src/process/job-backend.ts': { why: 'DATABASE_URL: the periodic jobs', addressFrom: 'operator' },
  'packages/server/src/process/job-runner.ts': {
    why: 'DATABASE_URL: the pool of the periodic jobs',
    addressFrom: 'operator',
  },
  'packages/server/src/public-address/agent.ts': {
    why: 'the one agent for addresses from outside: webhooks, links to media, documents of AI clients, files of messages',
    addressFrom: 'outside',
    canary: 'packages/server/src/public-address/fetch.test.ts',
  },
  'packages/server/src/public-address/lookup.ts': {
    why: 'asks the name servers of the machine for the addresses of a name, which may come from outside',
    addressFrom: 'operator',
  },
  'packages/server/src/simulator/routes.ts': {
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
  'packages/server/src/media/media.ts': { what: 'links to files that callers send', canary: serviceCanary },
  'packages/server/src/oauth/endpoint.ts': { what: 'documents of AI clients', canary: serviceCanary },
  'packages/server/src/webhook/delivery/attempt.ts': { what: 'webhooks', canary: serviceCanary },
}
