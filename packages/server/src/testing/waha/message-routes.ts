import { randomBytes } from 'node:crypto'
import { GatewayError } from '@msgctl/network/errors'
import type { NetAddress } from '@msgctl/network/session'
import { contentOf, type SendBody } from './content.ts'
import { type Echo, engineError, fromNetwork } from './failures.ts'
import type { Route, RouteContext } from './routes.ts'
import { type FakeSession, reached } from './sessions.ts'
import { addressOf, bareIdOf, chatIdOf, sentShape } from './shapes.ts'

const sendTimeoutMs = 60_000
/** WAHA drops the id that a request for one of these names: its document has none. */
const withoutId = /^\/api\/(?:send(?:Image|Video|File|Voice)|send\/link-custom-preview)$/
const sendPaths = /^\/api\/send(?:Text|Image|Video|File|Voice|ContactVcard|Location|Poll|\/link-custom-preview)$/

/** The routes that send and change messages. */
export function messageRoutes({ network, sessions, engine, acknowledged }: RouteContext): Route[] {
  async function send(
    session: FakeSession,
    to: NetAddress,
    { clientId, echo }: { clientId: string; echo: Echo },
    call: (options: { clientId: string; timeoutMs: number; typed: boolean }) => Promise<{ status: 'pending' | 'sent' }>,
  ): Promise<object> {
    const chat = chatIdOf(to)
    if (session.isJammed) throw engineError('2 UNKNOWN: server returned error 400', echo, engine)
    const typed = session.typing.delete(chat)
    try {
      const { status } = await call({ clientId, timeoutMs: sendTimeoutMs, typed })
      if (engine === 'NOWEB' && status === 'sent') acknowledged(session, to, clientId)
      return sentShape(engine, to, clientId)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      throw fromNetwork(error, { request: echo, engine, to: chat.replace(/@.*/, '') })
    }
  }

  async function change(name: string, echo: Echo, run: (session: FakeSession) => Promise<void>): Promise<object> {
    const session = await sessions.expecting(name, 'WORKING')
    await run(session).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error
      throw error.kind === 'rejected'
        ? engineError('message not found', echo, engine)
        : fromNetwork(error, { request: echo, engine, to: '' })
    })
    return {}
  }
  const newId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
  const options = { timeoutMs: sendTimeoutMs }
  const refOf = (chatId: string, id: string) => ({
    networkId: bareIdOf(decodeURIComponent(id)),
    chat: addressOf(decodeURIComponent(chatId)),
    raw: null,
  })
  return [
    [
      'POST',
      sendPaths,
      async ({ path, body, echo }) => {
        const request = body as SendBody
        const session = await sessions.expecting(request.session, 'WORKING')
        const to = addressOf(request.chatId)
        const content = await contentOf(path, request)
        const clientId = (withoutId.test(path) ? undefined : request.id) ?? newId()
        return send(session, to, { clientId, echo }, (how) =>
          network.send(sessions.toNumber(session), to, content, how),
        )
      },
    ],
    [
      'POST',
      /^\/api\/forwardMessage$/,
      async ({ body, echo }) => {
        const request = body as SendBody & { messageId: string }
        const session = await sessions.expecting(request.session, 'WORKING')
        const to = addressOf(request.chatId)
        const message = refOf(request.messageId.split('_')[1] ?? '', request.messageId)
        return send(session, to, { clientId: request.id ?? newId(), echo }, (how) =>
          network.forward(sessions.toNumber(session), to, message, { ...how, fallback: null }),
        )
      },
    ],
    [
      'POST',
      /^\/api\/(start|stop)Typing$/,
      async ({ parts: [verb], body }) => {
        const { session: name, chatId } = body as SendBody
        const session = await sessions.expecting(name, 'WORKING')
        await reached(network.typing(sessions.toNumber(session), addressOf(chatId), verb === 'start'))
        if (verb === 'start') session.typing.add(chatId)
        return { result: true }
      },
    ],
    [
      'POST',
      /^\/api\/sendSeen$/,
      async ({ body, echo }) => {
        const { session: name, chatId, messageIds = [] } = body as SendBody & { messageIds?: string[] }
        const ids = messageIds.map((id) => bareIdOf(id))
        return change(name, echo, (session) => network.seen(sessions.toNumber(session), addressOf(chatId), ids))
      },
    ],
    [
      'PUT',
      /^\/api\/([^/]+)\/chats\/([^/]+)\/messages\/([^/]+)$/,
      ({ parts: [name = '', chat = '', id = ''], body, echo }) =>
        change(name, echo, (session) =>
          network.edit(sessions.toNumber(session), refOf(chat, id), (body as { text: string }).text, options),
        ),
    ],
    [
      'DELETE',
      /^\/api\/([^/]+)\/chats\/([^/]+)\/messages\/([^/]+)$/,
      ({ parts: [name = '', chat = '', id = ''], echo }) =>
        change(name, echo, (session) => network.revoke(sessions.toNumber(session), refOf(chat, id), options)),
    ],
  ]
}
