import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import { at, changedReference, containerId, count, pageOf, pageQuery, search, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type Covers, route } from '../route.ts'
import {
  anyHour,
  campaign,
  campaignRecipient,
  created,
  draft,
  estimate,
  id,
  messageErrorCode,
  name,
  recipientStatuses,
  recipients,
  record,
  scheduledAt,
  storedTarget,
  template,
  times,
} from './campaign-records.ts'

const params = z.object({ id: uuid.describe('The campaign.') })
const access = { feature: 'campaigns', keys: 'any' } as const
const stateErrors = ['CAMPAIGN_INVALID_STATE', 'NOT_FOUND'] as const

export const campaigns = {
  /**
   * Creates a campaign of up to 10,000 recipients: a draft, or scheduled when `scheduledAt` is given. Nothing is sent.
   * Needs Notify, and for an API key Developer or Connect. An invalid number is refused with its row.
   * Fails with FORBIDDEN_ACTION quota_reached when campaigns that were never started hold 100,000 recipients (20,000 on
   * trial).
   */
  create: route(endpoints.campaigns.create, {
    summary: 'Create a campaign',
    access,
    body: z.object(draft),
    status: 201,
    response: ok({ campaign: created }),
    errors: ['FORBIDDEN_ACTION'],
    bulk: true,
  }),

  /** Returns what a campaign would send: duplicates, missing variables, sample texts, duration. Nothing is stored. */
  preview: route(endpoints.campaigns.preview, {
    summary: 'Preview a campaign',
    access,
    body: z.object({ ...draft, name: name.optional() }),
    status: 200,
    response: ok({
      total: count('Recipients given.'),
      unique: count('Recipients after duplicates are dropped.'),
      duplicates: count('Recipients that would be dropped.'),
      missingVariables: z
        .array(
          z.object({
            key: z.string().describe('The placeholder.'),
            recipients: count('Recipients without a value for it.'),
          }),
        )
        .describe('Placeholders that would stay empty.'),
      samples: z
        .array(z.object({ phone: z.string().describe('Digits.'), text: z.string().describe('The rendered text.') }))
        .describe('The texts of the first recipients.'),
      longest: count('Characters of the longest rendered text; over 4096 fails.'),
      ...estimate,
    }),
    errors: [],
    bulk: true,
  }),

  /**
   * Returns all campaigns of the organization, oldest first, with the counts of their messages. With a number's key it
   * returns those of that number and drafts without a number.
   */
  list: route(endpoints.campaigns.list, {
    summary: 'List campaigns',
    access,
    status: 200,
    response: ok({ campaigns: z.array(campaign).describe('The campaigns, oldest first.') }),
    errors: [],
  }),

  /** Returns one campaign with its progress, without its recipients. Use it to poll a long campaign. */
  get: route(endpoints.campaigns.get, {
    summary: 'Get a campaign without its recipients',
    access,
    params,
    status: 200,
    response: ok({ ...record, ...times }),
    errors: ['NOT_FOUND'],
  }),

  /** Returns one campaign with its progress and all its recipients. */
  status: route(endpoints.campaigns.status, {
    summary: 'Get a campaign and its progress',
    access,
    params,
    status: 200,
    response: ok({
      ...record,
      recipients: z.array(storedTarget).describe('All recipients.'),
      ...times,
    }),
    errors: ['NOT_FOUND'],
    longLists: true,
  }),

  /**
   * Returns the recipients with the status of their messages, page by page, filtered by status, reason and part of the
   * number.
   */
  recipients: route(endpoints.campaigns.recipients, {
    summary: 'List the recipients of a campaign',
    access,
    params,
    query: z.object({
      status: z.enum(recipientStatuses).optional().describe('Only recipients with this status.'),
      errorCode: messageErrorCode.optional().describe('Only recipients whose message failed for this reason.'),
      search: search('Part of the number.'),
      ...pageQuery,
      cursor: z
        .string()
        .max(limits.cursor)
        .optional()
        .describe('The nextCursor of the previous page; it replaces page.'),
    }),
    status: 200,
    response: ok({
      ...pageOf,
      recipients: z.array(campaignRecipient).describe('The recipients of this page.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    errors: ['NOT_FOUND'],
  }),

  /**
   * Returns how a campaign goes: for each minute since it began, how many of its messages were sent or failed then, and
   * how many of these were delivered and read since; and how many failed for which reason. At most the last 1,440
   * minutes in which something was sent.
   */
  progress: route(endpoints.campaigns.progress, {
    summary: 'Get the progress of a campaign by minute',
    access,
    params,
    status: 200,
    response: ok({
      minutes: z
        .array(
          z
            .object({
              at: at('The beginning of the minute.'),
              sent: count('Messages that were sent in it.'),
              delivered: count('Those of them that are delivered or read by now.'),
              read: count('Those of them that are read by now.'),
              failed: count('Messages that failed in it.'),
            })
            .meta({ id: 'CampaignMinute', description: 'What a campaign sent in one minute.' }),
        )
        .describe('The minutes, oldest first; those in which nothing happened are left out.'),
      reasons: z
        .array(
          z
            .object({ errorCode: messageErrorCode.describe('Why.'), count: count('Messages that failed so.') })
            .meta({ id: 'CampaignFailure', description: 'Messages of a campaign that failed for one reason.' }),
        )
        .describe('Why messages failed, the most frequent first.'),
    }),
    errors: ['NOT_FOUND'],
  }),

  /**
   * Changes a draft or scheduled campaign. Omitted fields keep their values. `recipients` replaces all recipients;
   * `scheduledAt` schedules the campaign, null makes it a draft. Fails with CAMPAIGN_INVALID_STATE in any other state.
   */
  update: route(endpoints.campaigns.update, {
    summary: 'Change a campaign',
    access,
    params,
    body: z.object({
      name: name.optional(),
      template: template.optional(),
      recipients: recipients.optional().describe('Replaces all recipients, 1 to 10,000 people.'),
      scheduledAt: scheduledAt.nullable().optional().describe('A time schedules it, null makes it a draft.'),
      anyHour: anyHour.optional(),
      strictVariables: z
        .boolean()
        .optional()
        .describe('Refuse when a recipient lacks the value of a placeholder after the change.'),
      clientReference: changedReference,
    }),
    status: 200,
    response: ok({ campaign }),
    errors: [...stateErrors, 'FORBIDDEN_ACTION'],
    bulk: true,
  }),

  /**
   * Starts a draft or scheduled campaign: its messages are queued 3 to 7 seconds apart. All recipients count against a
   * trial at once (TRIAL_LIMIT_REACHED). Fails with CAMPAIGN_INVALID_STATE in any other state.
   */
  send: route(endpoints.campaigns.send, {
    summary: 'Start a campaign',
    access,
    params,
    body: z.object({ containerId }),
    status: 200,
    response: ok({
      campaignId: id,
      status: z.literal('sending').describe('It is being sent.'),
      totalRecipients: count('Messages queued.'),
      ...estimate,
    }),
    errors: [...stateErrors, 'NO_SESSION_CONFIGURED', 'TRIAL_LIMIT_REACHED'],
    sends: 'queued',
  }),

  /** Pauses a campaign that is sending and removes its unsent messages from the queue. */
  pause: route(endpoints.campaigns.pause, {
    summary: 'Pause a campaign',
    access,
    params,
    status: 200,
    response: ok({
      status: z.literal('paused').describe('Nothing more is sent.'),
      jobsRemoved: count('Messages removed from the queue.'),
    }),
    errors: stateErrors,
  }),

  /** Resumes a paused campaign with the recipients that have no message yet. */
  resume: route(endpoints.campaigns.resume, {
    summary: 'Resume a campaign',
    access,
    params,
    body: z.object({ containerId }),
    status: 200,
    response: ok({
      status: z.literal('sending').describe('It is being sent.'),
      jobsRequeued: count('Messages queued again.'),
    }),
    errors: [...stateErrors, 'NO_SESSION_CONFIGURED'],
    sends: 'queued',
  }),

  /** Cancels a scheduled or paused campaign for good. It stays in the list. */
  cancel: route(endpoints.campaigns.cancel, {
    summary: 'Cancel a campaign',
    access,
    params,
    status: 200,
    response: ok({
      status: z.literal('cancelled').describe('It will never be sent.'),
      jobsRemoved: count('Messages removed from the queue.'),
    }),
    errors: stateErrors,
  }),

  /** Deletes a campaign and its message history. Fails with CAMPAIGN_INVALID_STATE while it is sending. */
  delete: route(endpoints.campaigns.delete, {
    summary: 'Delete a campaign',
    access,
    params,
    status: 200,
    response: ok({}),
    errors: stateErrors,
  }),
} satisfies Covers<typeof endpoints.campaigns>
