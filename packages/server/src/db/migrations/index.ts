import type { Knex } from 'knex'
import { clockAndTenants } from './0001-clock-and-tenants.ts'
import { numbersAndMessages } from './0002-numbers-and-messages.ts'
import { eventsAndWebhooks } from './0003-events-and-webhooks.ts'
import { simulatedNetwork } from './0004-simulator.ts'
import { agendaJobs } from './0005-agenda.ts'
import { directSends } from './0006-direct-sends.ts'
import { numberChecks } from './0007-number-checks.ts'
import { sendGroups } from './0008-send-groups.ts'
import { messageCounts } from './0009-message-counts.ts'
import { messagePacks } from './0010-message-packs.ts'
import { reminders } from './0011-reminders.ts'
import { campaigns } from './0012-campaigns.ts'
import { oneTimeCodes } from './0013-one-time-codes.ts'
import { lostClaims } from './0014-lost-claims.ts'
import { campaignCounts } from './0015-campaign-counts.ts'
import { numberSupervision } from './0017-number-supervision.ts'
import { contacts } from './0018-contacts.ts'
import { listedDeliveries } from './0019-listed-deliveries.ts'
import { chats } from './0023-chats.ts'
import { boundCampaigns } from './0024-bound-campaigns.ts'
import { quickChatChanges } from './0025-quick-chat-changes.ts'
import { quickClock } from './0025-quick-clock.ts'
import { lighterDeliveries } from './0026-lighter-deliveries.ts'
import { eventStreams } from './0027-event-streams.ts'

interface Migration {
  readonly name: string
  up(db: Knex): Promise<void>
}

function sql(name: string, text: string): Migration {
  return {
    name,
    async up(db) {
      await db.raw(text)
    },
  }
}

/** Every migration in its order. Forward only: a landed one is never edited, a new one is added at the end. */
export const migrations: readonly Migration[] = [
  sql('0001-clock-and-tenants', clockAndTenants),
  sql('0002-numbers-and-messages', numbersAndMessages),
  sql('0003-events-and-webhooks', eventsAndWebhooks),
  sql('0004-simulator', simulatedNetwork),
  sql('0005-agenda', agendaJobs),
  sql('0006-direct-sends', directSends),
  sql('0007-number-checks', numberChecks),
  sql('0008-send-groups', sendGroups),
  sql('0009-message-counts', messageCounts),
  sql('0010-message-packs', messagePacks),
  sql('0011-reminders', reminders),
  sql('0012-campaigns', campaigns),
  sql('0013-one-time-codes', oneTimeCodes),
  sql('0014-lost-claims', lostClaims),
  sql('0015-campaign-counts', campaignCounts),
  sql('0017-number-supervision', numberSupervision),
  sql('0018-contacts', contacts),
  sql('0019-listed-deliveries', listedDeliveries),
  sql('0023-chats', chats),
  sql('0024-bound-campaigns', boundCampaigns),
  sql('0025-quick-clock', quickClock),
  sql('0025-quick-chat-changes', quickChatChanges),
  sql('0026-lighter-deliveries', lighterDeliveries),
  sql('0027-event-streams', eventStreams),
]
