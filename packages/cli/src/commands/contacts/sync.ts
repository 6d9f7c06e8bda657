import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { type ReadOptions, readWithin } from '../../http/polling.ts'
import { secondsFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

const syncColumns = defineColumns('contacts, saved, lidsLinked as Contacts merged, messagesLinked, importing')

const pollMs = 2_000

interface SyncOptions {
  readonly number?: string
  readonly wait?: true
  readonly timeout: string
}

/** Waits until recent chats have been imported. Throws a CliError after `timeoutMs`. */
async function waitForImport(context: Context, client: MessagingClient, timeoutMs: number): Promise<void> {
  const { host } = context
  const end = host.now() + timeoutMs
  const count = (options: ReadOptions) => client.contacts.count({}, options)
  while ((await readWithin(context, end, count)).importing) {
    if (host.now() >= end) {
      throw new CliError('Timed out: recent chats are still being imported.', {
        code: 'WAIT_TIMED_OUT',
        exitCode: exitCodes.waitTimedOut,
        advice: 'msgctl contacts count shows the progress.',
      })
    }
    await host.wait(Math.min(pollMs, end - host.now()), host.signal)
    host.signal.throwIfAborted()
  }
}

async function sync(context: Context, { number, wait, timeout }: SyncOptions): Promise<void> {
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const through = await optionalContainerId(client, number)
  const { success: _always, ...synced } = await client.contacts.sync(through, { signal: context.host.signal })
  if (!wait || !synced.importing) return context.print.record(synced, syncColumns)
  context.note('Importing recent chats.')
  await waitForImport(context, client, timeoutMs).catch(async (error: unknown) => {
    await context.print.record(synced, syncColumns)
    throw error
  })
  await context.print.record({ ...synced, importing: false }, syncColumns)
}

/** `contacts sync`. */
export const syncVerb = verb(
  'sync',
  're-import the address book and recent chats',
  sync,
  ['msgctl contacts sync', 'msgctl contacts sync --number support --wait'],
  (command) =>
    command
      .option('--number <number>', 'use this number: id, label or phone')
      .option('--wait', 'wait until recent chats are imported')
      .option('--timeout <time>', 'maximum time to wait', '10m'),
)
