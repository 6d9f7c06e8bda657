import { limits } from '@msgctl/contract'
import type { GatewaySession } from '@msgctl/network/gateway'
import type Koa from 'koa'
import { readJson } from '#api/http/body.ts'
import { photo, photoBytes, voiceBytes, voiceNote } from '#networks/simulator/messages/answers.ts'
import { withText } from '#networks/simulator/messages/plan.ts'
import { freePhone } from '#networks/simulator/sessions/own-phone.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { eventually } from '#testing/eventually.ts'
import { toContent } from './content.ts'
import type { DirectNetwork } from './network.ts'

interface Control {
  readonly network: DirectNetwork
  readonly services: Services
  /** Whether the service runs a worker, which receives the reports of the network. */
  readonly worker: boolean
}

/** The parts of the path, the query and the body of a call. */
type Input = Readonly<Record<string, string | undefined>>

type Run = (control: Control, input: Input) => Promise<unknown>

const bodyBounds = { maxBytes: 65_536, timeoutMs: 10_000, marks: limits.bodyMarks }

/** The calls of the simulator that change or show its network, as they are made at the test network. */
const routes: readonly (readonly [method: string, path: RegExp, run: Run])[] = [
  ['POST', /^numbers\/(?<containerId>[^/]+)\/scan$/, scan],
  ['POST', /^numbers\/(?<containerId>[^/]+)\/unlink$/, unlink],
  ['POST', /^numbers\/(?<containerId>[^/]+)\/drop$/, drop],
  ['POST', /^numbers\/(?<containerId>[^/]+)\/host-down$/, ({ network }) => network.setHost(false)],
  ['POST', /^numbers\/(?<containerId>[^/]+)\/host-up$/, startHost],
  ['POST', /^inbound$/, writeInbound],
  ['POST', /^people\/(?<phone>[^/]+)\/online$/, (control, { phone }) => setOnline(control, phone, true)],
  ['POST', /^people\/(?<phone>[^/]+)\/offline$/, (control, { phone }) => setOnline(control, phone, false)],
  ['POST', /^receipts$/, sendReceipt],
  ['GET', /^transcript$/, readTranscript],
  ['PUT', /^faults$/, setFaults],
  ['DELETE', /^faults$/, deleteFaults],
]

/** Calls of the simulator that need no network. */
const elsewhere = /^(mail|clock)/

/** Serves /sim of a service whose network is the test network of the gateway host. */
export function directSimRoutes(control: Control): Koa.Middleware {
  return async (koa, next) => {
    const local = /^\/sim\/(.*)$/.exec(koa.path)?.[1]
    if (local === undefined || elsewhere.test(local)) return next()
    const [, path, run] = routes.find(([method, pattern]) => method === koa.method && pattern.test(local)) ?? []
    if (!path || !run) throw apiError('ROUTE_NOT_FOUND', `The test network does not know ${koa.method} ${local}.`)
    const body = koa.method === 'GET' || koa.method === 'DELETE' ? koa.query : await readJson(koa.req, bodyBounds)
    koa.body = (await run(control, { ...(body as Input), ...path.exec(local)?.groups })) ?? {}
  }
}

async function sessionOf(db: Db, containerId: string): Promise<GatewaySession> {
  const [found] = await rows<{ organizationId: string }>(
    db,
    'select organization_id from gateway_sessions where container_id = :containerId',
    { containerId },
  )
  if (!found) throw apiError('CONTAINER_NOT_FOUND', 'The test network does not know this number.')
  return { containerId, organizationId: found.organizationId }
}

async function scan({ network, services }: Control, { containerId = '', phone }: Input): Promise<unknown> {
  const digits = phone?.replace('+', '') ?? (await freePhone(services.db, containerId))
  await network.link(services, await sessionOf(services.db, containerId), digits)
  return { containerId, status: 'WORKING', phone: digits }
}

async function unlink({ network, services }: Control, { containerId = '' }: Input): Promise<unknown> {
  const session = await sessionOf(services.db, containerId)
  await network.call('unlink', { phone: await network.phoneOf(containerId) })
  const { status } = await eventually(
    () => services.gateway.state(session),
    (state) => state.status === 'SCAN_QR_CODE' || state.status === 'STOPPED',
  )
  return { containerId, status, phone: null }
}

const followMs = 50

/** Cuts the line of a number. Its logins are refused until so many seconds of service time have passed. */
async function drop({ network, services }: Control, { containerId = '', seconds }: Input): Promise<unknown> {
  const session = await sessionOf(services.db, containerId)
  const phone = (await network.phoneOf(containerId)) ?? ''
  const untilMs = services.clock.now().getTime() + Number(seconds ?? 60) * 1000
  await network.refuse(phone, true)
  const timer = setInterval(() => {
    if (services.clock.now().getTime() < untilMs) return
    clearInterval(timer)
    network.refuse(phone, false).catch(() => undefined)
  }, followMs)
  timer.unref()
  const { status } = await eventually(
    () => services.gateway.state(session),
    (state) => state.status !== 'WORKING',
  )
  return { containerId, status, phone }
}

function setOnline({ network }: Control, phone: string | undefined, online: boolean): Promise<unknown> {
  return network.call('setOnline', { phone: phone?.replace('+', ''), online })
}

const behind = `select 1 from numbers n join gateway_sessions s on s.container_id = n.id
  where s.status = 'WORKING' and n.status <> 'WORKING'`

