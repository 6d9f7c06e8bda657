import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { pastTime } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { kindsFrom } from './kinds.ts'

/** The columns of an event. */
export const eventColumns = defineColumns(
  'timestamp as When, event, data.recipient as To, data.sender as From',
  { field: 'data.messageId', title: 'Message', spare: true },
  'data.name as Campaign, data.vote.from as Voter, data.vote.selectedOptions as Choice, id as Event id',
)

/** The options that select events. */
export interface EventFilters {
  readonly types?: string
  readonly after?: string
  readonly since?: string
  readonly until?: string
  readonly number?: string
  readonly campaign?: string
  readonly reference?: string
}

/** Adds the options of {@link EventFilters} that lists and streams share. */
export function filterOptions(verb: Command): Command {
  return verb
    .option('--types <kinds>', 'show only these kinds, separated by commas; message.* selects all kinds of a group')
    .option('--after <id>', 'show only events after this one')
    .option('--since <time>', 'show only events from this time on, like 1h or 2026-10-01T09:00:00Z')
    .option('--number <number>', 'show only events of this number: id, label or phone')
    .option('--campaign <id>', 'show only events of this campaign')
    .option('--reference <text>', 'show only events of sends with this reference')
}

/** Converts the options to the input of the API. Throws a usage error for an unknown kind. */
export async function toEventInput({ host }: Context, client: MessagingClient, filters: EventFilters) {
  const { types, after, since, until, number, campaign, reference } = filters
  return {
    ...(types !== undefined && { types: kindsFrom(types) }),
    ...(after !== undefined && { after }),
    ...(since !== undefined && { since: pastTime(since, host.now()) }),
    ...(until !== undefined && { until: pastTime(until, host.now()) }),
    ...(campaign !== undefined && { campaignId: campaign }),
    ...(reference !== undefined && { clientReference: reference }),
    ...(await optionalContainerId(client, number)),
  }
}
