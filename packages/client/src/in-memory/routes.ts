import { adminEndpoints } from '@msgctl/contract/admin-endpoints'
import { endpoints } from '@msgctl/contract/endpoints'
import { endpointTraits } from '@msgctl/contract/traits'
import type { CallName, InputOf, OutputOf } from '../types.ts'

/** A route by its name on the client: `alert.send`. */
export type RouteId = CallName

/** The input of a route. */
export type InputAt<Id extends RouteId> = InputOf<Id>

/** The response of a route; the fake adds `success` where the service has it. */
export type AnswerAt<Id extends RouteId> =
  OutputOf<Id> extends { success: true } ? Omit<OutputOf<Id>, 'success'> : OutputOf<Id>

/** The pattern of one route. */
interface Pattern {
  readonly id: RouteId
  readonly method: string
  readonly segments: readonly string[]
  readonly takesKey: boolean
}

const patterns: readonly Pattern[] = Object.entries({ ...endpoints, ...adminEndpoints }).flatMap(([resource, table]) =>
  Object.entries(table as Readonly<Record<string, string>>).map(([name, endpoint]) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const takesKey = endpointTraits(endpoint).idempotent
    return { id: `${resource}.${name}` as RouteId, method, segments: path.split('/'), takesKey }
  }),
)

/** The route of a request, and the values of its path parameters. */
interface Match {
  readonly id: RouteId
  readonly parameters: Readonly<Record<string, string>>
  /** Whether the route takes an Idempotency-Key. */
  readonly takesKey: boolean
}

function matchOne({ id, segments, takesKey }: Pattern, parts: readonly string[]): Match | undefined {
  if (segments.length !== parts.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (segment.startsWith(':')) parameters[segment.slice(1)] = decodeURIComponent(part)
    else if (segment !== part) return undefined
  }
  return { id, parameters, takesKey }
}

/** Returns the route of a request by its path relative to the base URL. Paths without parameters come first. */
export function matchRoute(method: string, path: string): Match | undefined {
  const parts = path.split('/')
  const matches = patterns.flatMap((pattern) => (pattern.method === method ? (matchOne(pattern, parts) ?? []) : []))
  return matches.sort((left, right) => Object.keys(left.parameters).length - Object.keys(right.parameters).length)[0]
}

/** The routes whose responses carry no `success`. */
type Bare = { [Id in RouteId]: OutputOf<Id> extends { success: true } ? never : Id }[RouteId]

/** The type requires exactly the routes whose responses carry no `success`. */
const bare: Readonly<Record<Bare, true>> = {
  'numbers.list': true,
  'numbers.status': true,
  'numbers.qr': true,
  'numbers.pair': true,
  'numbers.start': true,
  'numbers.stop': true,
  'numbers.reconnect': true,
  'numbers.logout': true,
  'numbers.history': true,
  'numbers.profile': true,
  'numbers.setProfile': true,
  'chats.attachment': true,
  'events.stream': true,
  'openapi.document': true,
}

/** The routes whose status is not 200; a test compares them with the contract. */
const statuses: Readonly<Partial<Record<RouteId, 201 | 202>>> = {
  'alert.send': 201,
  'alert.batch': 201,
  'alert.sendImage': 201,
  'alert.sendVideo': 201,
  'alert.sendFile': 201,
  'alert.sendVoice': 201,
  'alert.sendContact': 201,
  'alert.sendLocation': 201,
  'alert.sendLink': 201,
  'alert.sendPoll': 201,
  'alert.forward': 201,
  'media.upload': 201,
  'campaigns.create': 201,
  'reminders.create': 201,
  'reminders.import': 201,
  'otp.send': 201,
  'numbers.create': 201,
  'numbers.generateKey': 201,
  'account.generateKey': 201,
  'webhook.test': 202,
  'webhook.addEndpoint': 201,
  'webhook.replayDeliveries': 202,
  'bots.create': 201,
  'bots.addAnswer': 201,
  'bots.importAnswers': 201,
  'bots.addProduct': 201,
  'bots.importProducts': 201,
  'bots.addOrderPhone': 201,
  'events.replay': 202,
  'auth.setUpTwoFactor': 201,
  'organization.create': 201,
  'team.invite': 201,
  'auth.forgotPassword': 202,
  'auth.sendVerification': 202,
  'auth.signUp': 201,
}

/** Returns the HTTP status of a route's success. */
export const successStatus = (id: RouteId): number => statuses[id] ?? 200

/** Returns whether the response of a route carries `success: true`. */
export const carriesSuccess = (id: RouteId): boolean => !Object.hasOwn(bare, id)
