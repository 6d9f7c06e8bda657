import type { Json } from '@msgctl/network/gateway'
import { type Db, firstRow } from '#platform/db/db.ts'
import type { StoredFile } from './list-store.ts'

/** A received message with a file, and the number that received it. */
export interface Attachment {
  readonly containerId: string
  readonly networkId: string
  readonly networkRef: Json
  readonly file: StoredFile
  /** Digits of the person, or the hidden id; null in a group. */
  readonly address: string | null
  readonly gateway: string
}

/** Returns a message with a file, of one number or of all numbers of an organization. */
export async function findAttachment(
  db: Db,
  scope: { readonly organizationId: string; readonly containerId: string | null },
  id: string,
): Promise<Attachment | undefined> {
  return firstRow<Attachment>(
    db,
    `select m.container_id, m.network_id, m.network_ref, m.file,
            coalesce(c.phone, c.lid) as address, n.gateway
       from chat_messages m
       join numbers n on n.organization_id = :organizationId and n.id = m.container_id
       left join contacts c on c.organization_id = :organizationId and c.id = m.contact_id
      where m.id = :id and m.organization_id = :organizationId and m.file is not null and m.revoked_at is null
        and (:containerId::uuid is null or m.container_id = :containerId)`,
    { ...scope, id },
  )
}
