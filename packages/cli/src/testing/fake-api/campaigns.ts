import { randomUUID } from 'node:crypto'
import { type Answer, type Routes, refusal } from './server.ts'

interface Recipient {
  readonly phone: string
  readonly variables?: Readonly<Record<string, string>>
}

interface FakeCampaign {
  readonly id: string
  name: string
  template: string
  status: string
  scheduledAt: string | null
  recipients: Recipient[]
  /** Messages that have left, or failed. */
  done: number
}

const instant = '2026-11-01T08:00:00.000Z'
const offNetwork = '12025550101'

function statsOf({ recipients, done }: FakeCampaign) {
  const failed = recipients.slice(0, done).filter(({ phone }) => phone === offNetwork).length
  return { total: recipients.length, sent: done - failed, delivered: 0, failed, read: 0 }
}

function record(campaign: FakeCampaign) {
  const { id, name, template, status, scheduledAt } = campaign
  return { id, name, template, status, stats: statsOf(campaign), scheduledAt, createdAt: instant, startError: null }
}

/** One look later: a quarter of the messages more has left, and a scheduled campaign has begun. */
function move(campaign: FakeCampaign): void {
  const { recipients, status } = campaign
  if (status === 'scheduled') campaign.status = 'sending'
  if (status !== 'sending') return
  campaign.done = Math.min(recipients.length, campaign.done + Math.ceil(recipients.length / 4))
  if (campaign.done === recipients.length) campaign.status = 'completed'
}

function unique(recipients: readonly Recipient[]): Recipient[] {
  const byPhone = new Map<string, Recipient>()
  for (const one of recipients) {
    const phone = one.phone.replace(/\D/g, '')
    if (!byPhone.has(phone)) byPhone.set(phone, { ...one, phone })
  }
  return [...byPhone.values()]
}

function filled(template: string, variables: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => variables[key] ?? '')
}

/** What the service says about people without a value for a placeholder. */
function lacking(template: string, recipients: readonly Recipient[]) {
  const keys = [...template.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '')
  const rows = (key: string) =>
    recipients.flatMap(({ variables }, row) => (variables?.[key] === undefined ? [row] : []))
  return keys.map((key) => ({ key, rows: rows(key) })).filter((each) => each.rows.length > 0)
}

function refuseLacking(template: string, recipients: readonly Recipient[]): Answer | undefined {
  const [first] = lacking(template, recipients)
  if (!first) return undefined
  const details = Object.fromEntries(
    first.rows.map((row) => [`recipients.${row}.variables`, [`lacks a value for ${first.key}`]]),
  )
  return refusal(400, 'VALIDATION_ERROR', `Somebody lacks a value for ${first.key}.`, details)
}

