import { formatMoney } from '@msgctl/contract'
import type { Stripe } from 'stripe'
import { fromProvider } from '#billing/payments/minor-units.ts'
import type { PaySim } from '#billing/payments/simulator/context.ts'
import { checkoutBody, invoiceBody, payCheckoutPage, payInvoicePage } from '#billing/payments/simulator/control.ts'
import { customerIdOf } from '#billing/payments/simulator/customer-id.ts'
import { addressIn } from '#billing/payments/simulator/objects/nulls.ts'
import { offeredCards, testCard } from '#billing/payments/simulator/rules/cards.ts'
import { type Outcome, storeCard } from '#billing/payments/simulator/rules/checkouts.ts'
import { unitAmount } from '#billing/payments/simulator/rules/lines.ts'
import { withCustomer } from '#billing/payments/simulator/with-customer.ts'
import { emit, type Play, Refusal } from '#billing/payments/simulator/world.ts'
import { type Html, html, wholePage } from './html.ts'

/** A page with the status of its response. */
export interface Page {
  readonly status: number
  readonly html: string
}

function money(amount: number, currency: string): string {
  const upper = currency.toUpperCase()
  return formatMoney(fromProvider(amount, upper), upper)
}

function page(title: string, body: Html, status = 200): Page {
  return { status, html: wholePage(title, body) }
}

const unknown = page('Not found', html`<p>The simulated provider knows no such page.</p>`, 404)

const backTo = (url: string | null) => (url ? html`<p><a href="${url}">Back to the service</a></p>` : null)

/** The cards as buttons, in a form. */
function cardButtons(extra: Html | null): Html {
  const buttons = offeredCards.map(
    ({ number, does }) => html`<button name="card" value="${number}"><b>${number}</b><br>${does}</button>`,
  )
  return html`<form method="post">
${extra}
<label><input type="checkbox" name="refuse" value="1"> Fail when the card asks for a confirmation</label>
${buttons}
</form>`
}

function outcomeText({ outcome, declineCode }: Outcome): Html {
  if (outcome === 'paid') return html`<p class="good"><strong>Paid.</strong></p>`
  if (outcome === 'expired') return html`<p class="bad"><strong>This page is no longer open.</strong></p>`
  if (outcome === 'declined') return html`<p class="bad"><strong>The card was declined</strong> (${declineCode}).</p>`
  return html`<p class="bad"><strong>The payment was not confirmed.</strong></p>`
}

function checkoutPage(play: Play, id: string, notice: Html | null): Page {
  const found = play.world.checkouts.find(({ session }) => session.id === id)
  if (!found) return unknown
  const { session, lines } = found
  const currency = session.currency ?? 'usd'
  if (session.status !== 'open') {
    const said = session.status === 'complete' ? 'This was paid.' : 'This page has expired.'
    return page('Checkout', html`${notice ?? html`<p>${said}</p>`}${backTo(session.success_url)}`)
  }
  const rows = lines.map(({ price: priceId, quantity }) => {
    const price = play.prices.find((one) => one.id === priceId)
    const name = play.products.find((product) => product.id === price?.product)?.name ?? priceId
    const amount = price ? unitAmount(price, currency) * quantity : 0
    const period = price?.recurring?.interval ?? 'month'
    return html`<tr><td>${quantity} × ${name}, each ${period}</td><td>${money(amount, currency)}</td></tr>`
  })
  const sum = money(session.amount_total ?? 0, currency)
  const total = html`<tr class="total"><td>Total before tax</td><td>${sum}</td></tr>`
  const country = play.world.customer.address?.country ?? 'US'
  const taxId = html`<label>Tax id (then no tax) <input type="text" name="taxId" maxlength="50"></label>`
  const fields = html`
<label>Country of the billing address <input type="text" name="country" value="${country}" maxlength="2"></label>
${session.tax_id_collection?.enabled && taxId}
<h2>Pay with</h2>`
  return page(
    'Checkout',
    html`${notice}<table>${rows}${total}</table>${cardButtons(fields)}${backTo(session.cancel_url)}`,
  )
}

function invoiceRows(invoice: Stripe.Invoice): Html {
  const sum = (title: string, amount: number, name = '') =>
    html`<tr class="${name}"><td>${title}</td><td>${money(amount, invoice.currency)}</td></tr>`
  const tax = (invoice.total_taxes ?? []).reduce((total, one) => total + one.amount, 0)
  const open = sum('To be paid', invoice.amount_remaining, 'total')
  return html`<table>${invoice.lines.data.map((line) => sum(line.description ?? '', line.amount))}
${tax === 0 ? null : sum('Tax', tax)}${sum('Total', invoice.total, 'total')}
${invoice.amount_due === invoice.total ? null : sum('Paid with credit', invoice.total - invoice.amount_due)}
${invoice.status === 'open' ? open : sum('Paid by card', invoice.amount_paid)}</table>`
}

