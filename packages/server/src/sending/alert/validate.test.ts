import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)

describe('POST /alert/validate', () => {
  it('says which numbers are on the network: digits of those that are, the others as they were given', async () => {
    expect(
      await client.alert.validate({
        phones: ['+1 (202) 555-0100', '+1 202 555-0101', '+49.151.2345678', 'not a phone'],
      }),
    ).toEqual({
      success: true,
      valid: ['12025550100', '491512345678'],
      invalid: ['+1 202 555-0101', 'not a phone'],
      total: 4,
    })
  })

  it('takes ids ending in @lid for valid without asking, and an id of another shape for invalid', async () => {
    expect(await client.alert.validate({ phones: ['123456789012345@lid', 'x@lid', '12@lidl'] })).toEqual({
      success: true,
      valid: ['123456789012345@lid'],
      invalid: ['x@lid', '12@lidl'],
      total: 3,
    })
  })

  it('returns a text of any length as invalid, also one that would be a number without its separators', async () => {
    const padded = '+12025550100'.padEnd(65, ' ')
    const phones = ['+12025550100'.padEnd(64, ' '), padded, '1'.repeat(65), 'x'.repeat(200_000)]
    const response = await client.alert.validate({ phones })
    expect(response).toEqual({ success: true, valid: ['12025550100'], invalid: phones.slice(1), total: 4 })
  })

  it.each(['12025550140', '12025550141'])('finds %s, whose id is hidden, on the network', async (phone) => {
    expect(await client.alert.validate({ phones: [phone] })).toMatchObject({ valid: [phone], invalid: [] })
  })

  it('returns every given entry, so that a number given twice is counted twice', async () => {
    const response = await client.alert.validate({
      phones: ['+12025550100', '1-202-555-0100', '12025550101', 'x', 'x'],
    })
    expect(response).toMatchObject({
      valid: ['12025550100', '12025550100'],
      invalid: ['12025550101', 'x', 'x'],
      total: 5,
    })
  })

  it('refuses with NO_VALID_NUMBERS and the numbers when none is on the network', async () => {
    await expect(client.alert.validate({ phones: ['+12025550101', '', '+1 303 555 0101'] })).rejects.toMatchObject({
      code: 'NO_VALID_NUMBERS',
      status: 400,
      details: { invalidNumbers: ['+12025550101', '', '+1 303 555 0101'] },
    })
  })

  it('responds NUMBER_VALIDATION_UNAVAILABLE when one check fails, and keeps the results of the others', async () => {
    const input = { phones: ['13035550100', '12025550102'] }
    await expect(client.alert.validate(input)).rejects.toMatchObject({
      code: 'NUMBER_VALIDATION_UNAVAILABLE',
      status: 503,
      message: 'The network cannot check every number right now. Try again in 5 s.',
      details: { retryAfterSeconds: 5, notChecked: ['12025550102'] },
      retryAfterMs: 5000,
    })
    const known = await rows<{ digits: string }>(
      server.db,
      'select digits from recipient_checks where organization_id = :organizationId and digits = any(:phones::text[])',
      { organizationId: organization.organizationId, ...input },
    )
    expect(known).toEqual([{ digits: '13035550100' }])
  })

  it('takes up to 500 numbers', async () => {
    const phones = Array.from({ length: 500 }, (_, n) => `+4915199${String(n).padStart(5, '0')}`)
    const response = await client.alert.validate({ phones })
    expect([response.valid.length, response.invalid.length, response.total]).toEqual([500, 0, 500])
    await expect(client.alert.validate({ phones: [...phones, '+12025550100'] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'phones', code: 'too_big', maximum: 500 }],
    })
    await expect(client.alert.validate({ phones: [] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('sends and stores nothing', async () => {
    await client.alert.validate({ phones: ['+12025550100'] })
    expect(await rows(server.db, 'select id from messages')).toEqual([])
  })

  it('queries through the number that the caller selects, which has to be connected', async () => {
    const other = await makeOrganization(server)
    await expect(server.client(other).alert.validate({ phones: ['+12025550100'] })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
    await makeNumber(server, other)
    const unlinked = await makeNumber(server, other, { linked: false })
    const key = await makeNumberKey(server, other, unlinked)
    for (const [asking, wanted] of [
      [server.client(other), { containerId: unlinked }],
      [server.client({ apiKey: key }), {}],
    ] as const) {
      await expect(asking.alert.validate({ phones: ['+12025550100'], ...wanted })).rejects.toMatchObject({
        code: 'NO_SESSION_CONFIGURED',
      })
    }
    await expect(server.client(other).alert.validate({ phones: ['+12025550100'], containerId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('reports that the network cannot be queried when its host is down', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    await sim(server, 'PUT faults', { check: { unreachable: 1 } })
    try {
      const refusal = await server
        .client(other)
        .alert.validate({ phones: ['+12025550100'] })
        .catch((error) => error)
      expect(refusal).toMatchObject({ code: 'NUMBER_VALIDATION_UNAVAILABLE', status: 503 })
    } finally {
      await sim(server, 'DELETE faults')
    }
    await expect(server.client(other).alert.validate({ phones: ['+12025550100'] })).resolves.toMatchObject({ total: 1 })
  })
})
