import { GatewayError } from '@msgctl/network/errors'
import type { Driver, SendOptions, SendReceipt } from '@msgctl/network/gateway'
import type { GatewaySession, MessageRef, NetAddress } from '@msgctl/network/session'
import { toChatId, toMessageId } from './address.ts'
import { type SendRequest, type ToFileBody, toBase64, toSendRequest } from './body.ts'
import type { WahaContext } from './context.ts'
import { readSent } from './sent.ts'
import { explainRefusal } from './watch/refused-send.ts'
import type { CallWorking } from './working.ts'

/** Everything that changes messages on the network. */
export type SendCalls = Pick<Driver, 'send' | 'forward' | 'edit' | 'revoke' | 'typing' | 'seen'>

/** WAHA holds a whole request in memory; larger files are fetched from a link of ours. */
const maxInlineBytes = 16 * 1024 * 1024

/** What is stored with a message, so that it can be named later. */
const ownMessage = { fromMe: true } as const

/** Creates the calls that change messages. */
export function sendCalls(ctx: WahaContext, call: CallWorking): SendCalls {
  async function post(
    session: GatewaySession,
    to: NetAddress,
    { path, body }: SendRequest,
    { clientId, timeoutMs, signal }: SendOptions,
  ): Promise<SendReceipt> {
    const sent = { ...body, id: clientId }
    const request = { method: 'POST', path, body: sent, timeoutMs, signal, sends: true } as const
    const response = await call(session, request).catch(async (error: unknown) => {
      const isRefusal = error instanceof GatewayError && error.kind === 'contact_refused'
      throw isRefusal ? await explainRefusal(ctx, session, error) : await ctx.repairs.refused(session, to, error)
    })
    const { networkId, pending } = readSent(response.body)
    if (!pending) await ctx.repairs.taken(session)
    const ref: MessageRef = { networkId: networkId ?? clientId, chat: to, raw: { ...ownMessage } }
    return { ref, status: pending ? 'pending' : 'sent' }
  }

  const send: Driver['send'] = async (session, to, content, options) => {
    const links: { end(): void }[] = []
    const toFileBody: ToFileBody = async (file) => {
      if (file.sizeBytes <= maxInlineBytes) return { data: await toBase64(file) }
      const link = ctx.files.add(file)
      links.push(link)
      return { url: ctx.callbackUrl + link.path }
    }
    try {
      const request = await toSendRequest(session.containerId, to, content, toFileBody).catch(() => {
        throw new GatewayError('rejected', 'The file could not be read to its end.')
      })
      return await post(session, to, request, options)
    } finally {
      for (const link of links) link.end()
    }
  }

  return {
    send,
    async forward(session, to, message, { fallback, ...options }) {
      const body = { session: session.containerId, chatId: toChatId(to), messageId: nameOf(message) }
      try {
        return await post(session, to, { path: '/api/forwardMessage', body }, options)
      } catch (error) {
        if (fallback && isNotHeld(error)) return send(session, to, fallback, options)
        throw error
      }
    },
    async edit(session, message, text, options) {
      await call(session, { method: 'PUT', path: messagePath(session, message), body: { text }, ...options })
    },
    async revoke(session, message, options) {
      await call(session, { method: 'DELETE', path: messagePath(session, message), ...options })
    },
    async typing(session, to, on) {
      const body = { session: session.containerId, chatId: toChatId(to) }
      await call(session, { method: 'POST', path: on ? '/api/startTyping' : '/api/stopTyping', body })
    },
    async seen(session, chat, networkIds) {
      const messageIds = networkIds.map((networkId) => toMessageId(chat, networkId, false))
      const body = { session: session.containerId, chatId: toChatId(chat), messageIds }
      await call(session, { method: 'POST', path: '/api/sendSeen', body })
    },
  }
}

/** The host no longer has the message, or its engine forwards none; certainly nothing was sent. */
function isNotHeld(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.outcome !== 'not_sent') return false
  return error.kind === 'rejected' || error.kind === 'unsupported'
}

/** A message that we sent has our own mark; every other one is a person's. */
function nameOf({ chat, networkId, raw }: MessageRef): string {
  const fromMe = typeof raw === 'object' && raw !== null && !Array.isArray(raw) && raw.fromMe === true
  return toMessageId(chat, networkId, fromMe)
}

/** Only messages of the number itself are changed. */
function messagePath({ containerId }: GatewaySession, { chat, networkId }: MessageRef): string {
  const id = toMessageId(chat, networkId, true)
  return `/api/${containerId}/chats/${encodeURIComponent(toChatId(chat))}/messages/${encodeURIComponent(id)}`
}
