import type { CampaignStatus } from '@msgctl/contract'
import type { CampaignAction } from '#sending/campaigns/rules.ts'

/**
 * Where each action leads, state by state, written down from the specification ("Campaign statuses") and from nothing
 * else; `gone` is deleted, and what is not here is forbidden.
 */
export const specified: Readonly<
  Record<CampaignStatus, Readonly<Partial<Record<CampaignAction, CampaignStatus | 'gone'>>>>
> = {
  draft: { edit: 'draft', schedule: 'scheduled', unschedule: 'draft', send: 'sending', delete: 'gone' },
  scheduled: {
    edit: 'scheduled',
    schedule: 'scheduled',
    unschedule: 'draft',
    send: 'sending',
    start_time: 'sending',
    give_up: 'draft',
    cancel: 'cancelled',
    delete: 'gone',
  },
  sending: { pause: 'paused', finish: 'completed' },
  paused: { resume: 'sending', cancel: 'cancelled', delete: 'gone' },
  completed: { delete: 'gone' },
  cancelled: { delete: 'gone' },
}
