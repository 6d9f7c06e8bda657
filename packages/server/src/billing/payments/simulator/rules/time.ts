import type { Stripe } from 'stripe'
import type { Play, World } from '#billing/payments/simulator/world.ts'
import { expireSession } from './checkouts.ts'
import { collect, dropPending, finalizeAndCollect, renew } from './subscriptions.ts'
import { endIfDue } from './update.ts'

/** One thing that happens at a time. */
interface Timer {
  readonly at: number
  run(play: Play): void
}

function timersOfSubscription(subscription: Stripe.Subscription): Timer[] {
  if (!['active', 'past_due', 'unpaid'].includes(subscription.status)) return []
  const ends = subscription.items.data.map((item) => item.current_period_end)
  const renewal: Timer = { at: Math.min(...ends), run: (play) => renew(play, subscription) }
  const { cancel_at: end, pending_update: pending } = subscription
  return [
    // The end first: what stops with its period begins no other.
    ...(end === null ? [] : [{ at: end, run: (play: Play) => void endIfDue(play, subscription) }]),
    ...(pending === null ? [] : [{ at: pending.expires_at, run: (play: Play) => expirePending(play, subscription) }]),
    renewal,
  ]
}

function expirePending(play: Play, subscription: Stripe.Subscription): void {
  dropPending(play, subscription, 'customer.subscription.pending_update_expired')
}

function timersOf(world: World): Timer[] {
  const open = world.checkouts.filter(({ session }) => session.status === 'open')
  const drafts = world.invoices.filter((invoice) => invoice.automatically_finalizes_at !== null)
  const tried = world.invoices.filter((invoice) => invoice.next_payment_attempt !== null)
  return [
    ...open.map(({ session }) => ({
      at: session.expires_at,
      run: (play: Play) => expireSession(play, session),
    })),
    ...world.subscriptions.flatMap(timersOfSubscription),
    ...drafts.map((invoice) => ({
      at: invoice.automatically_finalizes_at ?? 0,
      run: (play: Play) => void finalizeAndCollect(play, invoice),
    })),
    ...tried.map((invoice) => ({
      at: invoice.next_payment_attempt ?? 0,
      run: (play: Play) => void collect(play, invoice),
    })),
  ]
}

function firstTimer(world: World): Timer | undefined {
  return timersOf(world).reduce<Timer | undefined>(
    (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
    undefined,
  )
}

/** Returns when something happens next; null when nothing does. Unix seconds. */
export function nextDue(world: World): number | null {
  return world.deleted ? null : (firstTimer(world)?.at ?? null)
}

/** Plays what is due, in its order and at its time, however far the clock jumped. */
export function playDue(play: Play): void {
  const until = play.now
  for (;;) {
    const timer = play.world.deleted ? undefined : firstTimer(play.world)
    if (timer === undefined || timer.at > until) break
    play.now = timer.at
    timer.run(play)
  }
  play.now = until
}