/** Starts the host again, and waits until the service knows that its numbers work. */
async function startHost({ network, services, worker }: Control): Promise<void> {
  await network.setHost(true)
  if (!worker) return
  await eventually(
    () => rows(services.db, behind),
    (numbers) => numbers.length === 0,
  )
}

/** Lets a person write to a number, or the owner of the number on the phone. */
async function writeInbound({ network }: Control, input: Input): Promise<unknown> {
  const { containerId = '', fromMe } = input
  const from = input.from?.replace('+', '') ?? ''
  const to = await network.phoneOf(containerId)
  const file = fileOf(input)
  if (file) return toNetworkId(await network.call('sendFile', { from, to, ...file }))
  const message = messageOf(input)
  if (fromMe) return toNetworkId(await network.call('writeOnPhone', { owner: to, to: from, message }))
  return toNetworkId(await network.call('write', { from, to, message }))
}

function toNetworkId(written: unknown): { networkId: string } {
  return { networkId: (written as { id: string }).id }
}

function fileOf({ type, caption }: Input) {
  if (type === 'voice') return { ...voiceNote, base64: voiceBytes.toString('base64') }
  if (type === 'image') return { ...photo, base64: photoBytes.toString('base64'), ...(caption ? { caption } : {}) }
  return null
}

function messageOf(input: Input): object {
  switch (input.type) {
    case 'location':
      return { locationMessage: { degreesLatitude: input.latitude, degreesLongitude: input.longitude } }
    case 'buttons':
      return { buttonsResponseMessage: { selectedButtonId: input.selectedButtonId, selectedDisplayText: input.text } }
    case 'list':
      return {
        listResponseMessage: { singleSelectReply: { selectedRowId: input.selectedRowId }, title: input.text },
      }
    case undefined:
    case 'chat':
      return { conversation: input.text }
    default:
      throw apiError('ROUTE_NOT_FOUND', `People of the test network send no ${input.type}.`)
  }
}

const sentMessage = `
  select container_id, recipient, gateway_message_id as id from messages
   where id::text = :messageId or gateway_message_id = :messageId`

async function sendReceipt({ network, services }: Control, { messageId = '', status }: Input): Promise<unknown> {
  const [sent] = await rows<{ containerId: string; recipient: string; id: string }>(services.db, sentMessage, {
    messageId,
  })
  if (!sent) throw apiError('MESSAGE_NOT_FOUND', 'The test network never took this message.')
  const type = status === 'failed' ? 'server-error' : status
  await network.call('receipt', {
    from: await network.phoneOf(sent.containerId),
    by: sent.recipient,
    id: sent.id,
    type,
  })
  return { networkId: sent.id, status }
}

interface Shown {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly message: unknown
  readonly at: number
  readonly typed: boolean
  /** The words after a change; null without one. */
  readonly edited: string | null
}

async function readTranscript({ network }: Control, { containerId, phone, limit }: Input): Promise<unknown> {
  const from = containerId === undefined ? undefined : await network.phoneOf(containerId)
  if (from === null) return { total: 0, messages: [], nextAfter: null }
  const to = phone?.replace('+', '')
  const { messages } = await network.call<{ messages: Shown[] }>('transcript', { from, to })
  const listed = messages.filter((shown) => network.numberOf(shown.from) !== null).slice(0, Number(limit ?? 100))
  return {
    total: messages.length,
    messages: await Promise.all(listed.map((shown) => toEntry(network, shown))),
    nextAfter: null,
  }
}

async function toEntry(network: DirectNetwork, { id, from, to, message, at, typed, edited }: Shown) {
  const time = await network.serviceTimeAt(at)
  const written = toContent(message)
  const content = edited === null ? written : (withText(written, edited) ?? written)
  return {
    clientId: id,
    networkId: id,
    containerId: network.numberOf(from),
    to,
    content,
    typed,
    at: time,
  }
}

/** Faults of sends that the test network has as well. */
const sendFaults: Readonly<Record<string, string>> = {
  rejected: 'refused',
  timeout_sent: 'unacknowledged',
  timeout_not_sent: 'swallowed',
  // The host waits for the acknowledgement of each message.
  unacknowledged: 'swallowed',
}

interface Faults {
  readonly send?: Readonly<Record<string, number>>
  readonly check?: Readonly<Record<string, number>>
}

/** Orders a fault: of sends or of checks, or that the gateway host is gone. */
async function setFaults({ network }: Control, input: Input): Promise<unknown> {
  const { send = {}, check = {} } = input as unknown as Faults
  const [[name, rate] = [undefined, 0], ...others] = [...Object.entries(send), ...Object.entries(check)]
  const fault = sendFaults[name ?? '']
  if (others.length === 0 && name === 'unreachable' && rate === 1) return network.setHost(false)
  network.setSilence({
    sends: fault !== undefined && fault !== 'refused',
    checks: check.timeout === 1,
  })
  if (others.length === 0 && check.timeout === 1) return network.call('setFaults', { silentChecks: true })
  if (others.length === 0 && fault) {
    return network.call('setFaults', { sends: { fault, rate } })
  }
  throw apiError('ROUTE_NOT_FOUND', `The test network has no such fault: ${JSON.stringify(input)}.`)
}

async function deleteFaults(control: Control): Promise<unknown> {
  const { network } = control
  network.setSilence({ sends: false, checks: false })
  await startHost(control)
  return network.call('setFaults')
}
