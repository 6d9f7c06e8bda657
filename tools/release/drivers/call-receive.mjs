// Gives a receiver a good delivery and a changed one.
import { pathToFileURL } from 'node:url'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'

process.env.WEBHOOK_SECRET = testSecret
const { receive } = await import(pathToFileURL(process.argv[2] ?? '').href)
const { body, headers } = await signedDelivery(eventOf('message.failed'))
for (const text of [body, `${body} `]) await receive(text, new Headers(headers))
