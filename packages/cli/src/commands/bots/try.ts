import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { canPrompt } from '../../host.ts'
import { askText } from '../../input/prompt.ts'
import { readInput } from '../../input/read-input.ts'
import { defineColumns, valueAt } from '../../output/columns.ts'
import { sanitizeText } from '../../output/sanitize.ts'
import { verb } from '../../program.ts'
import { controlSimulator } from '../sim/control.ts'
import { findBot } from './reference.ts'

const columns = defineColumns('question, kind, said, score')

type Turn = Awaited<ReturnType<AdminClient['bots']['conversation']>>['turns'][number]

/** The phone of the person who tries the assistant. */
const defaultPhone = '+12025550177'
/** An assistant waits this long for further lines, in seconds of the service's clock. */
const settleSeconds = 4
const pollMs = 250
const waitForMs = 60_000
const maxInputBytes = 64 * 1024
const leave = 'To leave, press Ctrl-C.'

/** Returns the lines of a person: those on stdin, or what is typed at a terminal until Ctrl-C. */
async function* linesOf({ host }: Context): AsyncGenerator<string, void, undefined> {
  if (!canPrompt(host)) {
    const lines = (await readInput(host, maxInputBytes)).split('\n').map((line) => line.trim())
    yield* lines.filter((line) => line !== '')
    return
  }
  while (!host.signal.aborted) yield await askText(host, 'You', '', leave)
}

/** Formats a turn as a chat: what was written, what was said, and why. */
function formatTurn(row: unknown): string {
  const score = valueAt(row, 'score')
  const said = valueAt(row, 'said')
  const why = typeof score === 'number' ? `${valueAt(row, 'kind')}, score ${score.toFixed(2)}` : valueAt(row, 'kind')
  const lines = typeof said === 'string' ? said.split('\n').map((line) => `  ${line}`) : ['  (silence)']
  return sanitizeText([`> ${valueAt(row, 'question')}`, ...lines, `  [${why}]`].join('\n'))
}

/** Prints a turn as a chat, or in the selected format. */
async function printTurn({ print }: Context, turn: Turn): Promise<void> {
  if (print.format === 'table') return print.text(formatTurn(turn))
  await print.follow(turn, columns, formatTurn)
}

async function tryBot(
  context: Context,
  reference: string,
  { phone = defaultPhone }: { phone?: string },
): Promise<void> {
  const client = await context.admin()
  const bot = await findBot(client, reference)
  const [containerId] = bot.containerIds
  if (bot.status !== 'active' || containerId === undefined) {
    throw usageFailure(`The assistant ${bot.name} is not active.`, `Activate it with: msgctl bots activate ${bot.name}`)
  }
  const digits = phone.replace(/\D/g, '')
  let seen = (await turnsWith(client, bot.id, digits)).length
  for await (const text of linesOf(context)) {
    await controlSimulator(context, 'POST', '/inbound', { containerId, from: phone, text })
    await controlSimulator(context, 'POST', '/clock/advance', { seconds: settleSeconds })
    const turns = await waitForTurn(context, client, { botId: bot.id, digits, seen })
    for (const turn of turns.slice(seen)) await printTurn(context, turn)
    seen = turns.length
  }
}

/** Returns the turns of the open conversation with a person. */
async function turnsWith(client: AdminClient, botId: string, digits: string): Promise<readonly Turn[]> {
  const { conversations } = await client.bots.conversations({ botId, limit: 100 })
  const open = conversations.find(({ contactPhone, closedAt }) => contactPhone === digits && closedAt === null)
  return open ? (await client.bots.conversation({ botId, conversationId: open.id })).turns : []
}

interface Waiting {
  readonly botId: string
  readonly digits: string
  readonly seen: number
}

async function waitForTurn(
  { host }: Context,
  client: AdminClient,
  { botId, digits, seen }: Waiting,
): Promise<readonly Turn[]> {
  for (const untilMs = host.now() + waitForMs; ; ) {
    const turns = await turnsWith(client, botId, digits)
    if (turns.length > seen || host.signal.aborted) return turns
    if (host.now() > untilMs) {
      const advice = 'A person may hold the conversation: msgctl bots conversations list BOT --state person'
      throw new CliError('The assistant did not answer.', { code: 'TIMEOUT', exitCode: exitCodes.unexpected, advice })
    }
    await host.wait(pollMs, host.signal)
  }
}

/** `bots try`. */
export const tryVerb = verb(
  'try <bot>',
  'talk to an assistant over the simulated network, and see its scores',
  tryBot,
  ['msgctl bots try Desk', 'echo "when are you open" | msgctl bots try Desk --json'],
  (command) => command.option('--phone <phone>', `write as this person (default: ${defaultPhone})`),
)
