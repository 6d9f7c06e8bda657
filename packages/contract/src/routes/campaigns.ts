import * as z from 'zod'
import * as example from '../examples/campaigns.ts'
import * as cast from '../examples/cast.ts'
import { piped } from '../examples/shell.ts'
import { named, ok } from '../model/envelope.ts'
import { at, count, pageOf, pageQuery, search } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { campaignChanges } from './campaign-changes.ts'
import {
  access,
  campaign,
  campaignRecipient,
  created,
  draft,
  estimate,
  messageErrorCode,
  name,
  params,
  recipientStatuses,
  record,
  storedTarget,
  times,
} from './campaign-records.ts'

const plans = {
  /**
   * Creates a campaign of up to 10,000 recipients: a draft, or scheduled when `scheduledAt` is given. Nothing is sent.
   * Needs Notify, and for an API key Developer or Connect. An invalid number is refused with its row.
   * Fails with FORBIDDEN_ACTION quota_reached when campaigns that were never started hold 100,000 recipients (20,000 on
   * trial).
   */
  create: route('POST /bulk/campaigns', {
    summary: 'Create a campaign',
    access,
    body: z.object(draft),
    status: 201,
    response: ok({ campaign: created }),
    errors: ['FORBIDDEN_ACTION'],
    bulk: true,
    idempotent: true,
    example: {
      input: { ...example.draftInput, scheduledAt: '2030-03-01T09:00:00+01:00' },
      output: {
        campaign: {
          id: cast.campaign.id,
          name: cast.campaign.name,
          status: 'scheduled',
          recipientCount: 2,
          scheduledAt: '2030-03-01T08:00:00.000Z',
          duplicates: 0,
        },
      },
    },
    msgctl: piped(
      example.recipientsFile,
      `msgctl campaigns create "${cast.campaign.name}" "${cast.campaign.template}" \\
  --at 2030-03-01T09:00:00+01:00 --yes --file -`,
    ),
  }),

  /** Returns what a campaign would send: duplicates, missing variables, sample texts, duration. Nothing is stored. */
  preview: route('POST /bulk/campaigns/preview', {
    summary: 'Preview a campaign',
    access,
    body: z.object({ ...draft, name: name.optional() }),
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
    bulk: true,
    reads: true,
    example: {
      input: example.draftInput,
      output: {
        total: 2,
        unique: 2,
        duplicates: 0,
        missingVariables: [],
        samples: [
          { phone: cast.jane.phone, text: 'Hello Jane, the sale starts on Monday.' },
          { phone: cast.jose.phone, text: 'Hello José, the sale starts on Tuesday.' },
        ],
        longest: 39,
        ...example.estimate,
      },
    },
    msgctl: piped(example.recipientsFile, `msgctl campaigns preview "${cast.campaign.template}" --file -`),
  }),

  /**
   * Returns all campaigns of the organization, oldest first, with the counts of their messages. With a number's key it
   * returns those of that number and drafts without a number.
   */
  list: route('GET /bulk/campaigns', {
    summary: 'List campaigns',
    access,
    response: ok({ campaigns: z.array(campaign).describe('The campaigns, oldest first.') }),
    example: { output: { campaigns: [example.record] } },
    msgctl: 'msgctl campaigns list',
  }),

  /** Returns one campaign with its progress, without its recipients. Use it to poll a long campaign. */
  get: route('GET /bulk/campaigns/:id', {
    summary: 'Get a campaign without its recipients',
    access,
    params,
    response: ok({ ...record, ...times }),
    errors: ['NOT_FOUND'],
    example: { input: { id: cast.campaign.id }, output: { ...example.record, ...example.times } },
    msgctl: `msgctl campaigns show ${cast.campaign.id}`,
  }),

  /** Returns one campaign with its progress and all its recipients. */
  status: route('GET /bulk/campaigns/:id/status', {
    summary: 'Get a campaign and its progress',
    access,
    params,
    response: ok({
      ...record,
      recipients: z.array(storedTarget).describe('All recipients.'),
      ...times,
    }),
    errors: ['NOT_FOUND'],
    longLists: true,
    example: {
      input: { id: cast.campaign.id },
      output: { ...example.record, recipients: [example.forJane, example.forJose], ...example.times },
    },
    msgctl: `msgctl campaigns show ${cast.campaign.id} --json`,
  }),

  /**
   * Returns the recipients with the status of their messages, page by page, filtered by status, reason and part of the
   * number.
   */
  recipients: route('GET /bulk/campaigns/:id/recipients', {
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
    response: ok({
      ...pageOf,
      recipients: z.array(campaignRecipient).describe('The recipients of this page.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    errors: ['NOT_FOUND'],
    example: {
      input: { id: cast.campaign.id, status: 'read' },
      output: {
        total: 1,
        page: 1,
        limit: 50,
        recipients: [
          {
            ...example.forJane,
            messageId: cast.campaign.messageId,
            status: 'read',
            error: null,
            errorCode: null,
            sentAt: '2026-11-02T15:21:05.000Z',
            deliveredAt: '2026-11-02T15:21:07.000Z',
            readAt: '2026-11-02T16:02:10.000Z',
          },
        ],
        nextCursor: null,
      },
    },
    msgctl: `msgctl campaigns recipients ${cast.campaign.id} --status read`,
  }),

  /**
   * Returns how a campaign goes: for each minute since it began, how many of its messages were sent or failed then, and
   * how many of these were delivered and read since; and how many failed for which reason. At most the last 1,440
   * minutes in which something was sent.
   */
  progress: route('GET /bulk/campaigns/:id/progress', {
    summary: 'Get the progress of a campaign by minute',
    access,
    params,
    response: ok({
      minutes: z
        .array(
          named('CampaignMinute', 'What a campaign sent in one minute.', {
            at: at('The beginning of the minute.'),
            sent: count('Messages that were sent in it.'),
            delivered: count('Those of them that are delivered or read by now.'),
            read: count('Those of them that are read by now.'),
            failed: count('Messages that failed in it.'),
          }),
        )
        .describe('The minutes, oldest first; those in which nothing happened are left out.'),
      reasons: z
        .array(
          named('CampaignFailure', 'Messages of a campaign that failed for one reason.', {
            errorCode: messageErrorCode.describe('Why.'),
            count: count('Messages that failed so.'),
          }),
        )
        .describe('Why messages failed, the most frequent first.'),
    }),
    errors: ['NOT_FOUND'],
    example: {
      input: { id: cast.campaign.id },
      output: {
        minutes: [{ at: '2026-11-02T15:21:00.000Z', sent: 2, delivered: 2, read: 1, failed: 1 }],
        reasons: [{ errorCode: 'NUMBER_NOT_ON_NETWORK', count: 1 }],
      },
    },
  }),
}

type Campaigns = typeof plans & typeof campaignChanges

/** Campaigns: one template to many recipients. */
export const campaigns: Campaigns = { ...plans, ...campaignChanges }
