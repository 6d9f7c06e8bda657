import { text, uuid } from './fields.ts'
import { instant } from './instants.ts'
import { limits } from './limits.ts'

/** Filters of the query that the lists of messages and events share. `what` is the plural of the rows. */
export function filters(what: string) {
  return {
    containerId: uuid.optional().describe(`Only ${what} of this number.`),
    campaignId: uuid.optional().describe(`Only ${what} of this campaign.`),
    clientReference: text(1, limits.clientReference)
      .optional()
      .describe(`Only ${what} of sends that carried this clientReference.`),
  }
}

/** The span of time of a list. `what` is the plural of the rows. */
export function timeSpan(what: string) {
  return {
    since: instant.optional().describe(`Only ${what} from this time on, ISO 8601 with Z or any offset.`),
    until: instant.optional().describe(`Only ${what} before this time, ISO 8601 with Z or any offset.`),
  }
}
