import { setTimeout as wait } from 'node:timers/promises'
import { PostgresBackend, type PostgresBackendConfig, PostgresJobRepository } from '@agendajs/postgres-backend'

type NextJob = Parameters<PostgresJobRepository['getNextJobToRun']>

/** Agenda's repository, except that it tries to lock only the jobs that one statement for all of them found due. */
class PolledJobRepository extends PostgresJobRepository {
  readonly #dueJobs: () => Promise<Set<string>>

  constructor(config: PostgresBackendConfig, dueJobs: () => Promise<Set<string>>) {
    super(config)
    this.#dueJobs = dueJobs
  }

  override async getNextJobToRun(...[name, ...rest]: NextJob) {
    const due = await this.#dueJobs()
    // A name leaves the set, because agenda queries again after each job that it locked.
    return due.delete(name) ? super.getNextJobToRun(name, ...rest) : undefined
  }
}

const reconnectMs = 500

/** Agenda's Postgres, polled by one statement for all jobs instead of one for each. */
export class PolledJobBackend extends PostgresBackend {
  readonly #repository: PolledJobRepository
  readonly #pool: PostgresBackendConfig['pool']

  /** `dueJobs` returns the jobs to lock now; it is called for each job of a poll. */
  constructor(config: PostgresBackendConfig, dueJobs: () => Promise<Set<string>>) {
    super(config)
    this.#repository = new PolledJobRepository(config, dueJobs)
    this.#pool = config.pool
  }

  override get repository(): PostgresJobRepository {
    return this.#repository
  }

  /**
   * Agenda calls this in its constructor, where nothing waits for it: a rejection would end the process. So it waits
   * until the database is there, or the pool has ended.
   */
  override async connect(): Promise<void> {
    for (;;) {
      try {
        return await super.connect()
      } catch {
        if (this.#pool === undefined || this.#pool.ending) return
        await wait(reconnectMs)
      }
    }
  }
}
