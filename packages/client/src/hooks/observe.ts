import type { Success } from '../attempt.ts'
import type { ErrorFields } from '../error.ts'
import type { Core, Prepared } from '../prepare.ts'

/** One attempt of a call. It has no URL, because paths hold phone numbers, and no body. */
export interface AttemptInfo {
  /** The endpoint without its parameters: `GET /chats/:phone`. */
  readonly endpoint: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Only with `logBodies`. */
  readonly url?: string
  /** Only with `logBodies`: the JSON text that is sent. */
  readonly body?: string | undefined
}

/** The end of an attempt. */
export interface AttemptResultInfo extends AttemptInfo {
  readonly durationMs: number
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** The code of a failure; undefined for a success. */
  readonly code: string | undefined
  /** Only with `logBodies`: the value of a success. */
  readonly data?: unknown
}

/** The wait before another attempt. */
export interface RetryInfo extends AttemptInfo {
  readonly waitMs: number
  readonly code: string
}

/** Functions that a client calls for each attempt. They must not throw; an exception is ignored. */
export interface CallHooks {
  /** Called before each attempt. */
  readonly onRequest?: ((info: AttemptInfo) => void) | undefined
  /** Called after each attempt, also after a failed one. */
  readonly onResponse?: ((info: AttemptResultInfo) => void) | undefined
  /** Called before the wait that precedes another attempt. */
  readonly onRetry?: ((info: RetryInfo) => void) | undefined
}

/** What a client logs to, such as `console` or a pino logger. */
export interface Logger {
  debug(message: string): void
  warn(message: string): void
}

function safely(task: () => void): void {
  try {
    task()
  } catch {
    // A hook or logger that fails must not change the call.
  }
}

/** The reports about one call. */
export class Observer {
  readonly #core: Core
  readonly #prepared: Prepared
  #attempt = 0
  #beganAt = 0

  constructor(core: Core, prepared: Prepared) {
    this.#core = core
    this.#prepared = prepared
  }

  #info(): AttemptInfo {
    const { endpoint, url, body } = this.#prepared
    return {
      endpoint,
      attempt: this.#attempt,
      ...(this.#core.settings.logBodies ? { url, ...(typeof body === 'string' && { body }) } : {}),
    }
  }

  begin(): void {
    this.#attempt += 1
    this.#beganAt = this.#core.clock.now()
    safely(() => this.#core.settings.hooks.onRequest?.(this.#info()))
  }

  end(result: Success | { readonly fields: ErrorFields }): void {
    const { clock, settings } = this.#core
    const failed = 'fields' in result ? result.fields : undefined
    const { status, requestId, code }: Partial<ErrorFields> =
      'fields' in result ? result.fields : { status: result.response.status, requestId: result.requestId }
    const info: AttemptResultInfo = {
      ...this.#info(),
      durationMs: Math.round(clock.now() - this.#beganAt),
      status,
      requestId,
      code,
      ...(settings.logBodies && 'data' in result ? { data: result.data } : {}),
    }
    safely(() => settings.hooks.onResponse?.(info))
    const { endpoint, attempt, durationMs, url, body } = info
    const what = [endpoint, status, code, `${durationMs} ms`, attempt > 1 && `attempt ${attempt}`, requestId, url, body]
    safely(() => settings.logger?.[failed ? 'warn' : 'debug'](what.filter(Boolean).join(' ')))
  }

  retry(waitMs: number, code: string): void {
    safely(() => this.#core.settings.hooks.onRetry?.({ ...this.#info(), waitMs, code }))
  }
}
