import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerReplay } from '../events/replay.ts'
import { registerDeliveries } from './deliveries.ts'
import { registerDelivery } from './delivery.ts'
import { registerEndpoints } from './endpoints.ts'
import { registerRotate } from './rotate.ts'
import { registerSet } from './set.ts'
import { registerShow } from './show.ts'
import { registerTest } from './test.ts'

export function register(webhook: Command, run: Run): void {
  registerShow(webhook, run)
  registerSet(webhook, run)
  registerRotate(webhook, run)
  registerDeliveries(webhook, run)
  registerDelivery(webhook, run)
  registerReplay(webhook, run, 'msgctl webhook replay')
  registerTest(webhook, run)
  registerEndpoints(webhook, run)
}
