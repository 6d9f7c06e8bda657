import type { Json } from '@msgctl/network/gateway'
import { anyRow } from '#platform/db/any-row.ts'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Row } from '#platform/db/tables.ts'

/** A voice note as it arrived, with what the driver needs to fetch it. */
export interface VoiceNote {
  readonly organizationId: string
  readonly containerId: string
  readonly contactId: string
  /** The id of the message in the chat, by which its file can be opened. */
  readonly id: string
  readonly networkId: string
  readonly address: string
  readonly senderName: string
  readonly at: Date
  readonly file: { readonly mimetype: string; readonly filename?: string; readonly sizeBytes: number } | null
  readonly networkRef: Json
}

/** Stores voice notes that wait for a transcript. */
export async function insertVoiceNotes(trx: Db, notes: readonly VoiceNote[]): Promise<void> {
  if (notes.length === 0) return
  const given = notes.map(({ organizationId, containerId, ...note }) => {
    const { id, contactId, networkId, address, senderName, at, file, networkRef } = note
    return {
      organizationId,
      containerId,
      arrival: { id, contactId, networkId, address, senderName, at, file, networkRef },
    }
  })
  await rows(
    trx,
    `insert into bot_voice_notes (organization_id, container_id, arrival, due_at, received_at)
     select g."organizationId", g."containerId", g.arrival, (select service_now()), (select service_now())
       from jsonb_to_recordset(:given::jsonb) as g("organizationId" uuid, "containerId" uuid, arrival jsonb)`,
    { given: JSON.stringify(given) },
  )
}

/** A voice note that this process transcribes until its lease ends. */
export interface ClaimedVoiceNote
  extends Pick<Row<'bot_voice_notes'>, 'id' | 'organizationId' | 'containerId' | 'attempts'> {
  readonly arrival: Omit<VoiceNote, 'organizationId' | 'containerId' | 'at'> & { readonly at: string }
  /** The active assistant of the number and its languages; null when there is none any more. */
  readonly botId: string | null
  readonly languages: readonly string[] | null
  readonly trial: boolean
}

const isDue = `due_at <= (select service_now()) and ${notMoving('organization_id')}`
/** SQL condition: whether there are voice notes to transcribe. */
export const hasDueVoiceNotes = anyRow(`bot_voice_notes where ${isDue} order by due_at`)

/** Claims the voice note that has been due longest, of all organizations. */
export async function claimVoiceNote(db: Db, leaseMs: number): Promise<ClaimedVoiceNote | undefined> {
  return firstRow<ClaimedVoiceNote>(
    db,
    `with due as (
       select id from bot_voice_notes
        where ${isDue}
        order by due_at limit 1 for update skip locked
     ), claimed as (
       update bot_voice_notes v
         set attempts = attempts + 1, due_at = (select service_now()) + :leaseMs * interval '1 millisecond'
         from due where v.id = due.id
       returning v.id, v.organization_id, v.container_id, v.arrival, v.attempts
     )
     select v.id, v.organization_id, v.container_id, v.arrival, v.attempts, b.id as bot_id, b.languages,
            coalesce((select e.trial from entitlements e where e.organization_id = v.organization_id), false) as trial
       from claimed v
       left join bot_numbers n on n.container_id = v.container_id and n.active
       left join bots b on b.id = n.bot_id and b.organization_id = v.organization_id`,
    { leaseMs },
  )
}

/** Deletes a voice note. Returns false when it was deleted before. */
export async function deleteVoiceNote(trx: Db, organizationId: string, id: number): Promise<boolean> {
  return (await trx('bot_voice_notes').where({ organizationId, id }).delete()) > 0
}
