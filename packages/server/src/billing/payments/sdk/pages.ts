import type { NewCheckout, Provider } from '#billing/payments/provider.ts'
import type { Prices } from './prices.ts'
import { toCheckout } from './records.ts'
import { isMissing, type Sdk } from './sdk.ts'

/** The provider takes at most 24 hours, by its own clock. */
const clockTolerance = 60

/** Opens a page on which a person buys the first plan. */
export async function openCheckout(
  { stripe, options }: Sdk,
  prices: Prices,
  wanted: NewCheckout,
): ReturnType<Provider['openCheckout']> {
  const ids = await prices.idsOf(
    wanted.lines.map(({ item }) => item),
    wanted.period,
  )
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer: wanted.customerId,
      currency: wanted.currency.toLowerCase(),
      line_items: wanted.lines.map(({ item, quantity }) => ({ price: ids.get(item) ?? '', quantity })),
      success_url: wanted.returnUrl,
      cancel_url: wanted.returnUrl,
      expires_at: Math.floor(wanted.expiresAt.getTime() / 1000) - clockTolerance,
      allowed_payment_method_types: ['card'],
      // What is charged is what the price list says.
      adaptive_pricing: { enabled: false },
      customer_update: { address: 'auto', name: 'auto' },
      ...(options.tax && { automatic_tax: { enabled: true }, tax_id_collection: { enabled: true } }),
    },
    { idempotencyKey: wanted.key },
  )
  const { url } = session
  if (url === null) throw new Error('the provider opened a page without an address')
  return { ...toCheckout(session), url }
}

/** Closes a page. */
export async function expireCheckout({ stripe }: Sdk, id: string): Promise<void> {
  const session = await stripe.checkout.sessions.retrieve(id).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (session?.status === 'open') await stripe.checkout.sessions.expire(id)
}

/** Opens the page for card, tax id and e-mail, with what `billing setup` made of it. */
export function portalOpener({ stripe }: Sdk) {
  /** Undefined until `billing setup` has made it. */
  let configuration: string | undefined
  return async function openPortal(customer: string, returnUrl: string): Promise<string> {
    if (configuration === undefined) {
      const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
      configuration = data.find(({ metadata }) => metadata?.msgctl === 'portal')?.id
    }
    const chosen = configuration === undefined ? {} : { configuration }
    const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl, ...chosen })
    return url
  }
}

/** Makes or changes a customer. */
export async function saveCustomer({ stripe }: Sdk, given: Parameters<Provider['saveCustomer']>[0]): Promise<string> {
  const { id, key, organizationId, email, name, country } = given
  const fields = { email, name, metadata: { organizationId }, ...(country && { address: { country } }) }
  const options = { idempotencyKey: key }
  const saved =
    id === undefined
      ? await stripe.customers.create(fields, options)
      : await stripe.customers.update(id, fields, options)
  return saved.id
}
