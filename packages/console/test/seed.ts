import { eventually } from '../../server/src/testing/eventually.ts'
import { type MadeOrganization, makeNumber } from '../../server/src/testing/make.ts'
import { settled } from '../../server/src/testing/settled.ts'
import { sim } from '../../server/src/testing/sim.ts'
import { converse } from './converse.ts'
import type { Stage } from './stage.ts'
import { makeTenant } from './stage.ts'

/**
 * Who sees a page: the owner of the full organization, that of one that has sent nothing, or a person without a
 * session.
 */
type Reader = 'owner' | 'newcomer' | 'stranger'

/**
 * A page to see: its name, its address, a selector of what shows that it is complete, and who sees it (default: owner).
 */
type SeenPage = readonly [name: string, address: string, ready: string, reader?: Reader]

const dayMs = 86_400_000
const names = ['Anna', 'Omar', 'Lina', 'Jonas']

function recipients(count: number, first: number) {
  return Array.from({ length: count }, (_, index) => ({
    phone: `+1202555${first + index}`,
    variables: { name: names[index % names.length] ?? '', time: `19:${String(index % 60).padStart(2, '0')}` },
  }))
}

/** Makes an assistant with a shop that has answered, left a question to people, and taken an order. */
async function seedAssistant(stage: Stage, organization: MadeOrganization, containerId: string): Promise<string> {
  const client = stage.server.client(organization)
  const shop = { enabled: true, currency: 'EUR', deliveryFee: 2.5, askAddress: true }
  const { bot } = await client.bots.create({
    name: 'Front desk',
    containerIds: [containerId],
    languages: ['en', 'ar'],
    shop,
  })
  const botId = bot.id
  await client.bots.addAnswer({ botId, questions: ['When are you open?'], answer: 'From 9 to 5.' })
  await client.bots.addAnswer({ botId, questions: ['متى تفتحون؟'], answer: 'من التاسعة إلى الخامسة.', lang: 'ar' })
  await client.bots.addProduct({ botId, name: 'Pizza', description: 'With basil', price: 9.5, stock: 40, sku: 'P-1' })
  await client.bots.addProduct({ botId, name: 'Lemonade', price: 3 })
  await client.bots.addOrderPhone({ botId, phone: '+12025550188', name: 'Kitchen' })
  await client.bots.activate({ botId })
  const texts = [
    'When are you open?',
    'Do you sell xylophones?',
    '2 pizza',
    'order',
    'Jane Miller',
    '1 Main Street',
    'yes',
  ]
  await converse(stage, { containerId, from: '12025550159', texts })
  await eventually(
    () => client.bots.orders({ botId }),
    ({ total }) => total === 1,
  )
  return botId
}

/** Fills an organization with something of everything, and returns the pages to see. */
export async function seed(stage: Stage) {
  const { server } = stage
  const organization = await makeTenant(stage)
  const client = server.client(organization)
  const demo = await makeNumber(server, organization, { label: 'Demo' })
  const support = await makeNumber(server, organization, { label: 'Support' })
  const sales = await makeNumber(server, organization, { label: 'Sales', linked: false })
  const sends = [
    ['12025550100', 'Hello Anna, your table for two is ready at 19:30.'],
    ['12025550110', 'Your parcel leaves today.'],
    ['12025550121', 'See you on Friday.'],
    ['12025550177', 'مرحبا، طاولتك جاهزة الساعة ٧:٣٠'],
  ] as const
  for (const [phone, message] of sends) await client.alert.send({ phone, message, containerId: demo })
  const template = 'Hello {{name}}, your table is ready at {{time}}.'
  const { campaign } = await client.campaigns.create({
    name: 'November tables',
    template,
    recipients: recipients(40, 2000),
  })
  await client.campaigns.send({ id: campaign.id, containerId: demo })
  const { campaign: draft } = await client.campaigns.create({
    name: 'Winter menu',
    template,
    recipients: recipients(30, 3000),
  })
  const newOrganization = await makeTenant(stage)
  await makeNumber(server, newOrganization, { label: 'Demo' })
  await settled(server.db)
  const sendAt = new Date(Date.now() + dayMs).toISOString()
  await client.reminders.create({ phone: '12025550170', message: 'Tomorrow at 10.', label: 'Appointment', sendAt })
  await client.otp.send({ phone: '12025550142' })
  await client.contacts.addOptOuts({ phones: ['+12025550190', '+12025550191'] })
  const botId = await seedAssistant(stage, organization, support)
  for (const text of ['Do you have a table for four tonight?', 'كم سعر القائمة؟'])
    await sim(server, 'POST inbound', { containerId: demo, from: '12025550158', text })
  await settled(server.db)
  const { messages } = await client.messages.list({ status: 'failed', limit: 1 })
  const pages: SeenPage[] = [
    ['home', '', '.tiles'],
    ['numbers', `numbers/${demo}`, '.facts'],
    ['send-group', 'send-group', '.form'],
    ['queue', 'queue', '.lane'],
    ['messages', 'messages', '.vrow'],
    ['message', `messages/${messages[0]?.id}`, '.steps'],
    ['inbox', 'inbox', '.chat'],
    ['chat', `inbox/12025550158?from=${demo}`, '.bubble'],
    ['campaigns', 'campaigns', '.bar'],
    ['campaign', `campaigns/${campaign.id}`, '.tall-bar'],
    ['new-campaign', 'campaigns/new', '.drop'],
    ['reminders', 'reminders', 'table'],
    ['codes', 'codes', '.bars'],
    ['contacts', 'contacts', '.form'],
    ['opted-out', 'contacts?show=opted-out', '.items .item'],
    ['assistants', 'assistants', '.items .item'],
    ['assistant', `assistants/${botId}`, '.form'],
    ['answers', `assistants/${botId}/answers`, '.items .item'],
    ['reviews', `assistants/${botId}/reviews`, '.page .card'],
    ['conversations', `assistants/${botId}/conversations`, '.items .item'],
    ['catalogue', `assistants/${botId}/catalogue`, 'table'],
    ['orders', `assistants/${botId}/orders`, 'table'],
    ['webhook', 'webhook', '.form'],
    ['keys', 'keys', '.json'],
    ['connections', 'connections', '.empty'],
    ['limits', 'limits', '.facts'],
    ['team', 'team', 'table'],
    ['activity', 'activity', '.page .card'],
    ['organization', 'organization', '.facts'],
    ['profile', 'profile', '.form'],
    ['billing-off', 'billing', '.empty'],
    ['phone', 'phone', '.handset .bubble'],
    ['link', `numbers/${sales}?link`, '.qr'],
    ['draft', `campaigns/${draft.id}`, '.tall-bar'],
    ['found', 'messages?search=parcel', '.vrow'],
    ['not-found', 'no-such-page', '.empty'],
    ['first-run', '', '.handset', 'newcomer'],
    ['no-messages', 'messages', '.empty', 'newcomer'],
    ['no-chats', 'inbox', '.empty', 'newcomer'],
    ['no-campaigns', 'campaigns', '.empty', 'newcomer'],
    ['no-assistants', 'assistants', '.empty', 'newcomer'],
    ['sign-in', '', '.entrance form', 'stranger'],
  ]
  return { organization, newOrganization, pages }
}
