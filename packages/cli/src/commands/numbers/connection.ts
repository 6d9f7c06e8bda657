import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { namedNumber, optionalContainerId } from './reference.ts'

/** Without the status, which is `starting` for a number that runs already, too. */
const startedColumns = defineColumns('message')

async function start(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.start(await optionalContainerId(client, number)), startedColumns)
}

async function stop(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  const { chosen, name } = await namedNumber(client, number)
  await context.confirm(`Stop ${name}? It does not send until it is started again.`)
  await context.print.record(await client.numbers.stop(chosen), movedColumns)
}

async function reconnect(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.reconnect(await optionalContainerId(client, number)), movedColumns)
}

async function logout(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  const { chosen, name } = await namedNumber(client, number)
  await context.confirm(`Unlink ${name}? It must be linked again before it can send.`)
  const response = await client.numbers.logout(chosen)
  await context.print.record(response, [...movedColumns, { field: 'heldMessages', title: 'Held messages' }])
  context.note(`Link it again with: msgctl numbers link ${response.containerId}`)
}

/** `numbers start|stop|reconnect|logout`. */
export const connectionVerbs = verbs(
  verb('start [number]', 'start a stopped number', start, ['msgctl numbers start support']),
  verb('stop [number]', 'stop a number', stop, ['msgctl numbers stop support']),
  verb('reconnect [number]', 'restart the connection of a number; it stays linked', reconnect, [
    'msgctl numbers reconnect support',
  ]),
  verb('logout [number]', 'unlink a number from its phone', logout, ['msgctl numbers logout support --yes']),
)
