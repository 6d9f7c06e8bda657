import { expect, it } from 'vitest'
import { contactKind, kindNumber } from '../vault/key-kinds.ts'
import { People } from './people.ts'

/** A vault in memory, with one pair of addresses. */
function newVault() {
  const values = new Map<string, unknown>([[`${kindNumber('lid-mapping')}/999_reverse`, '12025550100']])
  const staged: string[] = []
  const reported: unknown[] = []
  return {
    staged,
    reported,
    isFenced: false,
    stageValue(kind: number, id: string, value: unknown) {
      values.set(`${kind}/${id}`, value)
      staged.push(id)
    },
    stageEvent: ({ body }: { body: object }) => void reported.push((body as { contacts: unknown }).contacts),
    readValues: async (kind: number, ids: readonly string[]) =>
      new Map(
        ids.flatMap((id) => {
          const value = values.get(`${kind}/${id}`)
          return value === undefined ? [] : [[id, value] as const]
        }),
      ),
    stored: (id: string) => values.get(`${contactKind}/${id}`),
  }
}

const [jid, lid] = ['12025550100@s.whatsapp.net', '999@lid']
const address = { kind: 'phone', digits: '12025550100' }

it('keeps a saved name under every chosen one, and stages what has changed only', async () => {
  const vault = newVault()
  const people = new People(vault)
  await people.stage([{ jid, saved: 'Jane', chosen: null }])
  await people.stage([{ jid: lid, saved: null, chosen: 'jj' }])
  expect(vault.stored(jid)).toEqual({ saved: 'Jane', chosen: 'jj' })
  expect(vault.reported).toEqual([[{ address, name: 'Jane', saved: true }]])
  const stagedBefore = vault.staged.length
  await people.stage([
    { jid, saved: null, chosen: 'jj' },
    { jid: lid, saved: 'Jane', chosen: 'jj' },
  ])
  expect(vault.staged).toHaveLength(stagedBefore)
  await people.stage([{ jid, saved: 'Jane Doe', chosen: null }])
  expect(vault.reported.at(-1)).toEqual([{ address, name: 'Jane Doe', saved: true }])
})

it('reports a name that becomes a saved one, and each change of a chosen one', async () => {
  const vault = newVault()
  const people = new People(vault)
  await Promise.all([
    people.stage([{ jid, saved: null, chosen: 'jj' }]),
    people.stage([{ jid, saved: null, chosen: 'Jane' }]),
    people.stage([{ jid, saved: 'Jane', chosen: null }]),
  ])
  expect(vault.reported).toEqual([
    [{ address, name: 'jj', saved: false }],
    [{ address, name: 'Jane', saved: false }],
    [{ address, name: 'Jane', saved: true }],
  ])
})

it('stages nothing of groups, and nothing once another host owns the number', async () => {
  const vault = newVault()
  const people = new People(vault)
  await people.stage([{ jid: '1@g.us', saved: 'Club', chosen: null }])
  vault.isFenced = true
  await people.stage([{ jid, saved: 'Jane', chosen: null }])
  expect(vault.staged).toEqual([])
})
