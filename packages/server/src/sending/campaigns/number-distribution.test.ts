import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeGroup } from '#testing/features/send-group.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
await server.services.clock.freeze()

async function ground() {
  const { ids, client } = await makeGroup(server, { mode: 'share' })
  let campaigns = 0
  return {
    ids,
    client,
    /** Starts a campaign to `count` people of its own. Returns how many messages each number of the group got. */
    async start(count: number, containerId?: string): Promise<number[]> {
      campaigns += 1
      const recipients = people(count, `${150 + campaigns}`)
      const { id } = (await client.campaigns.create({ name: 'Shared', template: 'hi', recipients })).campaign
      await client.campaigns.send({ id, ...(containerId && { containerId }) })
      const found = await rows<{ containerId: string; count: number }>(
        server.db,
        'select container_id, count(*) from messages where campaign_id = :id group by 1',
        { id },
      )
      return ids.map((number) => found.find((one) => one.containerId === number)?.count ?? 0)
    },
  }
}

describe('a campaign in share mode', () => {
  it('goes through the numbers on which the fewest campaign messages wait, however many those are', async () => {
    const { ids, start } = await ground()
    await start(400, ids[0])
    await start(300, ids[1])
    expect(await start(500)).toEqual([0, 100, 400])
    expect(await start(30)).toEqual([10, 10, 10])
  })

  it('does not count texts, which do not hold it back, nor do texts count campaigns', async () => {
    const { ids, client, start } = await ground()
    await start(60, ids[0])
    const texts = await client.alert.batch({
      recipients: Array.from({ length: 90 }, (_, n) => `1202555${2000 + n}`),
      message: 'to many',
    })
    const taken = ids.map((id) => texts.messages.filter(({ containerId }) => containerId === id).length)
    expect(taken).toEqual([30, 30, 30])
    expect(await start(60)).toEqual([0, 30, 30])
  })

  it('estimates its duration without a number whose queue is held', async () => {
    const { ids, client } = await ground()
    const recipients = people(600, '190')
    const estimate = async () => {
      const preview = await client.campaigns.preview({ name: 'Shared', template: 'hi', recipients })
      return [preview.estimatedDuration, preview.estimatedDurationSeconds]
    }
    const overThree = await estimate()
    await rows(server.db, 'update numbers set queue_held_at = service_now() where id = any(:ids::uuid[])', {
      ids: ids.slice(1),
    })
    expect([overThree, await estimate()]).toEqual([
      ['17 min', 1000],
      ['50 min', 3000],
    ])
  })

  it('leaves out messages that wait for their paused campaign, and stands behind the gate of campaigns', async () => {
    const { ids, start } = await ground()
    await start(10, ids[0])
    await rows(server.db, `update messages set due_at = 'infinity' where container_id = :id`, { id: ids[0] })
    await rows(
      server.db,
      `update lanes set next_campaign_send_at = service_now() + interval '25 s' where container_id = :id`,
      { id: ids[1] },
    )
    expect(await start(40)).toEqual([15, 10, 15])
  })
})
