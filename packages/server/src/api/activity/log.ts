import type { Caller, Origin } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import { type ActivityRow, insertActivity, insertActivityOfPerson } from './store.ts'

/** The author of a change. The operator, the account key and the payment provider have no id. */
export interface Actor {
  readonly kind: Caller['kind'] | 'ai_client' | 'operator' | 'payments'
  /** The user, the number of a number's key, or the connection of an AI client. */
  readonly id: string | null
  readonly origin?: Origin | undefined
}

/** The platform's operator, on the server's own command line. */
export const operator: Actor = { kind: 'operator', id: null }

/** A change to an organization. */
export interface Activity {
  readonly organizationId: string
  readonly actor: Actor
  /** The action as `resource.verb`: `webhook.set`, `account_key.regenerated`. */
  readonly action: string
  /** The id of the changed record, unless it is the organization itself. */
  readonly subject?: string
  /** Details for a reader. Never a secret, a code or the text of a message. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Returns the caller of a request as an actor. */
export function toActor(caller: Pick<Caller, 'kind' | 'userId' | 'containerId' | 'origin' | 'aiClient'>): Actor {
  if (caller.aiClient) return { kind: 'ai_client', id: caller.aiClient.connectionId, origin: caller.origin }
  return { kind: caller.kind, id: caller.userId ?? caller.containerId, origin: caller.origin }
}

/** Adds an entry to the activity log, in the transaction of the change. */
export async function recordActivity(trx: Db, activity: Activity): Promise<void> {
  await insertActivity(trx, activity.organizationId, toRow(activity))
}

/** A change that a person makes to their own account. */
export interface PersonActivity extends Pick<Activity, 'action' | 'subject' | 'details'> {
  readonly origin: Origin | undefined
  /** Default: the person. */
  readonly actor?: Actor
}

/** Adds an entry to the activity log of each organization of a person, in the transaction of the change. */
export async function recordForPerson(trx: Db, userId: string, { origin, ...activity }: PersonActivity): Promise<void> {
  const actor: Actor = activity.actor ?? { kind: 'user', id: userId, origin }
  await insertActivityOfPerson(trx, userId, toRow({ ...activity, actor }))
}

function toRow({ actor, action, subject, details }: Omit<Activity, 'organizationId'>): ActivityRow {
  return {
    actorKind: actor.kind,
    actorId: actor.id,
    action,
    subject: subject ?? null,
    details: JSON.stringify(details ?? {}),
    ip: actor.origin?.ip ?? null,
    requestId: actor.origin?.requestId ?? null,
    userAgent: actor.origin?.userAgent ?? null,
  }
}
