import { GatewayError } from '@msgctl/network/errors'
import { contentOf, type SendBody } from './content.ts'
import { badRequest, fromNetwork, WahaFailure } from './failures.ts'
import type { Route, RouteContext } from './routes.ts'
import { addressOf, bareIdOf, chatIdOf, listedShape, mediaOf, seconds } from './shapes.ts'

/** More than a test has in one chat. */
const manyMessages = 1000

/** The routes that read people, chats and the profile. */
export function readRoutes({ network, sessions, engine, files }: RouteContext): Route[] {
  const working = (name: string | null | undefined) => sessions.expecting(name ?? '', 'WORKING')
  const about = new Map<string, string>()
  return [
    [
      'GET',
      /^\/api\/contacts\/check-exists$/,
      async ({ query, echo }) => {
        const session = await working(query.get('session'))
        const digits = (query.get('phone') ?? '').replace('+', '')
        const found = await network.check(sessions.toNumber(session), [digits]).catch((error: unknown) => {
          throw error instanceof GatewayError ? fromNetwork(error, { request: echo, engine, to: digits }) : error
        })
        const result = found.get(digits)
        if (!result?.exists) return { numberExists: false, chatId: null }
        return { numberExists: true, chatId: chatIdOf(result.address ?? addressOf(digits)), pn: `${digits}@c.us` }
      },
    ],
    [
      'GET',
      /^\/api\/contacts\/all$/,
      async ({ query }) => {
        const session = await working(query.get('session'))
        const contacts = await network.contacts(sessions.toNumber(session))
        return contacts.map(({ address, name, saved }) => ({
          id: chatIdOf(address),
          name: saved ? name : null,
          pushname: name,
          isMyContact: saved,
        }))
      },
    ],
    [
      'GET',
      /^\/api\/([^/]+)\/lids$/,
      async ({ parts: [name] }) => {
        const found = await network.lids(sessions.toNumber(await working(name)))
        return found.map(({ lid, digits }) => ({ lid, pn: `${digits}@c.us` }))
      },
    ],
    [
      'GET',
      /^\/api\/([^/]+)\/chats\/overview$/,
      async ({ parts: [name], query }) => {
        const number = sessions.toNumber(await working(name))
        const found = await network.chats(number, Number(query.get('limit') ?? 20))
        return Promise.all(
          found.map(async ({ address, name, lastAt }) => {
            const [last] = (await network.messages(number, address, manyMessages)).slice(-1)
            const lastMessage = {
              fromMe: last?.direction === 'out',
              timestamp: seconds(lastAt.getTime()),
              body: last?.text ?? '',
              hasMedia: false,
            }
            return { id: chatIdOf(address), name, picture: null, lastMessage, _chat: {} }
          }),
        )
      },
    ],
    [
      'GET',
      /^\/api\/([^/]+)\/chats\/([^/]+)\/messages$/,
      async ({ parts: [name, chat = ''], query }) => {
        const limit = Number(query.get('limit'))
        if (!Number.isInteger(limit)) throw badRequest(['limit must be an integer number'])
        const number = sessions.toNumber(await working(name))
        const found = await network.messages(number, addressOf(decodeURIComponent(chat)), limit)
        return found.map((message) => listedShape(engine, message)).reverse()
      },
    ],
    [
      'GET',
      /^\/api\/([^/]+)\/chats\/([^/]+)\/messages\/([^/]+)$/,
      async ({ parts: [name, chat = '', id = ''], query }) => {
        const number = sessions.toNumber(await working(name))
        const networkId = bareIdOf(decodeURIComponent(id))
        const address = addressOf(decodeURIComponent(chat))
        const found = await network.messages(number, address, manyMessages)
        const message = found.find((one) => one.networkId === networkId)
        if (!message) throw new WahaFailure(404, { statusCode: 404, message: 'Message not found', error: 'Not Found' })
        const file =
          query.get('downloadMedia') === 'false'
            ? null
            : await network.fetchMedia(number, { networkId, chat: address, raw: null })
        if (file) files.save(networkId)
        const media = file && mediaOf(networkId, { mimetype: file.mimetype, sizeBytes: 0 })
        return { ...listedShape(engine, message), media }
      },
    ],
    [
      'GET',
      /^\/api\/([^/]+)\/profile$/,
      async ({ parts: [name] }) => {
        const profile = await network.profile(sessions.toNumber(await working(name)))
        about.set(profile.id, profile.about)
        return { id: profile.id, name: profile.name, picture: profile.pictureUrl }
      },
    ],
    ['GET', /^\/api\/contacts\/about$/, ({ query }) => ({ about: about.get(query.get('contactId') ?? '') ?? null })],
    [
      'PUT',
      /^\/api\/([^/]+)\/profile\/(name|status|picture)$/,
      async ({ parts: [name, what], body }) => {
        const given = body as { name?: string; status?: string; file?: object }
        const number = sessions.toNumber(await working(name))
        if (what === 'picture') {
          const content = await contentOf('/api/sendImage', { session: '', chatId: '', ...given } as SendBody)
          if ('bytes' in content) await network.setProfile(number, { picture: content })
        } else
          await network.setProfile(number, what === 'name' ? { name: given.name ?? '' } : { about: given.status ?? '' })
        return { success: true }
      },
    ],
  ]
}
