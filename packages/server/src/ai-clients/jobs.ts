import { limits } from '@msgctl/contract'
import type { HandlerTable } from '#api/http/mount.ts'
import { type PeriodicJob, repeating } from '#platform/periodic-jobs.ts'
import { endExpiredActions, hasUnfinishedActions } from './mcp/approvals/action-store.ts'
import { finishActions } from './mcp/approvals/approve.ts'
import { deleteExpiredCalls } from './mcp/call-store.ts'
import { deleteOldReads } from './mcp/sends/read-text-store.ts'
import { deleteExpiredSends as deleteExpiredAiSends } from './mcp/sends/send-limit-store.ts'
import { deleteStaleClients } from './oauth/client-store.ts'
import { deleteExpiredRequests } from './oauth/request-store.ts'

/** Returns the periodic jobs of AI clients. `allHandlers` returns the table with the routes behind the tools. */
export function aiClientJobs(allHandlers: () => Promise<HandlerTable>): readonly PeriodicJob[] {
  return [
    {
      name: 'ai-actions.finish',
      everySeconds: 15,
      hasWork: hasUnfinishedActions,
      items: 'ai_actions',
      run: (services) => finishActions(services, allHandlers),
    },
    repeating('ai-actions.cleanup', (db) => endExpiredActions(db, limits.mcp.actionDays), { everySeconds: 60 }),
    repeating('ai-clients.cleanup', deleteStaleClients),
    repeating('ai-requests.cleanup', deleteExpiredRequests, { everySeconds: 600 }),
    repeating('ai-calls.cleanup', (db) => deleteExpiredCalls(db, limits.mcp.callDays)),
    repeating('ai-reads.cleanup', deleteOldReads),
    repeating('ai-sends.cleanup', deleteExpiredAiSends),
  ]
}
