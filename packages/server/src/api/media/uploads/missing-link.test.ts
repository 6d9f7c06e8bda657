import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const client = server.client(organization)
const phone = '+12025550100'

describe('a link, where no uploaded file is given', () => {
  it.each([
    ['imageUrl', () => client.alert.sendImage({ phone } as never)],
    ['videoUrl', () => client.alert.sendVideo({ phone } as never)],
    ['fileUrl', () => client.alert.sendFile({ phone } as never)],
    ['audioUrl', () => client.alert.sendVoice({ phone } as never)],
  ])('is required: %s', async (field, send) => {
    const message = 'is required, unless mediaId is given'
    await expect(send()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      details: { [field]: [message] },
      issues: [{ field, code: 'required', message }],
    })
  })

  it('is reported together with what else is missing', async () => {
    const body = JSON.stringify({ caption: 'Our menu' })
    const headers = { 'x-api-key': organization.apiKey, 'content-type': 'application/json' }
    const response = await fetch(`${server.baseUrl}/alert/send-image`, { method: 'POST', headers, body })
    const { error } = (await response.json()) as { error: { issues: readonly object[] } }
    expect(error.issues).toMatchObject([
      { field: 'phone', code: 'required' },
      { field: 'imageUrl', code: 'required' },
    ])
  })
})
