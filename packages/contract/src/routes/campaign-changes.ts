import * as z from 'zod'
import * as example from '../examples/campaigns.ts'
import * as cast from '../examples/cast.ts'
import { ok } from '../model/envelope.ts'
import { changedReference, containerId, count } from '../model/fields.ts'
import { route } from '../route.ts'
import {
  access,
  anyHour,
  campaign,
  estimate,
  id,
  name,
  params,
  recipients,
  scheduledAt,
  template,
} from './campaign-records.ts'

const stateErrors = ['CAMPAIGN_INVALID_STATE', 'NOT_FOUND'] as const

/** The routes that change or run a campaign. */
export const campaignChanges = {
  /**
   * Changes a draft or scheduled campaign. Omitted fields keep their values. `recipients` replaces all recipients;
   * `scheduledAt` schedules the campaign, null makes it a draft. Fails with CAMPAIGN_INVALID_STATE in any other state.
   */
  update: route('PUT /bulk/campaigns/:id', {
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
    response: ok({ campaign }),
    errors: [...stateErrors, 'FORBIDDEN_ACTION'],
    bulk: true,
    example: {
      input: { id: cast.campaign.id, name: 'Spring sale, second wave', scheduledAt: null },
      output: {
        campaign: {
          ...example.record,
          status: 'draft',
          stats: { total: 2, sent: 0, delivered: 0, failed: 0, read: 0 },
          name: 'Spring sale, second wave',
        },
      },
    },
    msgctl: `msgctl campaigns edit ${cast.campaign.id} --name "Spring sale, second wave" --unschedule`,
  }),

  /**
   * Starts a draft or scheduled campaign: its messages are queued 3 to 7 seconds apart. All recipients count against a
   * trial at once (TRIAL_LIMIT_REACHED). Fails with CAMPAIGN_INVALID_STATE in any other state.
   */
  send: route('POST /bulk/campaigns/:id/send', {
    summary: 'Start a campaign',
    access,
    params,
    body: z.object({ containerId }),
    response: ok({
      campaignId: id,
      status: z.literal('sending').describe('It is being sent.'),
      totalRecipients: count('Messages queued.'),
      ...estimate,
    }),
    errors: [...stateErrors, 'NO_SESSION_CONFIGURED', 'TRIAL_LIMIT_REACHED'],
    sends: 'queued',
    idempotent: true,
    example: {
      input: { id: cast.campaign.id, containerId: cast.support.containerId },
      output: {
        campaignId: cast.campaign.id,
        status: 'sending',
        totalRecipients: 2,
        ...example.estimate,
      },
    },
    msgctl: `msgctl campaigns send ${cast.campaign.id} --from ${cast.support.label}`,
  }),

  /** Pauses a campaign that is sending and removes its unsent messages from the queue. */
  pause: route('POST /bulk/campaigns/:id/pause', {
    summary: 'Pause a campaign',
    access,
    params,
    response: ok({
      status: z.literal('paused').describe('Nothing more is sent.'),
      jobsRemoved: count('Messages removed from the queue.'),
    }),
    errors: stateErrors,
    example: { input: { id: cast.campaign.id }, output: { status: 'paused', jobsRemoved: 1 } },
    msgctl: `msgctl campaigns pause ${cast.campaign.id}`,
  }),

  /** Resumes a paused campaign with the recipients that have no message yet. */
  resume: route('POST /bulk/campaigns/:id/resume', {
    summary: 'Resume a campaign',
    access,
    params,
    body: z.object({ containerId }),
    response: ok({
      status: z.literal('sending').describe('It is being sent.'),
      jobsRequeued: count('Messages queued again.'),
    }),
    errors: [...stateErrors, 'NO_SESSION_CONFIGURED'],
    sends: 'queued',
    idempotent: true,
    example: {
      input: { id: cast.campaign.id, containerId: cast.support.containerId },
      output: { status: 'sending', jobsRequeued: 1 },
    },
    msgctl: `msgctl campaigns resume ${cast.campaign.id} --from ${cast.support.label}`,
  }),

  /** Cancels a scheduled or paused campaign for good. It stays in the list. */
  cancel: route('POST /bulk/campaigns/:id/cancel', {
    summary: 'Cancel a campaign',
    access,
    params,
    response: ok({
      status: z.literal('cancelled').describe('It will never be sent.'),
      jobsRemoved: count('Messages removed from the queue.'),
    }),
    errors: stateErrors,
    example: { input: { id: cast.campaign.id }, output: { status: 'cancelled', jobsRemoved: 1 } },
    msgctl: `msgctl campaigns cancel ${cast.campaign.id}`,
  }),

  /** Deletes a campaign and its message history. Fails with CAMPAIGN_INVALID_STATE while it is sending. */
  delete: route('DELETE /bulk/campaigns/:id', {
    summary: 'Delete a campaign',
    access,
    params,
    response: ok({}),
    errors: stateErrors,
    example: { input: { id: cast.campaign.id }, output: {} },
    msgctl: `msgctl campaigns delete ${cast.campaign.id}`,
  }),
}
