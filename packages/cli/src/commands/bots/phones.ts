import type { Context } from '../../context.ts'
import { readPhone } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { subNoun, verb } from '../../program.ts'
import { resolveBotId } from './reference.ts'

const columns = defineColumns('phone, name, createdAt as Added')

async function list(context: Context, reference: string): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const { orderPhones } = await client.bots.orderPhones({ botId })
  await context.print.list(orderPhones, columns, 'No phone gets a text for an order.')
}

async function add(context: Context, reference: string, typed: string, { name }: { name?: string }): Promise<void> {
  const phone = await readPhone(context, typed)
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const { orderPhone } = await client.bots.addOrderPhone({ botId, phone, ...(name !== undefined && { name }) })
  await context.print.record(orderPhone, columns)
}

async function remove(context: Context, reference: string, typed: string): Promise<void> {
  const phone = await readPhone(context, typed, { isListed: true })
  const client = await context.admin()
  await client.bots.removeOrderPhone({ botId: await resolveBotId(client, reference), phone })
  await context.print.record({ phone, deleted: true }, [{ field: 'phone', title: 'Removed' }])
}

/** `bots phones`. */
export const phonesVerbs = subNoun(
  'phones',
  'manage the phones that get a text for each order',
  verb('list <bot>', 'list the order phones', list, ['msgctl bots phones list Shop']),
  verb(
    'add <bot> <phone>',
    'add an order phone',
    add,
    ['msgctl bots phones add Shop +12025550177 --name Kitchen'],
    (command) => command.option('--name <name>', 'whose phone it is'),
  ),
  verb('remove <bot> <phone>', 'remove an order phone', remove, ['msgctl bots phones remove Shop +12025550177']),
)
