import * as cast from './cast.ts'

const usd = (amount: number) =>
  ({ amount, currency: 'USD', text: `${(amount / 100).toFixed(2)} USD` }) as {
    amount: number
    currency: string
    text: string
  }

const periodStart = '2026-11-01T09:00:00.000Z'
export const periodEnd = '2026-12-01T09:00:00.000Z'
export const portalUrl = 'https://billing.stripe.com/p/session/example'

export const checkout = {
  id: '01a1a0be-5a10-7f60-8172-93a4b5c6d7e8',
  url: 'https://checkout.stripe.com/c/pay/example',
  expiresAt: '2026-11-04T09:30:00.000Z',
} as const

export const billing = {
  mode: 'live',
  status: 'active',
  currency: 'USD',
  period: 'month',
  products: ['notify', 'developer'],
  extraNumbers: 0,
  grantedProducts: [],
  amount: usd(6800),
  credit: usd(0),
  currentPeriodStart: periodStart,
  currentPeriodEnd: periodEnd,
  cancelAtPeriodEnd: false,
  endsAt: null,
  graceEndsAt: null,
  openInvoice: null,
  pendingChange: null,
  checkout: null,
  card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
  country: 'US',
  countryLocked: true,
} as const

export const invoice = {
  id: '01a1a0be-5a11-7a71-8283-a4b5c6d7e8f9',
  number: 'EXAMPLE-0001',
  status: 'paid',
  createdAt: periodStart,
  paidAt: periodStart,
  periodStart,
  periodEnd,
  subtotal: usd(6800),
  tax: usd(0),
  total: usd(6800),
  paid: usd(6800),
  refunded: usd(0),
  disputed: false,
  receipt: true,
  payUrl: null,
  lines: [
    { item: 'notify', quantity: 1, amount: usd(1900), prorated: false, description: 'Notify' },
    { item: 'developer', quantity: 1, amount: usd(4900), prorated: false, description: 'Developer' },
  ],
} as const

export const receipt = {
  number: invoice.number,
  url: 'https://invoice.stripe.com/i/example',
  pdfUrl: 'https://pay.stripe.com/invoice/example/pdf',
} as const

export const prices = {
  currency: 'USD',
  taxBehavior: 'exclusive',
  includedNumbers: 3,
  products: [
    { product: 'notify', month: usd(1900), year: usd(19_000) },
    { product: 'developer', month: usd(4900), year: usd(49_000) },
  ],
  extraNumber: { month: usd(1000), year: usd(12_000) },
} as const

export const preview = {
  dueNow: usd(1867),
  tax: usd(0),
  credit: usd(0),
  nextTotal: usd(5800),
  nextAt: periodEnd,
  lines: [
    { description: 'Unused time of Developer', amount: usd(-4573) },
    { description: 'Rest of the period of Shop', amount: usd(6440) },
  ],
} as const

/** An organization as the operator's staff sees it. */
export const adminOrganization = {
  ...cast.organization,
  createdAt: '2026-10-01T08:00:00.000Z',
  state: 'active',
  platformAdmin: false,
  protected: false,
  owner: { id: cast.owner.id, name: cast.owner.name, email: cast.owner.email },
  members: 2,
  country: 'US',
  products: [{ product: 'notify', state: 'active', source: 'paid', since: periodStart }],
  trialEndsAt: null,
  numbers: { included: 3, extra: 0, extraExpiresAt: null, used: 2 },
  ai: { limitUsd: 10, usedUsd: 0.42, renewsAt: '2026-12-01T00:00:00.000Z' },
  billing: { status: 'active', period: 'month', currentPeriodEnd: periodEnd, amount: usd(6800) },
} as const

export const adminDetails = {
  ...adminOrganization,
  people: [
    {
      id: cast.owner.id,
      name: cast.owner.name,
      email: cast.owner.email,
      role: 'owner',
      twoFactorEnabled: true,
      lastSeenAt: cast.now,
    },
  ],
  numberStatuses: { WORKING: 1, SCAN_QR_CODE: 1, STARTING: 0, STOPPED: 0, FAILED: 0, UNREACHABLE: 0 },
  messagesLast30Days: 1204,
  deactivatedReason: null,
  customerUrl: 'https://dashboard.stripe.com/customers/cus_example',
} as const

export const adminBilling = {
  mode: 'live',
  subscriptions: { active: 41, past_due: 2, unpaid: 1, ended: 5 },
  trials: 12,
  monthlyRecurring: [usd(210_000)],
  failedPayments30Days: 3,
  disputesOpen: 0,
  eventsWaiting: 0,
  operationsOpen: 0,
} as const

export const adminEntry = {
  id: '2001',
  at: cast.now,
  actor: { id: cast.owner.id, name: cast.owner.name, email: cast.owner.email },
  action: 'admin.granted',
  organization: { id: cast.organization.id, name: cast.organization.name },
  details: { products: ['shop'], reason: 'Gift for the launch' },
  ip: '203.0.113.7',
} as const
