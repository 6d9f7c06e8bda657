import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { lockNumbers } from '#numbers/records/store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { listCandidates } from './candidate-store.ts'
import { moveAllWaiting, moveWaiting } from './failover.ts'
import { numberNotFound } from './select-number.ts'
import type { SendGroup } from './send-group-rules.ts'
import { findGroup, saveGroup } from './send-group-store.ts'

type Numbers = Contract['numbers']

/** The send group of the caller's organization. */
export async function getSendGroup({ caller }: Request<Numbers['sendGroup']>, { db }: Services) {
  return { sendGroup: groupView(await findGroup(db, caller.organizationId)) }
}

/**
 * Changes the send group; what is left out stays (specification, "PUT /session/send-group"). What waits on a number
 * that is down moves at once when the changed group has one that can send. Throws NOT_FOUND for a number that is not
 * the organization's, VALIDATION_ERROR for a group that would be on without numbers.
 */
export async function setSendGroup({ caller, body }: Request<Numbers['setSendGroup']>, services: Services) {
  const { organizationId } = caller
  const { group, waiting } = await transaction(services.db, async (trx) => {
    // The same lock as for adding and removing numbers, so that the group never holds one that is gone.
    await lockNumbers(trx, organizationId)
    const before = await findGroup(trx, organizationId)
    const after: SendGroup = {
      enabled: body.enabled ?? before.enabled,
      containerIds: body.containerIds ?? before.containerIds,
      mode: body.mode ?? before.mode,
      sticky: body.sticky ?? before.sticky,
    }
    if (body.containerIds) await requireOwn(trx, organizationId, body.containerIds)
    if (after.enabled && after.containerIds.length === 0) {
      throw invalidField('containerIds', 'must have at least one number while the send group is on')
    }
    if (same(before, after)) return { group: after, waiting: { messages: 0, more: false } }
    await saveGroup(trx, organizationId, after)
    await recordActivity(trx, {
      organizationId,
      actor: toActor(caller),
      action: 'send_group.changed',
      details: { before, after },
    })
    return { group: after, waiting: await moveWaiting(trx, organizationId) }
  })
  if (waiting.more) await moveAllWaiting(services, organizationId)
  return { sendGroup: groupView(group) }
}

async function requireOwn(trx: Db, organizationId: string, containerIds: readonly string[]): Promise<void> {
  const own = new Set((await listCandidates(trx, organizationId, null)).map(({ id }) => id))
  if (!containerIds.every((id) => own.has(id))) throw numberNotFound()
}

function same(a: SendGroup, b: SendGroup): boolean {
  const ids = (group: SendGroup) => group.containerIds.join()
  return a.enabled === b.enabled && a.mode === b.mode && a.sticky === b.sticky && ids(a) === ids(b)
}

function groupView({ containerIds, ...group }: SendGroup) {
  return { ...group, containerIds: [...containerIds] }
}
