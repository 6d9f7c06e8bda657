import type { Role } from '@msgctl/contract'
import { type Db, firstRow } from '#platform/db/db.ts'

/** The person and the organization of GET /me. */
export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly memberRole: Role
  readonly organizationId: string
  readonly organizationName: string
  readonly requireTwoFactor: boolean
  /** Whether the owners and admins of the organization administer the service. */
  readonly platformAdmin: boolean
  readonly webhookUrl: string | null
  readonly apiKeyPreview: string | null
  readonly apiKeyLastUsedAt: Date | null
}

/** Returns the account of a person, or that of the owner when `userId` is null. */
export async function findAccount(
  db: Db,
  organizationId: string,
  userId: string | null,
): Promise<AccountRow | undefined> {
  return firstRow<AccountRow>(
    db,
    `select u.id, u.name, u.email, m.role as member_role, o.id as organization_id, o.name as organization_name,
            o.require_two_factor, o.platform_admin_at is not null as platform_admin, w.url as webhook_url,
            k.preview as api_key_preview, k.last_used_at as api_key_last_used_at
       from organizations o
       join members m on m.organization_id = o.id
        and case when :userId::uuid is null then m.role = 'owner' else m.user_id = :userId end
       join users u on u.id = m.user_id
       left join webhooks w on w.organization_id = o.id and w.main
       left join api_keys k on k.organization_id = o.id and k.container_id is null
      where o.id = :organizationId`,
    { organizationId, userId },
  )
}
