/** A file that opens connections. */
interface ConnectingPlace {
  readonly why: string
  /** Who chooses the address: people from outside, the operator by a setting or a command, or the service itself. */
  readonly addressFrom: 'outside' | 'operator' | 'own'
  /** The test that connections to other addresses are refused. */
  readonly canary?: string
}

/** The files of the server and of the gateway host that open connections. No other file may. */
export const connectingPlaces: Readonly<Record<string, ConnectingPlace>> = {
  'gateway-host/src/engine/baileys/connection.ts': { why: 'the socket of a number', addressFrom: 'own' },
  'gateway-host/src/engine/baileys/files.ts': { why: 'files of received and sent messages', addressFrom: 'outside' },
  'gateway-host/src/engine/baileys/proxy.ts': {
    why: 'the proxy of a number, for its socket and its files',
    addressFrom: 'operator',
  },
  'gateway-host/src/process/database-signals.ts': { why: 'listens to the database', addressFrom: 'operator' },
  'gateway-host/src/process/start-host.ts': { why: 'the pools of the gateway host', addressFrom: 'operator' },
  'packages/server/src/bots/model/http-model.ts': { why: 'the model of AI_URL', addressFrom: 'operator' },
  'packages/server/src/bots/voice/transcriber.ts': { why: 'the model that writes down voice', addressFrom: 'operator' },
  'packages/server/src/db/db.ts': { why: 'the pool', addressFrom: 'operator' },
  'packages/server/src/db/pooler.ts': { why: 'recognizes a pooler', addressFrom: 'operator' },
  'packages/server/src/db/wake.ts': { why: 'listens to the database', addressFrom: 'operator' },
  'packages/server/src/gateway/direct/host-client.ts': { why: 'calls of gateway hosts', addressFrom: 'own' },
  'packages/server/src/gateway/waha/client.ts': { why: 'calls of WAHA servers', addressFrom: 'operator' },
  'packages/server/src/mail/smtp.ts': { why: 'mails', addressFrom: 'operator' },
  'packages/server/src/process/job-backend.ts': { why: 'the database of periodic jobs', addressFrom: 'operator' },
  'packages/server/src/process/job-runner.ts': { why: 'the pool of periodic jobs', addressFrom: 'operator' },
  'packages/server/src/public-address/agent.ts': {
    why: 'webhooks, media links, documents of AI clients',
    addressFrom: 'outside',
    canary: 'packages/server/src/public-address/fetch.test.ts',
  },
  'packages/server/src/public-address/lookup.ts': {
    why: 'asks the name servers of the machine about names from outside',
    addressFrom: 'operator',
  },
  'packages/server/src/simulator/routes.ts': { why: 'forwards /sim to SIM_CONTROL_URL', addressFrom: 'operator' },
}
