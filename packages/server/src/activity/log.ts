import type { Db } from '../db/db.ts'
import type { Caller } from '../http/handler.ts'
import { insertActivity } from './store.ts'

/** Who did it. The operator works on the server's own command line and has no id; a key of the account neither. */
export interface Actor {
  readonly kind: Caller['kind'] | 'operator'
  /** The user, or the number of a number's key. */
  readonly id: string | null
}

/** The platform's operator, on the server's own command line. */
export const operator: Actor = { kind: 'operator', id: null }

/** One change that somebody made to an organization. */
export interface Activity {
  readonly organizationId: string
  readonly actor: Actor
  /** What was done, as `resource.verb`: `webhook.set`, `account_key.regenerated`. */
  readonly action: string
  /** The id of what it was done to, when that is not the organization itself. */
  readonly subject?: string
  /** Facts a person needs to understand it. Never a secret, a code or the text of a message. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The caller of a request as the actor of what it changes. */
export function toActor(caller: Pick<Caller, 'kind' | 'userId' | 'containerId'>): Actor {
  return { kind: caller.kind, id: caller.userId ?? caller.containerId }
}

/** Adds to the activity log, in the transaction of the change, so that there is never one without the other. */
export async function recordActivity(trx: Db, activity: Activity): Promise<void> {
  await insertActivity(trx, activity.organizationId, {
    actorKind: activity.actor.kind,
    actorId: activity.actor.id,
    action: activity.action,
    subject: activity.subject ?? null,
    details: JSON.stringify(activity.details ?? {}),
  })
}
