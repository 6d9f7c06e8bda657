import { describe, expect, it } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { makeTenant } from '#testing/features/http-edge.ts'
import { testServices } from '#testing/services.ts'
import { operator, recordActivity, toActor } from './log.ts'

const { db, clock } = await testServices()

const recorded = (organizationId: string) =>
  rows(
    db,
    `select at, actor_kind, actor_id, action, subject, details from activity_log
     where organization_id = :organizationId order by id`,
    { organizationId },
  )

describe('the activity log', () => {
  it('keeps who did what, to what, and when', async () => {
    const { organizationId } = await makeTenant(db)
    const actor = toActor({ kind: 'user', userId: 'the user', containerId: null })
    await recordActivity(db, {
      organizationId,
      actor,
      action: 'number.removed',
      subject: 'the number',
      details: { label: 'Shop' },
    })
    await recordActivity(db, { organizationId, actor: operator, action: 'organization.deactivated' })
    expect(await recorded(organizationId)).toEqual([
      {
        at: clock.now(),
        actorKind: 'user',
        actorId: 'the user',
        action: 'number.removed',
        subject: 'the number',
        details: { label: 'Shop' },
      },
      {
        at: clock.now(),
        actorKind: 'operator',
        actorId: null,
        action: 'organization.deactivated',
        subject: null,
        details: {},
      },
    ])
  })

  it('keeps nothing of a change that failed', async () => {
    const { organizationId } = await makeTenant(db)
    const change = transaction(db, async (trx) => {
      await recordActivity(trx, { organizationId, actor: operator, action: 'organization.renamed' })
      throw new Error('the change failed')
    })
    await expect(change).rejects.toThrow('the change failed')
    expect(await recorded(organizationId)).toEqual([])
  })

  it.each([
    ['account_key', null, null, null],
    ['number_key', null, 'the number', 'the number'],
    ['user', 'the user', null, 'the user'],
  ] as const)('names the actor of a request by a %s', (kind, userId, containerId, id) => {
    expect(toActor({ kind, userId, containerId })).toEqual({ kind, id })
  })
})
