import type { MessagingClient } from '@msgctl/client'
import { type MessageErrorCode, messageErrorCodes, messageStatuses } from '@msgctl/contract/states'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { example } from './options.ts'
import { resolveCampaignId } from './reference.ts'

const recipientColumns = defineColumns(
  'phone as To, status, error',
  { field: 'errorCode', title: 'Reason', onRequest: true },
  'messageId as Message, sentAt as Sent',
)

const statuses = ['pending', ...messageStatuses] as const

interface RecipientFilters extends ListOptions {
  readonly status?: (typeof statuses)[number]
  readonly failed?: true
  readonly error?: MessageErrorCode
  readonly search?: string
}

async function recipients(context: Context, reference: string, filters: RecipientFilters): Promise<void> {
  const { status: requestedStatus, failed, error, search, ...paging } = filters
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const status = failed ? ('failed' as const) : requestedStatus
  const input: Parameters<MessagingClient['campaigns']['recipients']>[0] = {
    id,
    ...(status && { status }),
    ...(error && { errorCode: error }),
    ...(search !== undefined && { search }),
  }
  const rows = listRows(context, paging, client.campaigns.recipients, input)
  await context.print.list(rows, recipientColumns, 'No recipients found.')
}

/** `campaigns recipients`. */
export const recipientsVerb = verb(
  'recipients <campaign>',
  'list the recipients with the status of their message',
  recipients,
  [`msgctl campaigns recipients ${example} --failed --output csv`],
  (command) =>
    listOptions(
      command
        .addOption(new Option('--status <status>', 'show only this status').choices(statuses))
        .option('--failed', 'show only recipients whose message failed')
        .addOption(
          new Option('--error <code>', 'show only recipients whose message failed for this reason').choices(
            Object.keys(messageErrorCodes),
          ),
        )
        .option('--search <text>', 'search part of the phone number'),
    ),
)
