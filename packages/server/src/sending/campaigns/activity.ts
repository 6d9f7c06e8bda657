import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'

type Verb = 'created' | 'changed' | 'sent' | 'paused' | 'resumed' | 'cancelled' | 'deleted'

/** Records a change to a campaign in the activity log, in the transaction of the change. */
export function recordCampaign(
  trx: Db,
  caller: Caller,
  verb: Verb,
  { id, ...details }: { readonly id: string } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const { organizationId } = caller
  return recordActivity(trx, {
    organizationId,
    actor: toActor(caller),
    action: `campaign.${verb}`,
    subject: id,
    details,
  })
}
