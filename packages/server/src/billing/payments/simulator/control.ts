import * as z from 'zod'
import { apiError } from '#platform/errors.ts'
import type { PaySim } from './context.ts'
import { customerIdOf } from './customer-id.ts'
import { deliverOnce } from './deliver.ts'
import { endDelivery, eventsOf, findEvent, releaseEvents } from './event-store.ts'
import { deletePayFaults, savePayFaults } from './fault-store.ts'
import { known } from './known.ts'
import { testCard } from './rules/cards.ts'
import { type Outcome, payCheckout, payInvoice, storeCard } from './rules/checkouts.ts'
import { subscriptionOf } from './rules/invoices.ts'
import { cardOf, closeDispute, openDispute, paidCharge, refund } from './rules/payments.ts'
import { cancelNow } from './rules/subscriptions.ts'
import { customersOf, lockWorld } from './store.ts'
import { withCustomer } from './with-customer.ts'
import { type Play, Refusal } from './world.ts'

/** The digits of a test card. Any other number is refused, and nothing keeps it. */
const card = z
  .string()
  .max(40)
  .transform((text, ctx) => {
    const digits = testCard(text)
    if (digits !== null) return digits
    ctx.addIssue({ code: 'custom', message: 'must be one of the test cards, such as 4242 4242 4242 4242' })
    return z.NEVER
  })
const country = z.string().regex(/^[A-Z]{2}$/, 'must be a country in capitals, like DE')
const nothing = z.object({})

interface PayRoute {
  readonly method: string
  readonly path: RegExp
  readonly input: z.ZodType
  run(sim: PaySim, id: string, input: never): Promise<unknown>
}

function route<Schema extends z.ZodType>(
  method: string,
  path: RegExp,
  input: Schema,
  run: (sim: PaySim, id: string, input: z.output<Schema>) => Promise<unknown>,
): PayRoute {
  return { method, path, input, run }
}

function missing(what: string): Error {
  return apiError('NOT_FOUND', `The simulated payment provider knows no such ${what}.`)
}

/** Runs `fn` on the customer of an id. Throws NOT_FOUND, and VALIDATION_ERROR for what the rules refuse. */
async function on<T>(sim: PaySim, id: string, what: string, fn: (play: Play) => T): Promise<T> {
  try {
    return await withCustomer(sim, customerIdOf(id), fn)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'resource_missing') throw missing(what)
    throw apiError('FORBIDDEN_ACTION', error.message)
  }
}

function checkoutAt(play: Play, id: string) {
  const found = play.world.checkouts.find(({ session }) => session.id === id)
  if (!found) throw missing('checkout')
  return found
}

function invoiceAt(play: Play, id: string) {
  const found = play.world.invoices.find((invoice) => invoice.id === id)
  if (!found) throw missing('invoice')
  return found
}

/** Pays at the page of a checkout. */
export function payCheckoutPage(sim: PaySim, id: string, input: z.output<typeof checkoutBody>): Promise<Outcome> {
  return on(sim, id, 'checkout', (play) => payCheckout(play, checkoutAt(play, id), input))
}

/** Pays at the page of an invoice. */
export function payInvoicePage(sim: PaySim, id: string, input: z.output<typeof invoiceBody>): Promise<Outcome> {
  return on(sim, id, 'invoice', (play) => {
    const invoice = invoiceAt(play, id)
    const given = input.card === undefined ? {} : { card: input.card }
    return payInvoice(
      play,
      invoice,
      { ...given, authenticate: input.authenticate },
      cardOf(play, subscriptionOf(play, invoice)),
    )
  })
}

export const checkoutBody = z.object({
  card,
  country: country.optional(),
  taxId: z.string().min(1).max(50).optional(),
  authenticate: z.boolean().default(true),
})
export const invoiceBody = z.object({ card: card.optional(), authenticate: z.boolean().default(true) })
export const cardBody = z.object({ card, authenticate: z.boolean().default(true) })

