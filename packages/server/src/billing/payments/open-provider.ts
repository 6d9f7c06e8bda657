import type { Provider, ProviderOptions } from './provider.ts'
import { change, findCustomer, preview, receipt, stop, undoInvoice } from './sdk/change.ts'
import { readEvent } from './sdk/event.ts'
import { loadStripe } from './sdk/load.ts'
import { expireCheckout, openCheckout, portalOpener, saveCustomer } from './sdk/pages.ts'
import { openPrices } from './sdk/prices.ts'
import { reader } from './sdk/read.ts'
import { watchedSdk } from './sdk/sdk.ts'

/** Loads the provider's library, which takes a third of a second, and returns what calls it. */
export async function openProvider(options: ProviderOptions): Promise<Provider> {
  const stripe = await loadStripe(options)
  const sdk = watchedSdk(stripe, options)
  const prices = openPrices(sdk)
  const read = reader(sdk, prices)
  const openPortal = portalOpener(sdk)
  return {
    livemode: /^[sr]k_live_/.test(options.secretKey),
    findCustomer: (by) => sdk.run('findCustomer', () => findCustomer(sdk, by)),
    saveCustomer: (customer) => sdk.run('saveCustomer', () => saveCustomer(sdk, customer)),
    read: (customerId) => sdk.run('read', () => read(customerId)),
    openCheckout: (checkout) => sdk.run('openCheckout', () => openCheckout(sdk, prices, checkout)),
    expireCheckout: (id) => sdk.run('expireCheckout', () => expireCheckout(sdk, id)),
    preview: (query) => sdk.run('preview', () => preview(sdk, prices, query)),
    change: (wanted) => sdk.run('change', () => change(sdk, prices, wanted)),
    stop: (...given) => sdk.run('stop', () => stop(sdk, ...given)),
    undoInvoice: (...given) => sdk.run('undoInvoice', () => undoInvoice(sdk, ...given)),
    openPortal: (customerId, returnUrl) => sdk.run('openPortal', () => openPortal(customerId, returnUrl)),
    receipt: (invoiceId) => sdk.run('receipt', () => receipt(sdk, invoiceId)),
    readEvent: (bytes, signature) => readEvent({ stripe, webhookSecrets: options.webhookSecrets }, bytes, signature),
  }
}
