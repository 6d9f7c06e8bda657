import type { Pool } from 'pg'
import type { Engine, EngineConfig } from '../engine/engine.ts'
import type { LoginPace } from '../host/login-pace.ts'
import type { WebVersions } from '../host/web-versions.ts'
import type { HostLog } from '../process/log.ts'
import type { HistoryWriter } from './history-writer.ts'

/** What the numbers of one host share. */
export interface NumberContext {
  readonly pool: Pool
  /** Connections of its own for links that end: one has many keys, and leases and commits must not wait behind it. */
  readonly linkPool: Pool
  readonly engine: Engine
  readonly config: EngineConfig
  /** Counts connections that ended, by the reason. */
  readonly onReconnect: (reason: string) => void
  /** Called after an event was stored outside of a commit of the vault. */
  readonly onEvents: () => void
  /** Spaces the logins of this process. */
  readonly logins: LoginPace
  readonly webVersions: WebVersions
  readonly history: HistoryWriter
  readonly log: HostLog
}
