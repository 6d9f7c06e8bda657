import type { Delivery } from '@msgctl/client'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { sanitizeLine } from '../../output/sanitize.ts'
import { verb } from '../../program.ts'
import { eventKinds, kindsFrom } from '../events/kinds.ts'

/** The service ends an attempt after 10 s and stores its outcome a moment later. */
const defaultWait = '15s'
const pollMs = 250

interface TestOptions {
  readonly event?: string
  readonly endpoint?: string
  readonly wait: string
}

const columns = defineColumns('result, event, eventId')

/** Returns the reason in the response of a receiver that uses the verifier, otherwise the beginning of the response. */
function reasonIn(response: string | null): string | undefined {
  if (response === null) return undefined
  try {
    const { reason } = JSON.parse(response)
    if (typeof reason === 'string') return reason
  } catch {
    // A response in another form is shown as it is.
  }
  return response.slice(0, 100)
}

/** Returns what became of an attempt: `POST https://... -> 401 no_matching_signature, 12 ms`. */
function describeAttempt({ url, lastStatus, lastError, lastResponse, lastDurationMs }: Delivery): string {
  const outcome = lastStatus === null ? (lastError ?? 'no response') : [lastStatus, reasonIn(lastResponse)]
  const words = Array.isArray(outcome) ? outcome.filter((part) => part !== undefined).join(' ') : outcome
  return sanitizeLine(`POST ${url ?? '(removed)'} -> ${words.replace(/\.$/, '')}, ${lastDurationMs ?? 0} ms`)
}

/** Reads the delivery of an event until its first attempt has ended. Returns undefined when the time is up. */
async function firstAttempt(context: Context, eventId: string, waitMs: number): Promise<Delivery | undefined> {
  const { host } = context
  const client = await context.client()
  const endMs = host.now() + waitMs
  for (;;) {
    const { deliveries } = await client.webhook.deliveries({ eventId }, { signal: host.signal })
    const tried = deliveries.find(({ attempts, status }) => attempts > 0 || status === 'dropped')
    if (tried || host.now() >= endMs) return tried
    await host.wait(pollMs, host.signal)
    host.signal.throwIfAborted()
  }
}

async function test(context: Context, options: TestOptions): Promise<void> {
  const [kind] = options.event === undefined ? [] : kindsFrom(options.event)
  const waitMs = secondsFrom(options.wait, '--wait') * 1000
  const client = await context.client()
  const { eventId, event } = await client.webhook.test({
    ...(kind && { event: kind }),
    ...(options.endpoint !== undefined && { endpointId: options.endpoint }),
  })
  context.changed()
  const delivery = waitMs === 0 ? undefined : await firstAttempt(context, eventId, waitMs)
  const result = delivery ? describeAttempt(delivery) : 'not attempted yet'
  await context.print.record({ result, eventId, event, delivery }, columns)
  if (delivery?.status === 'delivered' || waitMs === 0) return
  const facts = { details: { eventId, delivery } }
  if (!delivery) {
    throw new CliError(`No attempt was made within ${options.wait}.`, {
      ...facts,
      code: 'WAIT_TIMED_OUT',
      exitCode: exitCodes.waitTimedOut,
      advice: 'Check later with: msgctl webhook deliveries',
    })
  }
  throw new CliError(`The receiver did not accept the sample: ${result}.`, {
    ...facts,
    code: 'WEBHOOK_REFUSED',
    exitCode: exitCodes.waitFailed,
    advice:
      delivery.lastStatus === 401
        ? 'Compare the secret of the receiver with: msgctl webhook show --show-secret'
        : 'The service tries again up to five times; see msgctl webhook deliveries.',
  })
}

/** `webhook test`. */
export const testVerb = verb(
  'test',
  'post a sample event and show how the receiver responds',
  test,
  ['msgctl webhook test', 'msgctl webhook test --event message.failed'],
  (command) =>
    command
      .addOption(
        new Option('--event <kind>', 'kind of the sample event (default: one that the products receive)').choices(
          eventKinds,
        ),
      )
      .option('--endpoint <id>', 'post to this endpoint (default: the one of webhook set)')
      .option('--wait <time>', 'how long to wait for the first attempt; 0s does not wait', defaultWait)
      .addHelpText('after', '\nExit code: 0 the receiver accepted it, 11 it did not, 12 there was no attempt in time.'),
)
