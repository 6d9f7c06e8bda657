import { hostname } from 'node:os'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { CallHead, HostOperation, NetworkProbe } from '@msgctl/network/calls'
import { toGatewayError } from '../number/call-failures.ts'
import { listChats, listMessages } from '../number/history-store.ts'
import { listLids } from '../number/lid-pairs.ts'
import type { HostedNumber } from '../number/number.ts'
import type { NumberContext } from '../number/number-context.ts'
import { listContacts } from '../number/people.ts'
import { edit, forward, revoke, send } from '../number/sending.ts'
import { jidOf } from '../translate/person.ts'
import type { SendLimit } from './send-limit.ts'

/** A call to one number, with the file that follows its head. */
interface IncomingCall<Operation extends HostOperation> {
  readonly number: HostedNumber
  readonly head: CallHead<Operation>
  readonly file: Readable | null
}

/** What calls share in one process. */
export interface CallContext extends Pick<NumberContext, 'pool' | 'engine' | 'config' | 'webVersions'> {
  readonly sends: SendLimit
}

/** The calls to a number: all but one. */
type NumberOperation = Exclude<HostOperation, 'probe'>

type Handlers = {
  readonly [Operation in NumberOperation]: (call: IncomingCall<Operation>, context: CallContext) => Promise<unknown>
}

/** Runs a question to the network: it changes nothing, so a failure has no outcome. */
async function ask<T>(question: Promise<T>): Promise<T> {
  return question.catch((error: unknown) => {
    throw toGatewayError(error, 'question')
  })
}

/** The calls of servers. Each throws a GatewayError. */
export const operations: Handlers = {
  qr: async ({ number }) => number.qr,
  pairingCode: ({ number, head }) => ask(number.linkingConnection.pairingCode(head.digits)),
  check: async ({ number, head }) => Object.fromEntries(await ask(number.connection.check(head.digits))),
  typing({ number, head }) {
    // Phones show the indicator only for an account that is available.
    if (head.on) number.active()
    return ask(number.connection.typing(jidOf(head.to), head.on))
  },
  seen: ({ number, head }) => ask(number.connection.seen(jidOf(head.chat), head.networkIds)),
  send: ({ number, head, file }, { sends }) => sends(head.containerId, () => send(number, head, file)),
  forward: ({ number, head }, { sends }) => sends(head.containerId, () => forward(number, head)),
  edit: ({ number, head }, { sends }) => sends(head.containerId, () => edit(number, head)),
  revoke: ({ number, head }, { sends }) => sends(head.containerId, () => revoke(number, head)),
  contacts: async ({ number }) => connected(number) && ask(listContacts(number.vault)),
  lids: async ({ number }) => connected(number) && ask(listLids(number.vault)),
  chats: async ({ number, head }, { pool }) => connected(number) && listChats(pool, number.vault, head.limit),
  messages: async ({ number, head }, { pool }) =>
    connected(number) && listMessages(pool, number.vault, head.chat, head.limit),
  profile: ({ number }) => profileOf(number),
  async setProfile({ number, head, file }) {
    const { name, about } = head
    const picture = head.hasPicture && file ? { picture: await buffer(file) } : {}
    const change = { ...(name === undefined ? {} : { name }), ...(about === undefined ? {} : { about }), ...picture }
    await ask(number.connection.setProfile(change))
    if (name !== undefined && number.vault.creds.me) {
      number.vault.creds.me.name = name
      number.vault.stageCreds()
      number.refreshName()
      await number.settled()
    }
    return profileOf(number)
  },
  fetchMedia: ({ number, head }) => ask(number.connection.download(head.raw)),
  unlink: ({ number }) => ask(number.logout()),
  process: async ({ head }) => ({ pid: process.pid, machine: hostname(), isEnding: isEnd(head) }),
}

/** Whether a call is to end the process of the host. */
export function isEnd(head: object): boolean {
  return 'end' in head && head.end === true
}

/** Whether a number is connected. Throws a GatewayError `session` when it is not. */
function connected(number: HostedNumber): boolean {
  return number.connection !== null
}

async function profileOf(number: HostedNumber) {
  const { about, pictureUrl } = await ask(number.connection.profile())
  return { id: number.me?.id ?? '', name: number.me?.pushName ?? '', about, pictureUrl }
}

export type AnyCall = IncomingCall<NumberOperation>

/** Tries the way of a number to the network; null: that of this host without a proxy. */
export async function probe(number: HostedNumber | null, context: CallContext): Promise<NetworkProbe> {
  const { engine, config, webVersions } = context
  return engine.probe({ ...config, version: await webVersions.current(), proxy: number?.proxy ?? null })
}
