import { support } from '../examples/cast.ts'
import * as cast from '../examples/cast-bots.ts'

const { bot, botId, botOrder, openingHours, orderPhone, pizza, reviewAnswer } = cast

/** The lines of msgctl for the operations of assistants. */
export const botLines: Readonly<Record<string, string>> = {
  'bots.list': 'msgctl bots list',
  'bots.create': `msgctl bots create "${bot.name}" --numbers ${support.label} --languages en`,
  'bots.usage': 'msgctl bots usage',
  'bots.get': `msgctl bots show ${botId}`,
  'bots.update': `msgctl bots edit ${botId} --outside-hours away`,
  'bots.delete': `msgctl bots delete ${botId}`,
  'bots.activate': `msgctl bots activate ${botId}`,
  'bots.pause': `msgctl bots pause ${botId}`,
  'bots.ask': `msgctl bots ask ${botId} "what time do you open"`,
  'bots.answers': `msgctl bots answers list ${botId}`,
  'bots.addAnswer': `msgctl bots answers add ${botId} "${openingHours.answer}" \\
  --question "${openingHours.questions[0]}"`,
  'bots.removeAnswer': `msgctl bots answers remove ${botId} ${openingHours.id}`,
  'bots.reviews': `msgctl bots reviews list ${botId} --status open`,
  'bots.resolveReview': `msgctl bots reviews resolve ${botId} ${cast.reviewId} \\\n  --answer "${reviewAnswer}"`,
  'bots.conversations': `msgctl bots conversations list ${botId} --state person`,
  'bots.conversation': `msgctl bots conversations show ${botId} ${cast.conversationId}`,
  'bots.takeOver': `msgctl bots conversations take-over ${botId} ${cast.conversationId}`,
  'bots.giveBack': `msgctl bots conversations give-back ${botId} ${cast.conversationId}`,
  'bots.products': `msgctl bots products list ${botId}`,
  'bots.addProduct': `msgctl bots products add ${botId} "${pizza.name}" 9.50 --sku ${pizza.sku} --stock 20`,
  'bots.changeProduct': `msgctl bots products edit ${botId} ${pizza.id} --price 10.50`,
  'bots.removeProduct': `msgctl bots products remove ${botId} ${pizza.id}`,
  'bots.orders': `msgctl bots orders list ${botId} --status placed`,
  'bots.order': `msgctl bots orders show ${botId} ${botOrder.orderNumber}`,
  'bots.changeOrder': `msgctl bots orders set ${botId} ${botOrder.orderNumber} confirmed`,
  'bots.orderPhones': `msgctl bots phones list ${botId}`,
  'bots.addOrderPhone': `msgctl bots phones add ${botId} +${orderPhone.phone} --name ${orderPhone.name}`,
  'bots.removeOrderPhone': `msgctl bots phones remove ${botId} +${orderPhone.phone}`,
}
