import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { eventually } from '#testing/eventually.ts'
import { makeAssistant } from '#testing/features/assistant.ts'
import { startTestServer } from '#testing/start-server.ts'
import { transcribeVoiceNotes } from './transcribe.ts'

let transcript: { status: number; body: string } = { status: 200, body: '{}' }
const requests: string[] = []
const http = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  requests.push(`${request.url} ${request.headers.authorization} ${Buffer.concat(chunks).includes('whisper')}`)
  response.writeHead(transcript.status, { 'content-type': 'application/json' }).end(transcript.body)
})
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
cleanUpAfterFile(() => new Promise<void>((resolve) => http.close(() => resolve())))

const server = await startTestServer({
  env: {
    TRANSCRIBE_URL: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    TRANSCRIBE_KEY: 'secret',
    TRANSCRIBE_MODEL: 'whisper',
    TRANSCRIBE_PRICE_MINUTE: '0.006',
  },
})
await server.services.clock.freeze()

async function inbounds(client: Awaited<ReturnType<typeof makeAssistant>>['client']) {
  return (await client.events.list({ types: 'message.inbound' })).events.map(({ data }) => data)
}

describe('a voice note', () => {
  it('to an assistant is transcribed, reported and answered', async () => {
    transcript = { status: 200, body: JSON.stringify({ text: 'When are you open?', duration: 30 }) }
    const { customer, client } = await makeAssistant(server)
    const jane = customer()
    await jane.writes('', { type: 'voice' })
    expect(await inbounds(client)).toEqual([])
    await transcribeVoiceNotes(server.services)
    expect(requests.at(-1)).toBe('/audio/transcriptions Bearer secret true')
    expect(await inbounds(client)).toMatchObject([
      { messageType: 'voice', body: 'When are you open?', sender: jane.phone },
    ])
    expect(await jane.says()).toEqual(['Hello!\nWe are open from 9 to 5.'])
    expect((await client.bots.usage()).usedUsd).toBe(0.003)
  })

  it('stays in the chat when the service fails three times', async () => {
    transcript = { status: 500, body: '' }
    const { customer, client } = await makeAssistant(server)
    const jane = customer()
    await jane.writes('', { type: 'voice' })
    const before = requests.length
    // The worker tries too, as soon as the clock has moved. Its last attempt must not lose its lease.
    await eventually(
      async () => {
        await transcribeVoiceNotes(server.services)
        const [note] = await rows<{ attempts: number }>(server.db, 'select attempts from bot_voice_notes')
        if (note && note.attempts < 3) await server.advance(121)
        return note
      },
      (note) => note === undefined,
    )
    expect(requests.length - before).toBe(3)
    expect(await inbounds(client)).toEqual([])
    expect((await client.chats.thread({ phone: jane.phone })).messages).toMatchObject([{ type: 'voice' }])
  })

  it('where no assistant is active is not even stored for one', async () => {
    const { customer, client, botId } = await makeAssistant(server)
    await client.bots.pause({ botId })
    await customer().writes('', { type: 'voice' })
    expect(await rows(server.db, 'select id from bot_voice_notes')).toEqual([])
  })
})
