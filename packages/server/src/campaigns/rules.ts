import { type CampaignStatus, campaignAllows } from '@msgctl/contract'

/**
 * What may happen to a campaign. People edit it, give it a start time (`schedule`) or take that away (`unschedule`), and
 * the rest by their names; the service starts it at its time (`start_time`) or gives that up (`give_up`), and finishes it.
 */
export type CampaignAction =
  | Exclude<keyof typeof campaignAllows, 'update'>
  | 'edit'
  | 'schedule'
  | 'unschedule'
  | 'start_time'
  | 'give_up'
  | 'finish'

/** What an action comes to: a state (which may be the one it is in), the end of the campaign, or a refusal. */
export type TransitionResult =
  | { readonly is: 'state'; readonly to: CampaignStatus }
  | { readonly is: 'gone' }
  | { readonly is: 'refused'; readonly code: 'CAMPAIGN_INVALID_STATE'; readonly allowed: readonly CampaignStatus[] }

interface Rule {
  readonly from: readonly CampaignStatus[]
  /** `same` stays where it is, `gone` ends the campaign. */
  readonly to: CampaignStatus | 'same' | 'gone'
}

const rules: Readonly<Record<CampaignAction, Rule>> = {
  edit: { from: campaignAllows.update, to: 'same' },
  schedule: { from: campaignAllows.update, to: 'scheduled' },
  unschedule: { from: campaignAllows.update, to: 'draft' },
  send: { from: campaignAllows.send, to: 'sending' },
  pause: { from: campaignAllows.pause, to: 'paused' },
  resume: { from: campaignAllows.resume, to: 'sending' },
  cancel: { from: campaignAllows.cancel, to: 'cancelled' },
  delete: { from: campaignAllows.delete, to: 'gone' },
  start_time: { from: ['scheduled'], to: 'sending' },
  give_up: { from: ['scheduled'], to: 'draft' },
  // Decided by the database: reconcile_campaigns (docs/decisions/0027).
  finish: { from: ['sending'], to: 'completed' },
}

/** Every action, by its name. */
export const campaignActions = Object.keys(rules) as readonly CampaignAction[]

/** Decides what an action does to a campaign in this state (specification, "Campaign statuses"). */
export function transition(status: CampaignStatus, action: CampaignAction): TransitionResult {
  const { from, to } = rules[action]
  if (!from.includes(status)) return { is: 'refused', code: 'CAMPAIGN_INVALID_STATE', allowed: from }
  if (to === 'gone') return { is: 'gone' }
  return { is: 'state', to: to === 'same' ? status : to }
}
