import { writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { type DemoOrganization, type ServiceForClients, startServiceForClients } from '@msgctl/server/testing'
import { type AtEnd, type Machine, type Ran, type Situation, testMachine } from './machine.ts'
import {
  listenForTest,
  type Routes,
  readRequest,
  refusal,
  type ScriptedResponse,
  type Seen,
  scriptedResponse,
  writeResponse,
} from './scripted-server.ts'
import type { Tape } from './tape.ts'

/** A new organization at the real service, and a machine that shares the service's clock. */
export interface Workspace extends DemoOrganization {
  readonly machine: Machine
  /** The address of a recorder in front of the service. */
  readonly origin: string
  readonly baseUrl: string
  /** The URL of files and a webhook receiver that the service can reach. */
  readonly internet: string
  /** The client address that the service sees. */
  readonly address: string
  /** Every request that msgctl made, in the order of arrival. */
  readonly seen: Seen[]
  /** Returns the bodies of all requests other than GET. */
  changes(): unknown[]
  /** Scripts the responses of these routes; the service does not receive their requests. */
  script(routes: Routes): void
  /** Runs `task`, and records the responses of the service on a tape. */
  record<T>(tape: Tape, task: () => Promise<T>): Promise<T>
  /** Runs `task` with the responses of a tape; the service does not receive its requests. */
  replay<T>(tape: Tape, task: () => Promise<T>): Promise<T>
  /** Writes the project file of the quick start. */
  writeProjectFile(): void
  /** Runs msgctl with the account key in the environment. */
  run(words: string | readonly string[], situation?: Situation): Promise<Ran>
}

/**
 * Forwards a request to the service. Each workspace has its own client `address`, because sign-ins are limited by
 * address.
 */
function forward(target: string, seen: Seen & { readonly bytes: Buffer }, url: string, address: string) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    // The simulator accepts only direct callers.
    const from = url.startsWith('/api/') ? { 'x-forwarded-for': address } : {}
    const headers = { ...seen.headers, ...from, host: new URL(target).host }
    const request = httpRequest(`${target}${url}`, { method: seen.method, headers }, resolve)
    request.on('error', reject)
    request.end(seen.bytes)
  })
}

let workspaces = 0

/** Returns a client address that no other workspace of this process has. */
function newAddress(): string {
  workspaces += 1
  return `10.0.${workspaces >> 8}.${workspaces & 255}`
}

interface Recording {
  readonly address: string
  readonly scripts: Routes[]
  readonly seen: Seen[]
  /** Records a response or, in its place, writes it. */
  readonly tape: { record?: Tape['record'] | undefined; play?: ReturnType<Tape['player']> | undefined }
}

/** The services that have had no request since they finished all due work, other than reads. The clock stands still. */
const settled = new WeakSet<ServiceForClients>()

async function settle(service: ServiceForClients): Promise<void> {
  if (settled.has(service)) return
  await service.settled()
  settled.add(service)
}

/**
 * Starts a recorder in front of the service. Before each request, it waits until the service has finished all due work.
 */
async function recorder(
  service: ServiceForClients,
  { address, scripts, seen, tape }: Recording,
  atEnd: AtEnd | undefined,
): Promise<string> {
  return listenForTest(async (request, response) => {
    const one = await readRequest(request)
    const call = `${request.method} ${request.url}`
    if (tape.play?.(call, response)) return
    seen.push(one)
    const scripted = scripts.reduce<ScriptedResponse | undefined>(
      (found, routes) => scriptedResponse(routes, one) ?? found,
      undefined,
    )
    if (scripted) return writeResponse(response, scripted)
    try {
      await settle(service)
      if (one.method !== 'GET') settled.delete(service)
      const received = await forward(service.address, one, request.url ?? '/', address)
      tape.record?.(call, received)
      // The client would wait in real time.
      if (received.headers['retry-after'] !== undefined) received.headers['retry-after'] = '0'
      response.writeHead(received.statusCode ?? 502, received.headers)
      // A stream that the caller closes is not an error.
      pipeline(received, response, () => undefined)
    } catch (error) {
      writeResponse(response, refusal(500, 'RECORDER_FAILED', String(error)))
    }
  }, atEnd)
}

/** Creates an organization at `service` for one test. */
async function workspaceAt(service: ServiceForClients, atEnd: AtEnd | undefined): Promise<Workspace> {
  const organization = await service.makeOrganization()
  const machine = testMachine(service, atEnd)
  const scripts: Routes[] = []
  const tape: Recording['tape'] = {}
  const seen: Seen[] = []
  const address = newAddress()
  const origin = await recorder(service, { address, scripts, seen, tape }, atEnd)
  const baseUrl = `${origin}/api/v1`
  const { apiKey, owner } = organization
  return {
    ...organization,
    machine,
    origin,
    baseUrl,
    internet: service.internet,
    address,
    seen,
    changes: () => seen.filter(({ method }) => method !== 'GET').map(({ body }) => body),
    script: (routes) => void scripts.push(routes),
    record(recorded, task) {
      tape.record = (call, received) => recorded.record(call, received)
      return task().finally(() => {
        tape.record = undefined
      })
    },
    replay(recorded, task) {
      tape.play = recorded.player()
      return task().finally(() => {
        tape.play = undefined
      })
    },
    writeProjectFile() {
      writeFileSync(path.join(machine.cwd, 'hours.txt'), 'Open from nine to five.\n')
      const text = JSON.stringify({ baseUrl, apiKey, owner, simToken: service.simToken })
      writeFileSync(path.join(machine.cwd, '.msgctl.json'), text, { mode: 0o600 })
    },
    run(words, situation = {}) {
      const env = { MSG_API_KEY: apiKey, MSG_BASE_URL: baseUrl, MSG_SIM_TOKEN: service.simToken }
      return machine.run(typeof words === 'string' ? words.split(' ') : words, { env, ...situation })
    },
  }
}

/** Creates a workspace for one test, or for as long as `atEnd` says. */
type MakeWorkspace = (atEnd?: AtEnd) => Promise<Workspace>

/** Starts the service for the calling test file. */
export async function startService(env?: Readonly<Record<string, string>>): Promise<MakeWorkspace> {
  const service = await startServiceForClients(env)
  return (atEnd) => workspaceAt(service, atEnd)
}
