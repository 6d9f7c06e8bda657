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
    maxPoolSize: number
    logger: Logger
  }
  interface Client {
    query(sql: string): Promise<{ rows: unknown[] }>
  }
  /** What the benchmarks give each job. */
  interface Payload {
    n: number
  }
  export type TaskList = Record<string, (payload: Payload) => Promise<void>>
  interface WorkerUtils {
    migrate(): Promise<void>
    addJob(identifier: string, payload: unknown): Promise<unknown>
    addJobs(jobs: { identifier: string; payload: unknown }[]): Promise<unknown>
    withPgClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result>
    release(): Promise<void>
  }
  export function makeWorkerUtils(options: Options): Promise<WorkerUtils>
  export function run(options: {
    preset: { worker: Record<string, unknown> }
    noHandleSignals: boolean
    logger: Logger
    taskList: TaskList
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
    end(): Promise<void>
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
    useListenNotify?: boolean
  }
  interface Job {
    id: string
    data: { n: number; body: string }
  }
  export class PgBoss {
    constructor(options: Options)
    on(event: 'error', listener: (error: Error) => void): this
    start(): Promise<unknown>
    stop(options: { graceful: boolean; close: boolean }): Promise<void>
    createQueue(name: string, options?: { notify: boolean }): Promise<void>
    getDb(): { executeSql(sql: string): Promise<unknown> }
    insert(queue: string, jobs: { data: object }[]): Promise<unknown>
    send(queue: string, data: object): Promise<string | null>
    fetch(queue: string, options: { batchSize: number }): Promise<Job[]>
    complete(queue: string, ids: string[]): Promise<unknown>
    work(
      queue: string,
      options: { pollingIntervalSeconds: number; batchSize: number },
      handler: (jobs: Job[]) => Promise<void>,
    ): Promise<string>
  }
}

declare module 'standardwebhooks' {
  export class Webhook {
    constructor(secret: string)
    sign(id: string, timestamp: Date, payload: string): string
    verify(payload: string | Uint8Array, headers: Record<string, string>): unknown
  }
}