/** Stores a card for each customer of an organization, as its people do in the portal. */
async function storeForAll(sim: PaySim, owner: string, input: z.output<typeof cardBody>): Promise<Outcome> {
  let outcome: Outcome | null = null
  for (const id of await customersOf(sim.db, owner)) {
    const stored = await on(sim, id, 'customer', (play) => storeCard(play, input))
    outcome = 'outcome' in stored ? stored : { outcome: 'paid', declineCode: null }
  }
  if (outcome === null) throw missing('organization')
  return outcome
}

async function endForAll(sim: PaySim, owner: string): Promise<object> {
  for (const id of await customersOf(sim.db, owner)) {
    await on(sim, id, 'customer', (play) => {
      for (const subscription of play.world.subscriptions) {
        if (subscription.status !== 'canceled') cancelNow(play, subscription)
      }
    })
  }
  return { ended: true }
}

async function readKnown(sim: PaySim, owner: string): Promise<object> {
  const ids = await customersOf(sim.db, owner)
  const worlds = await Promise.all(ids.map((id) => lockWorld(sim.db, id)))
  return known(
    worlds.filter((world) => world !== undefined),
    await eventsOf(sim.db, ids),
  )
}

const faults = z.object({
  organizationId: z.uuid().toLowerCase(),
  calls: z.enum(['refused', 'silent', 'error', 'limited', 'answer_lost']).nullable().default(null),
  only: z.string().min(1).max(200).nullable().default(null),
  times: z.int().min(1).max(1_000_000).nullable().default(null),
  webhooks: z.enum(['dropped', 'tripled', 'held']).nullable().default(null),
})

/** What a program on this machine may do with the simulated provider. The id is the first group of each path. */
export const payRoutes: readonly PayRoute[] = [
  route('POST', /^checkouts\/(\w{10,80})\/pay$/, checkoutBody, payCheckoutPage),
  route('POST', /^invoices\/(\w{10,80})\/pay$/, invoiceBody, payInvoicePage),
  route(
    'POST',
    /^invoices\/(\w{10,80})\/refund$/,
    z.object({ amount: z.int().min(1).optional() }),
    (sim, id, { amount }) =>
      on(sim, id, 'invoice', (play) => {
        const made = refund(play, paidCharge(play, invoiceAt(play, id)), amount)
        return { refunded: made.amount, currency: made.currency }
      }),
  ),
  route(
    'POST',
    /^invoices\/(\w{10,80})\/dispute$/,
    z.object({ status: z.enum(['open', 'won', 'lost']).default('open') }),
    (sim, id, { status }) =>
      on(sim, id, 'invoice', (play) => {
        const charge = paidCharge(play, invoiceAt(play, id))
        if (status === 'open') openDispute(play, charge)
        else closeDispute(play, charge, status)
        return { status }
      }),
  ),
  route('POST', /^organizations\/([0-9a-f-]{36})\/card$/, cardBody, storeForAll),
  route('POST', /^organizations\/([0-9a-f-]{36})\/end$/, nothing, endForAll),
  route('GET', /^organizations\/([0-9a-f-]{36})$/, nothing, readKnown),
  route('POST', /^events\/(\w{10,80})\/deliver$/, nothing, async (sim, id) => {
    const event = await findEvent(sim.db, id)
    if (!event) throw missing('event')
    const status = await deliverOnce(sim, event)
    await endDelivery(sim.db, id, { at: sim.clock.now().toISOString(), status }, null)
    return { status }
  }),
  route('PUT', /^(faults)$/, faults, async ({ db }, _id, { organizationId, only, ...rest }) => {
    await savePayFaults(db, organizationId, { ...rest, onlyCalls: only })
    return { faults: { organizationId, only, ...rest } }
  }),
  route('DELETE', /^(faults)$/, z.object({ organizationId: z.uuid().toLowerCase() }), async (sim, _id, input) => {
    await deletePayFaults(sim.db, input.organizationId)
    await releaseEvents(sim.db, input.organizationId)
    sim.wake.signal('sim-pay')
    return { faults: {} }
  }),
]
