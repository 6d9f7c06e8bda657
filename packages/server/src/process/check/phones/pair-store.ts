import type { NumberStatus } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'

/** A number of any organization, with the organization. */
export interface FoundNumber {
  readonly containerId: string
  readonly organizationId: string
  readonly organizationName: string
  readonly gateway: string
  readonly label: string
  readonly status: NumberStatus
  readonly reason: string | null
  /** Digits; null before a phone was linked. */
  readonly phone: string | null
}

/** Returns a number of any organization, or undefined. */
export async function findAnyNumber(db: Db, containerId: string): Promise<FoundNumber | undefined> {
  return firstRow<FoundNumber>(
    db,
    `select n.id as container_id, n.organization_id, o.name as organization_name, n.gateway, n.label, n.status,
            n.status_reason as reason, n.phone_number as phone
       from numbers n join organizations o on o.id = n.organization_id where n.id = :containerId`,
    { containerId },
  )
}

/** Returns whether a number has a chat with a person, by digits. */
export async function hasChat(db: Db, containerId: string, phone: string): Promise<boolean> {
  const [found] = await rows<{ exists: boolean }>(
    db,
    `select exists (select 1 from chats c join contacts p on p.id = c.contact_id
        where c.container_id = :containerId and p.phone = :phone)`,
    { containerId, phone },
  )
  return found?.exists ?? false
}

/** How a gateway host connects a number. */
export interface Hosting {
  /** Raised with each new host. */
  readonly epoch: string
  readonly hostId: string | null
  /** Raised with each state that a host reports. */
  readonly sequence: number
  /** Whether it is connected, and the service knows it. */
  readonly isWorking: boolean
}

/** Returns how a gateway host connects a number; undefined for another driver. */
export async function readHosting(db: Db, containerId: string): Promise<Hosting | undefined> {
  return firstRow<Hosting>(
    db,
    `select s.epoch::text as epoch, s.host_id, s.sequence::float8 as sequence,
            s.status = 'WORKING' and s.lease_until > gateway_clock()
              and n.status = 'WORKING' and n.report_sequence >= s.sequence as is_working
       from gateway_sessions s join numbers n on n.id = s.container_id where s.container_id = :containerId`,
    { containerId },
  )
}
