const payer = 'msgctl org create Payer --quiet'
const openCheckout = 'checkout=$(msgctl billing checkout notify developer --quiet --output plain --fields url)'
const paid = [payer, openCheckout, 'msgctl sim pay $checkout --quiet', 'msgctl billing refresh --quiet'] as const
const secured = [
  'secret=$(echo $PASSWORD | msgctl auth two-factor setup --password-stdin --quiet --output plain --fields secret)',
  'phoneCode=$(totp $secret 0)',
  'msgctl auth two-factor on $phoneCode',
] as const
const target = [
  ...secured,
  'make-staff',
  'msgctl org create Second --quiet',
  'target=$(msgctl org show --output plain --fields id)',
  'msgctl org switch Demo --quiet',
] as const

/** The preparations of lines about billing, and of the staff of the service. */
export const billingPreparations: Readonly<Record<string, readonly string[]>> = {
  payer: [payer],
  checkout: [payer, openCheckout],
  paid,
  ending: [...paid, 'msgctl billing cancel --yes --quiet'],
  invoice: [...paid, 'invoice=$(msgctl billing invoices --output plain --fields number)'],
  staff: [...secured, 'make-staff'],
  target,
  acted: [...target, 'msgctl admin activate $target --reason settled --quiet'],
}

/** A line of each command about billing, and of the staff. */
export const billingLines: readonly string[] = [
  'msgctl billing show # paid',
  'msgctl billing prices',
  'msgctl billing checkout notify # payer',
  'msgctl billing preview shop # payer',
  'msgctl billing plan notify developer shop # paid',
  'msgctl billing extra-numbers 2 # paid',
  'msgctl billing period year # paid',
  'msgctl billing cancel # paid',
  'msgctl billing resume # ending',
  'msgctl billing portal # paid',
  'msgctl billing invoices # paid',
  'msgctl billing receipt $invoice',
  'msgctl billing refresh # paid',
  'msgctl org country DE # payer',
  'msgctl admin organizations list # staff',
  'msgctl admin organizations show $target',
  'msgctl admin grant $target shop --reason gift',
  'msgctl admin revoke $target shop --reason gift',
  'msgctl admin trial $target +7d --reason more',
  'msgctl admin allowance $target --extra-numbers 2 --reason phone',
  'msgctl admin deactivate $target --reason spam',
  'msgctl admin activate $target --reason settled',
  'msgctl admin refresh $target --reason lost',
  'msgctl admin billing # staff',
  'msgctl admin activity # acted',
  'msgctl sim pay $checkout',
]
