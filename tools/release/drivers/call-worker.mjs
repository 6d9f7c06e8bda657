// Calls the `fetch` of a Worker with a good request and a changed one, each with its `env`.
import { pathToFileURL } from 'node:url'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'

const worker = (await import(pathToFileURL(process.argv[2] ?? '').href)).default
/** @param {string[]} row */
const put = async (...row) => console.log(...row)
const { body, headers } = await signedDelivery(eventOf('message.failed'))
for (const text of [body, `${body} `]) {
  const request = new Request('https://app.example/', { method: 'POST', body: text, headers })
  console.log((await worker.fetch(request, { WEBHOOK_SECRET: testSecret, FAILED: { put } })).status)
}
