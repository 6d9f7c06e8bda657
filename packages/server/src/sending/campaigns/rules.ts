import { type CampaignStatus, campaignAllows } from '@msgctl/contract'

/**
 * An action on a campaign. Callers edit it, set its start time (`schedule`) or remove it (`unschedule`), and do the
 * rest by its name. The service starts it at its time (`start_time`), gives up starting it (`give_up`), and completes
 * it (`finish`).
 */
export type CampaignAction =
  | Exclude<keyof typeof campaignAllows, 'update'>
  | 'edit'
  | 'schedule'
  | 'unschedule'
  | 'start_time'
  | 'give_up'
  | 'finish'

/** The result of an action: a state, which can be the present one, the end of the campaign, or a refusal. */
export type TransitionResult =
  | { readonly is: 'state'; readonly to: CampaignStatus }
  | { readonly is: 'gone' }
  | { readonly is: 'refused'; readonly code: 'CAMPAIGN_INVALID_STATE'; readonly allowed: readonly CampaignStatus[] }

interface Rule {
  readonly from: readonly CampaignStatus[]
  /** `same` keeps the state, `gone` ends the campaign. */
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
  // Decided by the database: reconcile_campaigns (docs/build/decisions/0027).
  finish: { from: ['sending'], to: 'completed' },
}

/** The names of all actions. */
export const campaignActions = Object.keys(rules) as readonly CampaignAction[]

/** Decides what an action does to a campaign in this state (specification, "Campaign statuses"). */
export function transition(status: CampaignStatus, action: CampaignAction): TransitionResult {
  const { from, to } = rules[action]
  if (!from.includes(status)) return { is: 'refused', code: 'CAMPAIGN_INVALID_STATE', allowed: from }
  if (to === 'gone') return { is: 'gone' }
  return { is: 'state', to: to === 'same' ? status : to }
}
