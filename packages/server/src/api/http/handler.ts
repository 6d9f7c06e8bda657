import type { Parsed, Product, Result, Role, Route } from '@msgctl/contract'
import type * as z from 'zod'
import type { Carrier } from '#api/access/token-store.ts'
import type { Idempotency } from '#api/idempotency/idempotency.ts'
import type { Services } from '#services.ts'
import type { FileToSend } from './files/download.ts'

/** Where a request comes from, for the activity log and the list of sessions. */
export interface Origin {
  /** The caller's address, through trusted proxies only. */
  readonly ip: string
  readonly requestId: string
  /** Product and system as read from the User-Agent header; null when it names none. */
  readonly userAgent: string | null
  /** How a session that this request begins will be presented (default: bearer). */
  readonly carrier?: Carrier
}

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
  /** Set for an AI client; its connection, or null where it calls with a key. */
  readonly aiClient?: { readonly connectionId: string | null }
  /** Absent where no request is behind the caller. */
  readonly origin?: Origin
}

/** The input of an upload: the bytes of the file, and what the caller says about it. */
type UploadInput<P extends { readonly body: unknown }> = Omit<P, 'body'> & {
  readonly body: Omit<P['body'], 'content'>
  readonly file: Buffer
}

/** The body of a request as it came, for the route that checks its signature. */
export interface RawRequest {
  readonly bytes: Buffer
  /** Returns a header by its name in small letters; undefined without it. */
  readonly header: (name: string) => string | undefined
}

/** What every handler is given: the parsed input and facts of the request. Nothing of Koa. */
export type Request<R extends Route> = (R extends { upload: true } ? UploadInput<Parsed<R>> : Parsed<R>) &
  (R extends { raw: true } ? { readonly raw: RawRequest } : unknown) & {
    readonly requestId: string
    /** The caller's address, through trusted proxies only. */
    readonly ip: string
    readonly origin: Origin
    /** Returns a cookie of the browser; absent where no browser can be behind the caller. */
    readonly cookie?: (name: string) => string | undefined
    /** Aborts when the caller left before the response; on a stream also when the server stops. */
    readonly signal: AbortSignal
    /** Null on public routes, where credentials are not read. */
    readonly caller: R extends { access: { keys: 'public' } } ? null : Caller
    readonly idempotency: Idempotency<Result<R>>
    /** Where an interrupted stream continues: the Last-Event-ID header, at most 200 characters. */
    readonly lastEventId: string | null
  }

/**
 * One frame of a stream of server-sent events. `data` is validated against the route's `response` and written as JSON;
 * a frame with a `comment` alone is a heartbeat. `id` and `event` are single lines.
 */
export interface Frame<Data> {
  readonly id?: string
  readonly event?: string
  readonly data?: Data
  readonly comment?: string
}

/**
 * Opens one stream. Refusals are thrown before the promise resolves, because afterwards the status is sent. The edge
 * pulls a frame only when the caller can receive it. When `request.signal` aborts it calls the
 * iterator's `return`, so that a generator's `finally` runs; a wait inside the iterator must end at that signal.
 */
type StreamHandler<R extends Route> = (
  request: Request<R>,
  services: Services,
) => Promise<AsyncIterable<Frame<z.input<R['response']>>>>

/** Does what one route promises. Throws ApiError with a code of `listErrors(route)`. */
type Handler<R> = R extends Route
  ? R extends { stream: true }
    ? StreamHandler<R>
    : R extends { download: true }
      ? (request: Request<R>, services: Services) => Promise<FileToSend>
      : (request: Request<R>, services: Services) => Promise<Result<R>>
  : never

/** The handlers of one resource of the contract, by endpoint name. */
export type Handlers<Resource> = { readonly [K in keyof Resource]: Handler<Resource[K]> }
