import { client } from './hey-api/client.gen.js'
import { alertSend, messagesGet } from './hey-api/sdk.gen.js'
import type { Message } from './hey-api/types.gen.js'

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env
client.setConfig({ baseUrl, headers: { 'X-API-Key': apiKey } })

// CommonJS has no await at the top.
async function main(): Promise<void> {
  const sent = await alertSend({ body: { phone: '+12025550100', message: 'from a generated client' } })
  if (!sent.data) throw new Error(JSON.stringify(sent.error))
  let message: Message | undefined
  for (let reads = 0; message?.status !== 'read' && reads < 400; reads++) {
    const { data } = await messagesGet({ path: { id: sent.data.messageId } })
    message = data?.message
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const refused = await alertSend({ body: { phone: '+12025550101', message: 'hello' } })
  console.log(message?.status, refused.error && 'error' in refused.error ? refused.error.error.code : '')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
