import { expect, it } from 'vitest'
import { newId } from '#platform/db/new-id.ts'
import { makeOrganization } from '#testing/make.ts'
import { testServices } from '#testing/services.ts'
import { insertNumber } from './store.ts'

const { db } = await testServices()
const { organizationId } = await makeOrganization({ db })

it('never stores a number without its lane, which would be one whose removal has begun', async () => {
  const id = newId()
  await db('lanes').insert({ containerId: id, organizationId })
  const number = { id, organizationId, gateway: 'simulator', label: 'Test', instanceName: id }
  await expect(insertNumber(db, number)).rejects.toThrow(/lanes_pkey/)
  expect(await db('numbers').where({ id })).toEqual([])
})
