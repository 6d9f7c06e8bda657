import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decideAction } from '#ai-clients/mcp/approvals/action-store.ts'
import { insertAccount } from '#billing/accounts/account-store.ts'
import { insertVoiceNotes } from '#conversations/bots/inbox/voice-note-store.ts'
import { requestImport } from '#conversations/contacts/import-store.ts'
import { writeMoving } from '#people/organizations/move-store.ts'
import { countRows, type Db, rows, serviceNow } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { writeSetAside } from '#platform/set-aside/work-store.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { makeAssistant } from '#testing/features/assistant.ts'
import { makePerson, newEmail } from '#testing/features/person.ts'
import { makeOrganization } from '#testing/make.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { addFakeHost } from '#testing/waha/host.ts'
import type { PoisonKind } from './poison-item.ts'
import { makeSender, stateOf } from './sending.ts'

const voiceNotes: PoisonKind = {
  kind: 'voice_notes',
  async make(server) {
    const { organization, containerId } = await makeAssistant(server)
    const { organizationId } = organization
    const at = server.services.clock.now()
    const about = { networkId: newId(), address: '12025550100', senderName: 'Jane', at, file: null, networkRef: null }
    await insertVoiceNotes(server.db, [{ organizationId, containerId, contactId: newId(), id: newId(), ...about }])
    const of = 'select id::text as state from bot_voice_notes where container_id = :containerId'
    return { item: await stateOf(server, of, { containerId }), owner: organizationId }
  },
  // The network has no file of it, so that nothing is transcribed.
  state: (server, { item, owner }) =>
    stateOf(
      server,
      `select case when exists (select from bot_voice_notes where id = :item::bigint) then 'waiting'
                   when exists (select from suspects where kind = 'voice_notes'
                       and organization_id = :owner) then 'dropped'
                   else 'handled' end as state`,
      { item, owner },
    ),
  done: 'handled',
  setAside: 'dropped',
}

const imports: PoisonKind = {
  kind: 'imports',
  async make(server) {
    const { containerId, organizationId } = await makeSender(server)
    await requestImport(server.db, { organizationId, containerId })
    return { item: containerId, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when requested_at is not null then 'waiting' when imported_at is null then 'given up'
                   else 'imported' end as state from history_imports where container_id = :item`,
      { item },
    ),
  done: 'imported',
  setAside: 'given up',
}

const mails: PoisonKind = {
  kind: 'mails',
  async make(server) {
    const { organizationId } = await makeOrganization(server)
    const facts = { organization: 'Engines' }
    await queueMail(server.db, server.services, { to: newEmail(), kind: 'organization_deleted', facts, organizationId })
    const of = 'select id as state from mails where organization_id = :organizationId'
    return { item: await stateOf(server, of, { organizationId }), owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when sent_at is not null then 'sent' when failed_at is not null then 'failed'
         else 'waiting' end as state
         from mails where id = :item`,
      { item },
    ),
  done: 'sent',
  setAside: 'failed',
}

const emails = new Map<string, string>()

const resetLinks: PoisonKind = {
  kind: 'reset_links',
  async make(server) {
    const { email } = await makePerson(server)
    await server.client({}).auth.forgotPassword({ email })
    const item = await stateOf(server, 'select max(id)::text as state from reset_requests where email = :email', {
      email,
    })
    emails.set(item, email)
    return { item, owner: item }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when exists (select from mails where to_email = :email and kind = 'reset') then 'mailed'
                   when exists (select from reset_requests where id = :item::bigint) then 'waiting'
                     else 'deleted' end as state`,
      { item, email: emails.get(item) },
    ),
  done: 'mailed',
  setAside: 'deleted',
}

const aiActions: PoisonKind = {
  kind: 'ai_actions',
  async make(server) {
    const { organizationId, apiKey, ownerId } = await makeSender(server)
    const ai = await connectAi(server.address, { key: apiKey })
    const args = { phone: '+13035571000', message: 'hello', idempotencyKey: 'poison' }
    const { actionId: id } = (await ai.call('send_message', args)).structuredContent.approval
    // Approved by a process that died at once.
    await decideAction(server.db, organizationId, { id, state: 'approved', decidedBy: ownerId })
    return { item: id, owner: organizationId }
  },
  state: (server, { item }) => stateOf(server, 'select state from mcp_actions where id = :item', { item }),
  done: 'done',
  setAside: 'failed',
}

const erasures: PoisonKind = {
  kind: 'erasures',
  async make({ db, ...server }) {
    const { organizationId } = await makeOrganization({ db, ...server })
    await db('organizations')
      .where({ id: organizationId })
      .update({ deletedAt: serviceNow(db, -8 * 86_400_000), deactivatedAt: serviceNow(db) })
    return { item: organizationId, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when exists (select from organizations where id = :item) then 'kept' else 'erased' end as state`,
      { item },
    ),
  done: 'erased',
  setAside: 'kept',
}

const moves: PoisonKind = {
  kind: 'moves',
  async make(server) {
    const { organizationId } = await makeOrganization(server)
    await writeMoving(server.db, organizationId, true)
    return { item: organizationId, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when closed_at is null then 'open' else 'closed' end as state from organizations where id = :item`,
      { item },
    ),
  done: 'closed',
  setAside: 'open',
}

const wahaHosts: PoisonKind = {
  kind: 'waha_hosts',
  async make({ db, services }) {
    const http = createServer((_request, response) => response.end('[]'))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    cleanUpAfterFile(() => new Promise<void>((resolve) => http.close(() => resolve())))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const id = await addFakeHost(db, services.secrets, { url, key: 'key', engine: 'GOWS' })
    await rows(db, 'update waha_hosts set seen_at = null where id = :id', { id })
    return { item: id, owner: id }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when seen_at is null then 'unseen' else 'seen' end as state from waha_hosts where id = :item`,
      { item },
    ),
  done: 'seen',
  setAside: 'unseen',
}

const isKept = async (db: Db) => (await countRows(db('suspects').where({ item: 'an old one' }))) > 0

const jobs: PoisonKind = {
  kind: 'jobs',
  async make({ db }) {
    // The first is the one that ends processes; the other one deletes something.
    const item = (await isKept(db)) ? 'suspects.cleanup' : 'invitations.cleanup'
    await writeSetAside(db, 'mails', { id: 'an old one', organizationId: null })
    await rows(db, `update suspects set lost_at = 'epoch', set_aside_at = 'epoch' where item = 'an old one'`)
    return { item, owner: item }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when exists (select from suspects where item = 'an old one') then 'kept'
                   when exists (select from suspects where kind = 'jobs' and item = :item) then 'set aside'
                   else 'deleted' end as state`,
      { item },
    ),
  done: 'deleted',
  setAside: 'set aside',
}

const accounts: PoisonKind = {
  kind: 'accounts',
  async make({ db, ...server }) {
    const { organizationId } = await makeOrganization({ db, ...server })
    await insertAccount(db, { organizationId, currency: 'USD', livemode: false })
    await db('billing_accounts')
      .where({ organizationId })
      .update({ dueAt: serviceNow(db) })
    return { item: organizationId, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when refreshed_at is null then 'waiting' else 'read' end as state from billing_accounts
        where organization_id = :item`,
      { item },
    ),
  done: 'read',
  setAside: 'waiting',
}

/** What loops do beside sending. */
export const backgroundKinds: readonly PoisonKind[] = [
  voiceNotes,
  imports,
  mails,
  resetLinks,
  aiActions,
  erasures,
  moves,
  wahaHosts,
  accounts,
  jobs,
]
