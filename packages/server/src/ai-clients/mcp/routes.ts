import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Handlers } from '#api/http/handler.ts'
import type { HandlerTable } from '#api/http/mount.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { type ActionRow, decideAction, findAction, listActions } from './approvals/action-store.ts'
import { carryOutAction } from './approvals/approve.ts'
import { previewOf } from './approvals/preview.ts'
import { callView, toAction } from './approvals/view.ts'
import { listCalls } from './call-store.ts'
import { readSettings, writeSettings } from './settings-store.ts'

type Mcp = Omit<Handlers<Contract['mcp']>, 'connections' | 'updateConnection' | 'endConnection'>

/** Returns the handlers for people. `allHandlers` returns the table in which the routes behind the tools are. */
export function mcpHandlers(allHandlers: () => HandlerTable): Mcp {
  return {
    async actions({ caller, query }, { db, config }) {
      const filter = { state: query.state ?? null, userId: caller.role === 'member' ? caller.userId : null }
      const found = await listActions(db, caller.organizationId, filter)
      return { actions: found.map((action) => toAction(config, action)) }
    },

    async action({ caller, params }, services) {
      const action = await findOwn(services.db, caller, params.actionId)
      return { action: toAction(services.config, action), preview: await previewOf(services, action) }
    },

    async approve({ caller, params, origin }, services) {
      const { db, config } = services
      const action = await decide(services, caller, { id: params.actionId, state: 'approved' })
      await carryOutAction(services, allHandlers(), action, origin)
      return { action: toAction(config, await findOwn(db, caller, action.id)) }
    },

    async deny({ caller, params }, services) {
      const action = await decide(services, caller, { id: params.actionId, state: 'denied' })
      return { action: toAction(services.config, action) }
    },

    async calls({ caller, query }, { db }) {
      const { tool = null, connection = null, cursor: before = null, limit } = query
      const found = await listCalls(db, caller.organizationId, { tool, connection, before, limit })
      const last = found.length === limit ? found.at(-1) : undefined
      return { calls: found.map(callView), nextCursor: last ? String(last.id) : null }
    },

    async settings({ caller }, { db }) {
      return { settings: await readSettings(db, caller.organizationId) }
    },

    async setSettings({ caller, body }, { db }) {
      const { organizationId } = caller
      return transaction(db, async (trx) => {
        const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
        const settings = { ...(await readSettings(trx, organizationId)), ...given }
        await writeSettings(trx, organizationId, settings)
        await recordActivity(trx, { organizationId, actor: toActor(caller), action: 'ai_settings.set', details: given })
        return { settings }
      })
    },
  }
}

type Services = Parameters<Mcp['approve']>[1]

/** Returns an action that the caller may see: members see those of their own connections. Throws NOT_FOUND. */
async function findOwn(db: Services['db'], caller: Caller, id: string): Promise<ActionRow> {
  const action = await findAction(db, caller.organizationId, id)
  if (!action || (caller.role === 'member' && action.userId !== caller.userId)) {
    throw apiError('NOT_FOUND', 'There is no such action.')
  }
  return action
}

async function decide(
  { db }: Services,
  caller: Caller,
  { id, state }: { readonly id: string; readonly state: 'approved' | 'denied' },
): Promise<ActionRow> {
  const { organizationId, userId } = caller
  const { tool } = await findOwn(db, caller, id)
  return transaction(db, async (trx) => {
    if (!(await decideAction(trx, organizationId, { id, state, decidedBy: userId ?? '' }))) {
      throw apiError('FORBIDDEN_ACTION', 'This action was decided or has expired.', { reason: 'not_pending' })
    }
    const action = `ai_action.${state}`
    await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: id, details: { tool } })
    return findOwn(trx, caller, id)
  })
}