/** The routes of campaigns, kept in memory. A campaign moves with every look at the list. */
export function campaignRoutes(): Routes {
  const all: FakeCampaign[] = []
  const withOne = (
    id: string | undefined,
    states: readonly string[],
    answer: (one: FakeCampaign) => object,
  ): Answer => {
    const campaign = all.find((each) => each.id === id)
    if (!campaign) return refusal(404, 'NOT_FOUND', 'There is no such campaign.')
    if (states.length > 0 && !states.includes(campaign.status))
      return refusal(400, 'CAMPAIGN_INVALID_STATE', `The campaign is ${campaign.status}.`)
    return { body: { success: true, ...answer(campaign) } }
  }
  return {
    'POST /bulk/campaigns/preview': ({ body }) => {
      const recipients = unique(body.recipients)
      const samples = recipients
        .slice(0, 3)
        .map(({ phone, variables }) => ({ phone, text: filled(body.template, variables) }))
      const missing = lacking(body.template, recipients).map(({ key, rows }) => ({ key, recipients: rows.length }))
      const counts = { total: body.recipients.length, unique: recipients.length }
      const duplicates = counts.total - counts.unique
      const longest = Math.max(...samples.map(({ text }) => text.length))
      const told = { ...counts, duplicates, missingVariables: missing, samples, longest, estimatedDuration: '10 s' }
      return { body: { success: true, ...told } }
    },
    'POST /bulk/campaigns': ({ body }) => {
      const refused = body.strictVariables ? refuseLacking(body.template, body.recipients) : undefined
      if (refused) return refused
      const { name, template, scheduledAt = null } = body
      const recipients = unique(body.recipients)
      const status = scheduledAt === null ? 'draft' : 'scheduled'
      const campaign = { id: randomUUID(), name, template, status, scheduledAt, recipients, done: 0 }
      all.push(campaign)
      const duplicates = body.recipients.length - recipients.length
      const created = { id: campaign.id, name, status, recipientCount: recipients.length, scheduledAt, duplicates }
      return { status: 201, body: { success: true, campaign: created } }
    },
    'GET /bulk/campaigns': () => {
      for (const campaign of all) move(campaign)
      return { body: { success: true, campaigns: all.map(record) } }
    },
    'GET /bulk/campaigns/:id': (_seen, id) => {
      for (const campaign of all) move(campaign)
      return withOne(id, [], (one) => ({ ...record(one), startedAt: null, completedAt: null }))
    },
    'GET /bulk/campaigns/:id/status': (_seen, id) =>
      withOne(id, [], (one) => ({ ...record(one), recipients: one.recipients, startedAt: null, completedAt: null })),
    'GET /bulk/campaigns/:id/recipients': ({ query }, id) =>
      withOne(id, [], (one) => {
        const rows = one.recipients.map(({ phone, variables = {} }, index) => {
          const isDone = index < one.done
          const status = !isDone ? 'pending' : phone === offNetwork ? 'failed' : 'sent'
          const error = status === 'failed' ? 'The recipient is not on the network.' : null
          const ids = { messageId: isDone ? one.id : null, sentAt: null, deliveredAt: null, readAt: null }
          return { phone, variables, status, error, ...ids }
        })
        const found = rows.filter(({ status }) => query.status === undefined || status === query.status)
        return { total: found.length, page: 1, limit: 50, recipients: found }
      }),
    'PUT /bulk/campaigns/:id': ({ body }, id) =>
      withOne(id, ['draft', 'scheduled'], (one) => {
        const { recipients, ...fields } = body
        Object.assign(one, fields, recipients && { recipients: unique(recipients) })
        one.status = one.scheduledAt === null ? 'draft' : 'scheduled'
        return { campaign: record(one) }
      }),
    'POST /bulk/campaigns/:id/send': (_seen, id) =>
      withOne(id, ['draft', 'scheduled'], (one) => {
        one.status = 'sending'
        const told = { campaignId: one.id, status: 'sending', estimatedDuration: '10 s' }
        return { ...told, totalRecipients: one.recipients.length }
      }),
    'POST /bulk/campaigns/:id/pause': (_seen, id) =>
      withOne(id, ['sending'], (one) => {
        one.status = 'paused'
        return { status: 'paused', jobsRemoved: one.recipients.length - one.done }
      }),
    'POST /bulk/campaigns/:id/resume': (_seen, id) =>
      withOne(id, ['paused'], (one) => {
        one.status = 'sending'
        return { status: 'sending', jobsRequeued: one.recipients.length - one.done }
      }),
    'POST /bulk/campaigns/:id/cancel': (_seen, id) =>
      withOne(id, ['scheduled', 'paused'], (one) => {
        one.status = 'cancelled'
        return { status: 'cancelled', jobsRemoved: 0 }
      }),
    'DELETE /bulk/campaigns/:id': (_seen, id) =>
      withOne(id, ['draft', 'scheduled', 'paused', 'completed', 'cancelled'], (one) => {
        all.splice(all.indexOf(one), 1)
        return {}
      }),
  }
}
