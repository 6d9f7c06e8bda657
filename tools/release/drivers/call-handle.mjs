// Gives a handler the same delivery twice.
import { pathToFileURL } from 'node:url'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'

process.env.WEBHOOK_SECRET = testSecret
const { handle } = await import(pathToFileURL(process.argv[2] ?? '').href)
const { body, headers } = await signedDelivery(eventOf('message.inbound'))
for (let time = 0; time < 2; time += 1) console.log((await handle(body, headers)).outcome)
