import type { Contract } from '@msgctl/contract'
import { findPerson } from '../contacts/store.ts'
import { displayName } from '../contacts/view.ts'
import { transaction } from '../db/db.ts'
import type { Caller, Handlers } from '../http/handler.ts'
import { resolveNumber } from '../numbers/send-group/select-number.ts'
import type { Services } from '../services.ts'
import { type NumberScope, readThread } from './list-store.ts'
import { rollUpNumber } from './roll-up.ts'
import { searchChats } from './search.ts'
import { listUnread, markFrom, markIds } from './unread-store.ts'
import { chatView, threadView } from './view.ts'

export const chatHandlers = {
  async list({ caller, query }, { db }) {
    const scope = await scopeOf(db, caller, query.containerId)
    await rollUpNumber(db, scope.containerId)
    return { chats: (await searchChats(db, scope, query.search ?? '', query.limit)).map(chatView) }
  },
  async unread({ caller, query }, { db }) {
    const scope = await scopeOf(db, caller, query.containerId)
    const found = await listUnread(db, scope, query.limit)
    return {
      messages: found.map(({ id, phone, lid, text, type, at, ...names }) => ({
        id,
        phone: phone ?? lid ?? '',
        name: displayName(names),
        text,
        type,
        at: at.toISOString(),
      })),
    }
  },
  async ack({ caller, body }, { db }) {
    return { marked: await transaction(db, (trx) => markIds(trx, markScopeOf(caller), body.ids)) }
  },
  async thread({ caller, params, query }, { db }) {
    const scope = await scopeOf(db, caller, query.containerId)
    await rollUpNumber(db, scope.containerId)
    const person = await findPerson(db, caller.organizationId, params.phone)
    // Somebody whom the number never wrote with has an empty thread, like somebody nobody knows.
    const messages = person ? await readThread(db, scope, person.id, query.limit) : []
    const known = person && (caller.containerId === null || messages.length > 0) ? person : undefined
    return {
      phone: known?.phone ?? known?.lid ?? params.phone,
      name: known ? displayName(known) : null,
      messages: messages.map(threadView),
    }
  },
  async read({ caller, params }, { db }) {
    const person = await findPerson(db, caller.organizationId, params.phone)
    if (!person) return { marked: 0 }
    return { marked: await transaction(db, (trx) => markFrom(trx, markScopeOf(caller), person.id)) }
  },
} satisfies Handlers<Contract['chats']>

async function scopeOf(db: Services['db'], caller: Caller, containerId: string | undefined): Promise<NumberScope> {
  const { organizationId } = caller
  return { organizationId, containerId: (await resolveNumber(db, caller, containerId)).id }
}

function markScopeOf({ organizationId, containerId }: Caller) {
  return { organizationId, containerId }
}
