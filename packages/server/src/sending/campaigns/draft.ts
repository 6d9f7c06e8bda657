import { type Contract, limits, type Parsed } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Clock } from '#platform/db/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { transactionWithQuota } from '#platform/db/pool-quota.ts'
import { invalidField } from '#platform/errors.ts'
import { parseTemplate } from '#sending/messages/template.ts'
import { requireUnsentQuota, type UnsentRows } from '#sending/messages/unsent-quota.ts'
import type { Services } from '#services.ts'
import { lockOwn, requireMove } from './access.ts'
import { recordCampaign } from './activity.ts'
import { estimateDuration } from './duration.ts'
import { listRecipients, putRecipients } from './recipient-store.ts'
import {
  longestText,
  missingVariables,
  removeDuplicates,
  renderFor,
  requireValuesOfStored,
  requireVariables,
} from './recipients.ts'
import { countSenders } from './senders.ts'
import { type CampaignRow, countUnstarted, insertCampaign, listCampaigns, updateCampaign } from './store.ts'
import { campaignView } from './view.ts'

type Campaigns = Contract['campaigns']

const samples = 3

const recipientsUnsent: UnsentRows = { noun: 'recipients of campaigns', deletable: 'drafts', count: countUnstarted }

/**
 * Creates a draft or a scheduled campaign (specification, "Campaigns"). A number's key binds it to its number. Throws
 * VALIDATION_ERROR for a start time too far in the past and, with `strictVariables`, for missing variables.
 */
export async function create({ caller, body, idempotency }: Request<Campaigns['create']>, services: Services) {
  const { unique, duplicates } = checkDraft(body, services.clock)
  const { organizationId, containerId } = caller
  const id = newId()
  const scheduledAt = body.scheduledAt ?? null
  const result = await idempotency.transact(async (trx) => {
    const { name, template, anyHour, clientReference = null } = body
    await requireUnsentQuota(trx, caller, unique.length, recipientsUnsent)
    const total = unique.length
    const campaign = { id, organizationId, containerId, name, template, total, anyHour, clientReference, scheduledAt }
    await insertCampaign(trx, campaign)
    await putRecipients(trx, organizationId, id, unique)
    await recordCampaign(trx, caller, 'created', { id, name, recipients: unique.length, scheduledAt })
    const status = scheduledAt === null ? ('draft' as const) : ('scheduled' as const)
    crashPoint('campaign-create.before-commit')
    return { campaign: { id, name, status, recipientCount: unique.length, scheduledAt, duplicates } }
  })
  crashPoint('campaign-create.committed')
  return result
}

/** Returns what a campaign would send, and stores nothing. Throws as {@link create}. */
export async function preview({ caller, body }: Request<Campaigns['preview']>, services: Services) {
  const { unique, duplicates } = checkDraft(body, services.clock)
  const template = parseTemplate(body.template)
  const numbers = await countSenders(services.db, caller)
  return {
    total: body.recipients.length,
    unique: unique.length,
    duplicates,
    missingVariables: await missingVariables(template, unique),
    samples: unique.slice(0, samples).map((one) => ({ phone: one.phone, text: renderFor(template, one).text })),
    longest: await longestText(template, unique),
    ...estimateDuration(unique.length, numbers),
  }
}

function checkDraft(body: Parsed<Campaigns['preview']>['body'], clock: Clock) {
  if (body.scheduledAt) requireNotPast(body.scheduledAt, clock)
  const list = removeDuplicates(body.recipients)
  if (body.strictVariables) requireVariables(parseTemplate(body.template), body.recipients)
  return list
}

function requireNotPast(scheduledAt: string, clock: Clock): void {
  const earliest = clock.now().getTime() - limits.sendAtPastSeconds * 1000
  if (Date.parse(scheduledAt) >= earliest) return
  throw invalidField('scheduledAt', `must not be more than ${limits.sendAtPastSeconds / 60} minutes in the past`)
}

/**
 * Changes a draft or scheduled campaign. Throws NOT_FOUND, CAMPAIGN_INVALID_STATE, and VALIDATION_ERROR as
 * {@link create}.
 */
export async function update({ caller, params, body }: Request<Campaigns['update']>, services: Services) {
  const { organizationId } = caller
  return transactionWithQuota(services.db, organizationId, async (trx) => {
    const stored = await lockOwn(trx, caller, params.id)
    const status = requireMove(stored, editAction(body.scheduledAt))
    if (body.scheduledAt) requireNotPast(body.scheduledAt, services.clock)
    if (body.strictVariables) await requireFilled(trx, body, stored)
    const recipients = body.recipients ? removeDuplicates(body.recipients).unique : null
    if (recipients) {
      await requireUnsentQuota(trx, caller, recipients.length - stored.total, recipientsUnsent)
      await putRecipients(trx, organizationId, params.id, recipients)
    }
    await updateCampaign(trx, organizationId, params.id, {
      name: body.name ?? null,
      template: body.template ?? null,
      total: recipients?.length ?? null,
      schedule: body.scheduledAt !== undefined,
      scheduledAt: body.scheduledAt ?? null,
      status,
      anyHour: body.anyHour ?? null,
      clientReference: body.clientReference,
      // A number's key schedules for its own number, else it could no longer read the campaign.
      containerId: status === 'scheduled' ? caller.containerId : null,
    })
    const changed = Object.keys(body)
      .filter((name) => name !== 'strictVariables')
      .sort()
    await recordCampaign(trx, caller, 'changed', { id: params.id, changed, recipients: recipients?.length })
    const [campaign] = await listCampaigns(trx, { organizationId, containerId: null }, params.id)
    if (!campaign) throw new Error('a locked campaign has a row')
    return { campaign: campaignView(campaign) }
  })
}

/**
 * Throws VALIDATION_ERROR when a recipient lacks the value of a placeholder after a change. New recipients are named by
 * their rows; where they stay, the fault is of the text.
 */
async function requireFilled(
  trx: Db,
  { template, recipients }: Parsed<Campaigns['update']>['body'],
  stored: CampaignRow,
): Promise<void> {
  const parsed = parseTemplate(template ?? stored.template)
  if (recipients) return requireVariables(parsed, recipients)
  if (parsed.keys.length === 0) return
  requireValuesOfStored(await missingVariables(parsed, await listRecipients(trx, stored.organizationId, stored.id)))
}

/** Returns the action that a PUT with this start time is. */
function editAction(scheduledAt: string | null | undefined): 'edit' | 'schedule' | 'unschedule' {
  if (scheduledAt === undefined) return 'edit'
  return scheduledAt === null ? 'unschedule' : 'schedule'
}
