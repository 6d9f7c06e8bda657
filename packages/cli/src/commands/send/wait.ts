import type { MessagingClient } from '@msgctl/client'
import { type Command, Option } from 'commander'
import { isNumberKey } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { postAcceptError } from '../../errors/post-accept-error.ts'
import type { ReadOptions } from '../../http/polling.ts'
import { secondsFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { messageColumns } from '../messages/columns.ts'
import {
  type Message,
  type Waited,
  type WaitGoal,
  waitExitCodes,
  waitForMessage,
  waitGoals,
} from '../messages/wait-for-message.ts'

/** The options of {@link waitOptions}. */
export interface WaitOptions {
  readonly wait?: WaitGoal
  readonly timeout: string
}

/** Adds the options that wait for a status. */
export function waitOptions(command: Command): Command {
  return command
    .addOption(new Option('--wait <state>', 'wait until the message has this status').choices(waitGoals))
    .option('--timeout <time>', 'maximum time to wait, such as 90s or 5m', '60s')
}

/** Returns a function that reads the message. A number's key uses another path than the account key. */
function createReader(context: Context, client: MessagingClient, messageId: string) {
  const ofNumber = isNumberKey(context.target.credentials.apiKey)
  return async (options: ReadOptions) =>
    ofNumber
      ? (await client.alert.message({ messageId }, options)).message
      : (await client.messages.get({ id: messageId }, options)).message
}

function waitFailure(waited: Exclude<Waited, { end: 'reached' }>, goal: WaitGoal, messageId: string): CliError {
  const exitCode = waitExitCodes[waited.end]
  const advice = `See msgctl messages show ${messageId}`
  const status = waited.message?.status ?? 'queued'
  if (waited.end === 'timed out') {
    return new CliError(`Timed out: the message is ${status}, not ${goal}. It may still be ${goal} later.`, {
      code: 'WAIT_TIMED_OUT',
      exitCode,
      advice,
      details: { messageId, status },
    })
  }
  const { error, errorCode } = waited.message
  const details = { messageId, status, errorCode }
  return new CliError(`The message failed: ${error ?? errorCode ?? 'the network gave no reason'}`, {
    code: 'WAIT_FAILED',
    exitCode,
    advice,
    details,
  })
}

/** Creates the error for a wait that ended with `error`, so that the state of the message is unknown. */
function waitAborted(context: Context, error: unknown, messageId: string, state: string): CliError {
  return postAcceptError(context, error, {
    messageId,
    story: `The message was ${state}, but its status could not be read`,
    code: 'WAIT_GAVE_UP',
    exitCode: exitCodes.waitTimedOut,
    advice: `Do not send it again; check it with: msgctl messages show ${messageId}`,
  })
}

/** A message that the service accepted, as it is printed. */
interface Accepted {
  readonly messageId: string
  readonly columns: readonly Column[]
  /** What the service did with it: queued or sent. */
  readonly state: 'queued' | 'sent'
}

/**
 * Prints a message that the service accepted. With --wait it prints the message once it has the status, and throws a
 * CliError when it failed or the time ended.
 */
export async function printAccepted(
  context: Context,
  client: MessagingClient,
  accepted: Record<string, unknown> & Pick<Accepted, 'messageId'>,
  { columns, state }: Omit<Accepted, 'messageId'>,
  { wait, timeout }: WaitOptions,
): Promise<void> {
  const { messageId } = accepted
  if (wait === undefined) return context.print.record(accepted, columns)
  context.note(`${state} as ${messageId}`)
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const read = createReader(context, client, messageId)
  let last: Message | undefined
  const observed: typeof read = async (options) => {
    last = await read(options)
    return last
  }
  // The data is always printed, as last read: a script needs the id.
  const printLast = () =>
    last === undefined
      ? context.print.record(accepted, columns)
      : context.print.record({ messageId: last.id, ...last }, messageColumns)
  const waited = await waitForMessage(context, observed, { goal: wait, timeoutMs, known: state }).catch(
    async (error: unknown) => {
      await printLast()
      throw waitAborted(context, error, messageId, state)
    },
  )
  await printLast()
  if (waited.end !== 'reached') throw waitFailure(waited, wait, messageId)
}
