import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { type ListedEntry, listActivity } from './list-store.ts'

export const activityHandlers = {
  async list({ caller, query }, { db }) {
    const { action = null, actor = null, subject = null, from = null, to = null, cursor = null, limit } = query
    const filter = { action, actor, subject, from, to, before: cursor, limit: limit + 1 }
    const found = await listActivity(db, caller.organizationId, filter)
    const page = found.slice(0, limit)
    return {
      entries: page.map(toEntry),
      nextCursor: found.length > limit ? String(page.at(-1)?.id ?? '') : null,
    }
  },
} satisfies Handlers<Contract['activity']>

function toEntry({ id, at, actorKind, actorId, actorName, action, subject, details, ip }: ListedEntry) {
  const name = actorKind === 'user' ? (actorName ?? 'deleted person') : null
  return {
    id: String(id),
    at: at.toISOString(),
    actor: { kind: actorKind, id: actorId, name },
    action,
    subject,
    details,
    ip,
  }
}
