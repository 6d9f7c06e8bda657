import * as z from 'zod'
import { features, products, roles } from '../access.ts'
import { type EventKind, eventKinds, eventName, events, webhookBody } from '../events/events.ts'
import { priority } from '../model/fields.ts'
import * as states from '../model/states.ts'
import { changeLimit, trialRecord } from '../routes/account.ts'
import { billingRecord } from '../routes/billing/billing-records.ts'
import { messageSenders, messageTypes } from '../routes/messages.ts'
import { linkedAccount } from '../routes/number-records.ts'
import { organizationNumbers } from '../routes/people/organization.ts'

type Values = readonly [string, ...string[]]

const named = (id: string, description: string, values: Values) => z.enum(values).meta({ id, description })

const messageErrorCodes = Object.keys(states.messageErrorCodes) as [string, ...string[]]

function webhookSchema(kind: EventKind): z.ZodType {
  return webhookBody(kind).meta({ id: `${eventName(kind)}Webhook`, description: events[kind].when })
}

/**
 * What has a name in the OpenAPI document besides the records, which get theirs where they are defined, by
 * `meta({ id })`: the lists of values, the bodies of webhooks, and records that are used only where they may be null or
 * are described.
 */
export const namedSchemas: readonly z.ZodType[] = [
  named('MessageStatus', 'The status of a message.', states.messageStatuses),
  named('MessageType', 'What a message was sent as.', messageTypes),
  named('MessageSender', 'Who had a message sent.', messageSenders),
  named('MessageErrorCode', 'Why a message failed, as a stable code.', messageErrorCodes),
  priority.meta({ id: 'Priority', description: 'The priority of a message in the queue.' }),
  named('CampaignStatus', 'The status of a campaign.', states.campaignStatuses),
  named('ReminderStatus', 'The status of a reminder.', states.reminderStatuses),
  named('NumberStatus', 'The status of the connection of a number.', states.numberStatuses),
  named('Product', 'A product of an organization.', products),
  named('Feature', 'A feature that products unlock.', features),
  named('Role', 'A role in an organization.', roles),
  z.enum(eventKinds).meta({ id: 'EventKind', description: 'The name of a kind of event. New kinds may appear.' }),
  ...eventKinds.map(webhookSchema),
  linkedAccount,
  trialRecord,
  changeLimit,
  billingRecord,
  organizationNumbers,
]
