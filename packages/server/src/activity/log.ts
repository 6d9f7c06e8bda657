import type { Db } from '../db/db.ts'
import type { Caller } from '../http/handler.ts'
import { insertActivity } from './store.ts'

/** The author of a change. The operator and the account key have no id. */
export interface Actor {
  readonly kind: Caller['kind'] | 'operator'
  /** The user, or the number of a number's key. */
  readonly id: string | null
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
export function toActor(caller: Pick<Caller, 'kind' | 'userId' | 'containerId'>): Actor {
  return { kind: caller.kind, id: caller.userId ?? caller.containerId }
}

/** Adds an entry to the activity log, in the transaction of the change. */
export async function recordActivity(trx: Db, activity: Activity): Promise<void> {
  await insertActivity(trx, activity.organizationId, {
    actorKind: activity.actor.kind,
    actorId: activity.actor.id,
    action: activity.action,
    subject: activity.subject ?? null,
    details: JSON.stringify(activity.details ?? {}),
  })
}
