import { limits } from '@msgctl/contract'
import { type PeriodicJob, repeating, repeatUntilZero } from '#platform/periodic-jobs.ts'
import { deleteExpiredConnectionTokens } from './access/connection-store.ts'
import { deleteEndedConnections } from './access/ended-connection-store.ts'
import { deleteExpiredActivity } from './activity/list-store.ts'
import { deleteExpiredKeys } from './idempotency/key-store.ts'
import { deleteExpiredUploads } from './media/uploads/store.ts'

/** The periodic jobs of keys, tokens and files of callers. */
export const apiJobs: readonly PeriodicJob[] = [
  repeating('idempotency.cleanup', deleteExpiredKeys, { everySeconds: 600 }),
  {
    name: 'activity.cleanup',
    everySeconds: 3600,
    run: ({ db, config }) => repeatUntilZero(() => deleteExpiredActivity(db, config.retention.activityDays)),
  },
  repeating('uploads.cleanup', deleteExpiredUploads),
  repeating('ai-tokens.cleanup', deleteExpiredConnectionTokens),
  repeating('ai-connections.cleanup', (db) => deleteEndedConnections(db, limits.mcp.connectionDays)),
]
