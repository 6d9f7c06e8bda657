import * as cast from './cast.ts'
import type { Outputs } from './examples.ts'

const { campaign, jane, jose, owner, reminder, support } = cast

const success = true

const record = {
  id: campaign.id,
  name: campaign.name,
  template: campaign.template,
  status: 'completed',
  stats: { total: 2, sent: 2, delivered: 2, failed: 0, read: 1 },
  scheduledAt: null,
  createdAt: campaign.createdAt,
  startError: null,
  anyHour: false,
  pauseReason: null,
  clientReference: null,
} as const
const draft = { ...record, status: 'draft', stats: { total: 2, sent: 0, delivered: 0, failed: 0, read: 0 } } as const
const times = { startedAt: campaign.startedAt, completedAt: campaign.completedAt } as const
const forJane = { phone: jane.phone, variables: { name: 'Jane', day: 'Monday' } } as const
const forJose = { phone: jose.phone, variables: { name: 'José', day: 'Tuesday' } } as const
const estimate = { estimatedDuration: '10 s', estimatedDurationSeconds: 10 } as const

const rent = {
  id: reminder.id,
  clientReference: 'booking-7',
  ownerId: owner.id,
  containerId: support.containerId,
  label: 'Rent',
  phone: jane.phone,
  message: reminder.message,
  variables: { name: 'Jane' },
  sendAt: reminder.sendAt,
  firstSendAt: reminder.sendAt,
  repeat: 'monthly',
  status: 'scheduled',
  batchId: null,
  sendCount: 0,
  lastSentAt: null,
  lastMessageId: null,
  lastError: null,
  createdAt: '2026-11-02T15:28:20.000Z',
  updatedAt: '2026-11-02T15:28:20.000Z',
  lastMessageStatus: null,
  timeZone: 'Europe/Berlin',
} as const

/** Example responses of the routes that send later. */
export const planned = {
  campaigns: {
    create: {
      success,
      campaign: {
        id: campaign.id,
        name: campaign.name,
        status: 'scheduled',
        recipientCount: 2,
        scheduledAt: '2030-03-01T08:00:00.000Z',
        duplicates: 0,
      },
    },
    preview: {
      success,
      total: 2,
      unique: 2,
      duplicates: 0,
      missingVariables: [],
      samples: [
        { phone: jane.phone, text: 'Hello Jane, the sale starts on Monday.' },
        { phone: jose.phone, text: 'Hello José, the sale starts on Tuesday.' },
      ],
      longest: 39,
      ...estimate,
    },
    list: { success, campaigns: [record] },
    get: { success, ...record, ...times },
    status: { success, ...record, recipients: [forJane, forJose], ...times },
    recipients: {
      success,
      total: 1,
      page: 1,
      limit: 50,
      recipients: [
        {
          ...forJane,
          messageId: campaign.messageId,
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
    progress: {
      success,
      minutes: [{ at: '2026-11-02T15:21:00.000Z', sent: 2, delivered: 2, read: 1, failed: 1 }],
      reasons: [{ errorCode: 'NUMBER_NOT_ON_NETWORK', count: 1 }],
    },
    update: { success, campaign: { ...draft, name: 'Spring sale, second wave' } },
    send: { success, campaignId: campaign.id, status: 'sending', totalRecipients: 2, ...estimate },
    pause: { success, status: 'paused', jobsRemoved: 1 },
    resume: { success, status: 'sending', jobsRequeued: 1 },
    cancel: { success, status: 'cancelled', jobsRemoved: 1 },
    delete: { success },
  },
  reminders: {
    list: { success, total: 1, page: 1, limit: 50, reminders: [rent] },
    get: { success, reminder: rent },
    create: { success, reminder: rent },
    import: {
      success,
      created: 1,
      batchId: reminder.batchId,
      skipped: [{ row: 1, phone: jose.phone, sendAt: '2026-11-01T09:00:00.000Z', reason: 'past' }],
    },
    update: {
      success,
      reminder: { ...rent, sendAt: '2030-02-01T09:00:00.000Z', firstSendAt: '2030-02-01T09:00:00.000Z' },
    },
    cancel: { success, reminder: { ...rent, status: 'cancelled' } },
    delete: { success },
  },
} as const satisfies Outputs
