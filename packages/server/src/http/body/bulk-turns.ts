import { apiError } from '../../errors.ts'

const waitMs = 20_000
const mayWait = 20
const retryAfterSeconds = 5

/** The bulk bodies of one organization, one after the other. */
const queues = new Map<string, (() => void)[]>()

/**
 * Runs `work`, which reads and checks a bulk body, when this process reads no other one of the organization. Throws
 * SERVICE_BUSY when too many wait already, or when the turn does not come within 20 s.
 */
export async function inBulkTurn<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(organizationId)
  if (queue) await turn(queue)
  else queues.set(organizationId, [])
  try {
    return await work()
  } finally {
    const next = queues.get(organizationId)?.shift()
    if (next) next()
    else queues.delete(organizationId)
  }
}

function turn(queue: (() => void)[]): Promise<void> {
  if (queue.length >= mayWait) throw busy()
  return new Promise((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(enter), 1)
      reject(busy())
    }, waitMs)
    queue.push(enter)
  })
}

function busy(): Error {
  const message = `The organization uploads other large lists. Try again in ${retryAfterSeconds} s.`
  return apiError('SERVICE_BUSY', message, { retryAfterSeconds, outcome: 'not_sent' })
}
