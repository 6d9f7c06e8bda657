import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { noSuchCampaign } from './access.ts'
import { countReasons, listMinutes } from './progress-store.ts'
import { countMatching, listMatching, listRecipients, type RecipientProgress } from './recipient-store.ts'
import { type CampaignReader, type CountedCampaign, listCampaigns } from './store.ts'
import { campaignView, iso } from './view.ts'

type Campaigns = Contract['campaigns']

/** A cursor is the place of a recipient in its campaign. */
const placeForm = /^\d{1,9}$/

/** The minutes of a day. */
const mostMinutes = 1440

/** Returns the campaigns that the caller may read, oldest first. */
export async function list({ caller }: Request<Campaigns['list']>, { db }: Services) {
  return { campaigns: (await listCampaigns(db, caller)).map(campaignView) }
}

/** Returns one campaign with its progress. Throws NOT_FOUND. */
export async function get({ caller, params }: Request<Campaigns['get']>, { db }: Services) {
  return timedView(await find(db, caller, params.id))
}

/** Returns one campaign with its progress and all its recipients. Throws NOT_FOUND. */
export async function status({ caller, params }: Request<Campaigns['status']>, { db }: Services) {
  const campaign = await find(db, caller, params.id)
  return {
    ...timedView(campaign),
    recipients: await listRecipients(db, caller.organizationId, params.id),
  }
}

function timedView(campaign: CountedCampaign) {
  return { ...campaignView(campaign), startedAt: iso(campaign.startedAt), completedAt: iso(campaign.completedAt) }
}

/**
 * Returns one page of the recipients with the status of their messages. Throws NOT_FOUND, and VALIDATION_ERROR for an
 * invalid cursor.
 */
export async function recipients({ caller, params, query }: Request<Campaigns['recipients']>, { db }: Services) {
  await find(db, caller, params.id)
  const { page, limit, cursor } = query
  if (cursor !== undefined && !placeForm.test(cursor)) throw invalidField('cursor', 'must be a nextCursor of this list')
  const filter = {
    organizationId: caller.organizationId,
    campaignId: params.id,
    status: query.status ?? null,
    errorCode: query.errorCode ?? null,
    // Numbers are stored as digits, but typed with spaces and signs.
    search: query.search?.replace(/[\s+()/.-]/g, '') || null,
  }
  const after = Number(cursor ?? 0)
  const offset = cursor === undefined ? (page - 1) * limit : 0
  const [total, found] = await Promise.all([
    countMatching(db, filter),
    // One more than a page shows whether another one follows.
    listMatching(db, filter, { after, offset, limit: limit + 1 }),
  ])
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = found.length > limit && last ? String(last.position) : null
  return { total, page, limit, recipients: shown.map(recipientView), nextCursor }
}

function recipientView({ position: _place, ...one }: RecipientProgress) {
  return { ...one, sentAt: iso(one.sentAt), deliveredAt: iso(one.deliveredAt), readAt: iso(one.readAt) }
}

/** Returns how a campaign goes, by minute, and why messages failed. Throws NOT_FOUND. */
export async function progress({ caller, params }: Request<Campaigns['progress']>, { db }: Services) {
  const { organizationId } = caller
  await find(db, caller, params.id)
  const [minutes, reasons] = await Promise.all([
    listMinutes(db, organizationId, params.id, mostMinutes),
    countReasons(db, organizationId, params.id),
  ])
  return { minutes: minutes.map((minute) => ({ ...minute, at: minute.at.toISOString() })), reasons }
}

async function find(db: Services['db'], caller: CampaignReader, id: string): Promise<CountedCampaign> {
  const [campaign] = await listCampaigns(db, caller, id)
  if (!campaign) throw noSuchCampaign()
  return campaign
}
