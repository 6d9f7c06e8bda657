import { type Db, rows } from '../db/db.ts'
import type { ClaimedMessage } from './queue-store.ts'

/**
 * Says that the holder of a claim now begins to hand a campaign message to the network: from here on a pause leaves it
 * alone. Answers null when the campaign does not send any more, or the message was taken out of the queue; else whether
 * the recipient is known, from the last hour, to be off the network.
 */
export async function beginCampaignMessage(
  db: Db,
  { organizationId, id, token }: Pick<ClaimedMessage, 'organizationId' | 'id'> & { readonly token: string },
): Promise<{ offNetwork: boolean } | null> {
  const [begun] = await rows<{ offNetwork: boolean }>(
    db,
    `update messages m set begun_token = m.lease_token
       from campaigns c
      where m.organization_id = :organizationId and m.id = :id and m.lease_token = :token
        and c.id = m.campaign_id and c.status = 'sending'
     returning m.outcome_unknown_since is null and exists (
       select from number_checks k
        where k.organization_id = m.organization_id and k.digits = m.recipient and not k.on_network
          and k.checked_at > (select service_now()) - interval '1 h') as "offNetwork"`,
    { organizationId, id, token },
  )
  return begun ?? null
}
