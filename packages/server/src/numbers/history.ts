import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import type { Services } from '#services.ts'
import { countHistory, listHistory } from './history-store.ts'
import { reasonMessage, reasonOf } from './records/view.ts'
import { resolveNumber } from './send-group/select-number.ts'

function view({ at, reason, ...change }: Awaited<ReturnType<typeof listHistory>>[number]) {
  return { ...change, at: at.toISOString(), reason: reasonOf(reason), message: reasonMessage(reason) }
}

/** Lists how the connection of a number changed in the last 90 days, latest first. */
export async function numberHistory(
  { caller, query }: Request<Contract['numbers']['history']>,
  { db }: Pick<Services, 'db'>,
) {
  const { id: containerId, organizationId } = await resolveNumber(db, caller, query.containerId)
  const { page, limit } = query
  const [total, found] = await Promise.all([
    countHistory(db, organizationId, containerId),
    listHistory(db, organizationId, containerId, { limit, offset: (page - 1) * limit }),
  ])
  return { containerId, total, page, limit, history: found.map(view) }
}
