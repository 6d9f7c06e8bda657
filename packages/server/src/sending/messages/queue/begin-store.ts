import { type Db, rows } from '#platform/db/db.ts'
import type { ClaimedMessage } from './queue-store.ts'

/** Why a campaign message is not sent to its recipient. */
type Refusal = 'NUMBER_NOT_ON_NETWORK' | 'RECIPIENT_OPTED_OUT'

/**
 * Records that the worker with the claim begins to send a campaign message: from here on a pause skips it. Returns null
 * when the campaign does not send any more, or the message was removed from the queue. Otherwise returns why the
 * recipient does not get it: an opt-out, or a check of the last hour that did not find it on the network. A message
 * that the network may have already is not checked again.
 */
export async function beginCampaignMessage(
  db: Db,
  { organizationId, id, token }: Pick<ClaimedMessage, 'organizationId' | 'id'> & { readonly token: string },
): Promise<{ readonly refusal: Refusal | null } | null> {
  const [begun] = await rows<{ refusal: Refusal | null }>(
    db,
    `update messages m set send_started_token = m.lease_token
       from campaigns c
      where m.organization_id = :organizationId and m.id = :id and m.lease_token = :token
        and c.id = m.campaign_id and c.status = 'sending'
     returning case
       when m.outcome_unknown_since is not null then null
       when exists (
         select from contacts p
          where p.organization_id = m.organization_id and p.phone = m.recipient and p.opted_out)
       then 'RECIPIENT_OPTED_OUT'
       when exists (
         select from recipient_checks k
          where k.organization_id = m.organization_id and k.digits = m.recipient and not k.on_network
            and k.valid_until > (select service_now()))
       then 'NUMBER_NOT_ON_NETWORK' end as refusal`,
    { organizationId, id, token },
  )
  return begun ?? null
}
