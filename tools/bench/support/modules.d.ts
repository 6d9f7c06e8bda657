// What the benchmarks use of the packages that only tools/bench installs.

declare module 'fastify' {
  interface Reply {
    code(status: number): this
    send(body: unknown): this
  }
  interface App {
    post<Body>(
      path: string,
      options: { schema: { body: unknown } },
      handler: (request: { body: Body }, reply: Reply) => Promise<unknown>,
    ): void
    listen(options: { port: number; host: string }): Promise<string>
  }
  export default function fastify(): App
}

declare module 'graphile-worker' {
  export class Logger {
    constructor(makeLog: () => (level: string, message: string) => void)
  }
  interface Options {
    connectionString: string
    logger: Logger
  }
  interface WorkerUtils {
    migrate(): Promise<void>
    addJobs(jobs: { identifier: string; payload: unknown }[]): Promise<unknown>
    withPgClient<Result>(work: (client: { query(sql: string): Promise<unknown> }) => Promise<Result>): Promise<Result>
    release(): Promise<void>
  }
  export function makeWorkerUtils(options: Options): Promise<WorkerUtils>
  export function run(options: {
    preset: { worker: Record<string, unknown> }
    noHandleSignals: boolean
    logger: Logger
    taskList: Record<string, () => Promise<void>>
  }): Promise<{ stop(): Promise<void> }>
}

declare module 'pg' {
  /** A statement with its values; one with a name is parsed once by each connection. */
  export interface Statement {
    name?: string
    text: string
    values?: unknown[]
  }
  export interface Result {
    rows: Record<string, unknown>[]
  }
  export class Client {
    query(statement: string | Statement, ...others: unknown[]): Promise<Result>
  }
  export class Pool {
    constructor(options: { connectionString: string | undefined; max: number })
    on(event: 'error', listener: (error: Error) => void): this
    query(statement: string | Statement): Promise<Result>
  }
  const pg: { Client: typeof Client; Pool: typeof Pool }
  export default pg
}

declare module 'pg-boss' {
  interface Options {
    connectionString: string | undefined
    max: number
    supervise: boolean
    schedule: boolean
  }
  export default class PgBoss {
    constructor(options: Options)
    on(event: 'error', listener: (error: Error) => void): this
    start(): Promise<unknown>
    stop(options: { graceful: boolean; close: boolean }): Promise<void>
    createQueue(name: string): Promise<void>
    getDb(): { executeSql(sql: string): Promise<unknown> }
    insert(jobs: { name: string; data: unknown }[]): Promise<unknown>
    send(queue: string, data: object): Promise<string | null>
    fetch(queue: string, options: { batchSize: number }): Promise<{ id: string }[]>
    complete(queue: string, ids: string[]): Promise<unknown>
  }
}

declare module 'standardwebhooks' {
  export class Webhook {
    constructor(secret: string)
    sign(id: string, timestamp: Date, payload: string): string
    verify(payload: string | Uint8Array, headers: Record<string, string>): unknown
  }
}
