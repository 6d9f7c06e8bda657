import { settlesWithin } from '@msgctl/network/timeout'
import { startAnswering } from '#conversations/bots/conversations/worker-loop.ts'
import { startDeliveries } from '#events/webhook/delivery/deliver.ts'
import { startSupervisor } from '#numbers/connection/supervisor.ts'
import { type Dispatcher, startDispatcher } from '#sending/messages/queue/dispatch.ts'
import type { Services } from '#services.ts'
import { handleGatewayEvents } from './gateway-events.ts'
import { type RunningJobs, startJobs } from './job-runner.ts'

/** The half of the service that sends: dispatcher, network events, assistants, webhook deliveries and periodic jobs. */
export interface Worker {
  readonly dispatcher: Dispatcher
  readonly jobs: Pick<RunningJobs, 'problem' | 'secondsSinceEnd'>
  /**
   * Stops claiming, gives back what was not begun and waits for running work, within `withinMs` (default: 22,000 ms).
   * Late work is left to its lease.
   */
  stop(withinMs?: number): Promise<void>
}

const stopWithinMs = 22_000

/** Starts a worker. Any number of them may run at one database. */
export async function startWorker(services: Services, databaseUrl: string): Promise<Worker> {
  const jobs = await startJobs(services, databaseUrl)
  const dispatcher = startDispatcher(services)
  const deliveries = startDeliveries(services)
  const answering = startAnswering(services)
  const supervisor = startSupervisor(services)
  const unsubscribe = services.gateway.subscribe((events) => handleGatewayEvents(services, events))
  return {
    dispatcher,
    jobs,
    async stop(withinMs = stopWithinMs) {
      const work = Promise.all([
        dispatcher.stop(withinMs),
        unsubscribe(),
        deliveries.stop(),
        answering.stop(),
        supervisor.stop(),
        jobs.stop(),
      ])
      if (!(await settlesWithin(withinMs, work)))
        services.log.warn({ event: 'worker_stop_late' }, 'stopped the worker with unfinished work')
    },
  }
}
