import * as cast from './cast.ts'

const { campaign, jane, jose } = cast

/** The input of the campaign. */
export const draftInput = {
  name: campaign.name,
  template: campaign.template,
  recipients: [
    { phone: jane.typed, variables: { name: 'Jane', day: 'Monday' } },
    { phone: jose.typed, variables: { name: 'José', day: 'Tuesday' } },
  ],
} as const

const day = (phone: string, name: string, on: string) =>
  `  {"phone": "${phone}", "variables": {"name": "${name}", "day": "${on}"}}`

/** Its recipients as a file of JSON. */
export const recipientsFile = `[\n${day(jane.typed, 'Jane', 'Monday')},\n${day(jose.typed, 'José', 'Tuesday')}\n]`

export const forJane = { phone: jane.phone, variables: { name: 'Jane', day: 'Monday' } } as const
export const forJose = { phone: jose.phone, variables: { name: 'José', day: 'Tuesday' } } as const
export const estimate = { estimatedDuration: '10 s', estimatedDurationSeconds: 10 } as const

/** The campaign after it was sent. */
export const record = {
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
export const times = { startedAt: campaign.startedAt, completedAt: campaign.completedAt } as const
