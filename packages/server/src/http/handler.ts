import type { Parsed, Product, Result, Role, Route } from '@msgctl/contract'
import type { Services } from '../services.ts'
import type { Idempotency } from './idempotency.ts'

/** Who calls. An account key acts as an admin; a number's key acts as an admin of its own number only. */
export interface Caller {
  readonly kind: 'account_key' | 'number_key' | 'user'
  readonly organizationId: string
  readonly role: Role
  /** The number of a number's key, else null. */
  readonly containerId: string | null
  /** The signed-in user, else null. */
  readonly userId: string | null
  /** The products that are active now. */
  readonly products: ReadonlySet<Product>
  /** True while the organization holds no granted product: its messages count against the trial. */
  readonly trial: boolean
  /** For the scope of idempotency keys and the activity log: `account`, `number:<id>` or `user:<id>`. */
  readonly credential: string
  /** SHA-256 of the presented key or token, to end a sign-in or to name it in the log. */
  readonly credentialHash: Buffer
}

/** What every handler is given: the parsed input and facts of the request. Nothing of Koa. */
export type Request<R> = Parsed<R> & {
  readonly requestId: string
  /** The caller's address, through trusted proxies only. */
  readonly ip: string
  /** Aborts when the caller went away. */
  readonly signal: AbortSignal
  readonly caller: R extends { access: { keys: 'public' } } ? Caller | null : Caller
  readonly idempotency: Idempotency
}

/** Does what one route promises. Throws ApiError with a code of `errorsOf(route)`. */
export type Handler<R> = R extends Route ? (request: Request<R>, services: Services) => Promise<Result<R>> : never

/** The handlers of one resource of the contract, by endpoint name. */
export type Handlers<Resource> = { readonly [K in keyof Resource]: Handler<Resource[K]> }