function invoicePage(play: Play, id: string, notice: Html | null): Page {
  const invoice = play.world.invoices.find((one) => one.id === id && one.status !== 'draft')
  if (!invoice) return unknown
  const title = invoice.status === 'paid' ? `Receipt ${invoice.number}` : `Invoice ${invoice.number}`
  const stored = html`<form method="post"><button name="card" value="">The stored card</button></form>`
  const pay = invoice.status === 'open' ? html`<h2>Pay with</h2>${stored}${cardButtons(null)}` : null
  return page(title, html`${notice}<p>Status: ${invoice.status}</p>${invoiceRows(invoice)}${pay}`)
}

function portalPage(play: Play, id: string, notice: Html | null): Page {
  const portal = play.world.portals.find((one) => one.id === id)
  if (!portal) return unknown
  const { customer, invoices } = play.world
  const rows = invoices
    .filter(({ status }) => status !== 'draft')
    .map(
      (one) =>
        html`<tr><td><a href="../invoice/${one.id}">${one.number}</a> ${one.status}</td>
<td>${money(one.total, one.currency)}</td></tr>`,
    )
  return page(
    'Billing details',
    html`${notice}<form method="post">
<label>E-mail for receipts <input type="text" name="email" value="${customer.email}" maxlength="254"></label>
<label>Tax id (then no tax) <input type="text" name="taxId" maxlength="50"></label>
<button>Save</button></form>
<h2>Card for the next payments</h2>${cardButtons(null)}
<h2>Invoices</h2><table>${rows}</table>${backTo(portal.return_url)}`,
  )
}

const pages: Readonly<Record<string, (play: Play, id: string, notice: Html | null) => Page>> = {
  checkout: checkoutPage,
  invoice: invoicePage,
  portal: portalPage,
}

/** Returns a page of the simulated provider. */
export async function renderPage(sim: PaySim, kind: string, id: string, notice: Html | null = null): Promise<Page> {
  const render = Object.hasOwn(pages, kind) ? pages[kind] : undefined
  if (!render) return unknown
  try {
    return await withCustomer(sim, customerIdOf(id), (play) => render(play, id, notice))
  } catch (error) {
    if (error instanceof Refusal) return unknown
    throw error
  }
}

function savePortal(sim: PaySim, id: string, form: URLSearchParams): Promise<Html> {
  return withCustomer(sim, customerIdOf(id), (play) => {
    if (!play.world.portals.some((portal) => portal.id === id)) return html``
    const { customer } = play.world
    const email = form.get('email')
    if (email !== null) {
      customer.email = email || null
      if (form.get('taxId')) play.world.taxId = true
      customer.address ??= addressIn(null)
      emit(play, 'customer.updated', customer)
      return html`<p class="good">Saved.</p>`
    }
    const digits = testCard(form.get('card') ?? '')
    if (digits === null) return html`<p class="bad">Only the test cards work here.</p>`
    const stored = storeCard(play, { card: digits, authenticate: !form.has('refuse') })
    return 'outcome' in stored ? outcomeText(stored) : html`<p class="good">The card is stored.</p>`
  })
}

async function submitted(sim: PaySim, kind: string, id: string, form: URLSearchParams): Promise<Html> {
  const authenticate = !form.has('refuse')
  const card = form.get('card') ?? ''
  const text = (name: string) => form.get(name)?.trim() || undefined
  if (kind === 'portal') return savePortal(sim, id, form)
  if (kind === 'invoice') {
    const input = invoiceBody.safeParse({ ...(card !== '' && { card }), authenticate })
    return input.success ? outcomeText(await payInvoicePage(sim, id, input.data)) : cardRefused
  }
  const country = text('country')?.toUpperCase()
  const input = checkoutBody.safeParse({ card, country, taxId: text('taxId'), authenticate })
  return input.success ? outcomeText(await payCheckoutPage(sim, id, input.data)) : cardRefused
}

const cardRefused = html`<p class="bad">Only the test cards work here, and a country is two letters.</p>`

/** Does what a person chose on a page, and returns the page as it is then. */
export async function submitPage(sim: PaySim, kind: string, id: string, form: URLSearchParams): Promise<Page> {
  if (!Object.hasOwn(pages, kind)) return unknown
  const before = await renderPage(sim, kind, id)
  if (before.status !== 200) return before
  return renderPage(sim, kind, id, await submitted(sim, kind, id, form))
}
