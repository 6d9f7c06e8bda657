/** What the simulator says in each scenario: a line for each step, and the kinds of events. */
export const transcripts: Readonly<Record<string, readonly string[]>> = {
  'buy, and renew twice': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'renew: active, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900 | credit 0',
    'renew: active, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900; renewal paid ' +
      '1900 paid 1900 | credit 0',
    'events: checkout.session.completed customer.subscription.created customer.subscription.updated ' +
      'customer.updated invoice.paid',
  ],
  'add a product': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'wait: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'change: active, month, 1 notify + 1 shop | first paid 1900 paid 1900; change paid 2642 paid 2642 | credit 0',
    'renew: active, month, 1 notify + 1 shop | first paid 1900 paid 1900; change paid 2642 paid 2642; ' +
      'renewal paid 5800 paid 5800 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated invoice.paid',
  ],
  'one product instead of another': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'wait: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'change: active, month, 1 shop | first paid 1900 paid 1900; change paid 1032 paid 1032 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated invoice.paid',
  ],
  'less becomes credit, which pays the next invoice': [
    'buy: active, month, 1 notify + 1 shop | first paid 5800 paid 5800 | credit 0',
    'wait: active, month, 1 notify + 1 shop | first paid 5800 paid 5800 | credit 0',
    'change: active, month, 1 notify | first paid 5800 paid 5800; change paid -3271 paid 0 | credit 3271',
    'renew: active, month, 1 notify | first paid 5800 paid 5800; change paid -3271 paid 0; renewal paid 1900 ' +
      'paid 0 | credit 1371',
    'events: checkout.session.completed customer.subscription.created customer.subscription.updated ' +
      'customer.updated invoice.paid',
  ],
  'extra numbers, more and fewer': [
    'buy: active, month, 1 developer + 1 extra_numbers | first paid 5900 paid 5900 | credit 0',
    'wait: active, month, 1 developer + 1 extra_numbers | first paid 5900 paid 5900 | credit 0',
    'change: active, month, 1 developer + 4 extra_numbers | first paid 5900 paid 5900; change paid 2323 paid ' +
      '2323 | credit 0',
    'wait: active, month, 1 developer + 4 extra_numbers | first paid 5900 paid 5900; change paid 2323 paid ' +
      '2323 | credit 0',
    'change: active, month, 1 developer + 2 extra_numbers | first paid 5900 paid 5900; change paid 2323 paid ' +
      '2323; change paid -1096 paid 0 | credit 1096',
    'renew: active, month, 1 developer + 2 extra_numbers | first paid 5900 paid 5900; change paid 2323 paid ' +
      '2323; change paid -1096 paid 0; renewal paid 6900 paid 5804 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated invoice.paid',
  ],
  'month to year, and back': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'wait: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'change: active, year, 1 notify | first paid 1900 paid 1900; change paid 17713 paid 17713 | credit 0',
    'wait: active, year, 1 notify | first paid 1900 paid 1900; change paid 17713 paid 17713 | credit 0',
    'change: active, month, 1 notify | first paid 1900 paid 1900; change paid 17713 paid 17713; change paid ' +
      '-16581 paid 0 | credit 16581',
    'renew: active, month, 1 notify | first paid 1900 paid 1900; change paid 17713 paid 17713; change paid ' +
      '-16581 paid 0; renewal paid 1900 paid 0 | credit 14681',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated invoice.paid',
  ],
  'a change that is declined waits, and is paid': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'card: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'change: active, month, 1 notify, change waits | first paid 1900 paid 1900; change open 3900 paid 0 ' +
      'card_declined | credit 0',
    'pay: active, month, 1 notify + 1 shop | first paid 1900 paid 1900; change paid 3900 paid 3900 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated ' +
      'invoice.paid invoice.payment_failed',
  ],
  'a change that has to be confirmed is over after a day': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'card: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'change: active, month, 1 notify, change waits | first paid 1900 paid 1900; change open 3900 paid 0 ' +
      'authentication_required | credit 0',
    'wait: active, month, 1 notify | first paid 1900 paid 1900; change void 3900 paid 0 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_expired customer.subscription.updated customer.updated ' +
      'invoice.paid invoice.payment_action_required invoice.payment_failed invoice.voided',
  ],
  'a renewal that is declined, until it is unpaid, then paid': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'card: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'renew: past_due, month, 1 notify | first paid 1900 paid 1900; renewal open 1900 paid 0 card_declined | ' +
      'credit 0',
    'wait: past_due, month, 1 notify | first paid 1900 paid 1900; renewal open 1900 paid 0 card_declined | ' +
      'credit 0',
    'wait: unpaid, month, 1 notify | first paid 1900 paid 1900; renewal open 1900 paid 0 card_declined | credit 0',
    'pay: active, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900 | credit 0',
    'events: checkout.session.completed customer.subscription.created customer.subscription.updated ' +
      'customer.updated invoice.paid invoice.payment_failed',
  ],
  'a renewal that has to be confirmed': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'card: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'renew: past_due, month, 1 notify | first paid 1900 paid 1900; renewal open 1900 paid 0 ' +
      'authentication_required | credit 0',
    'events: checkout.session.completed customer.subscription.created customer.subscription.updated ' +
      'customer.updated invoice.paid invoice.payment_action_required invoice.payment_failed',
  ],
  'set to stop, resumed, set to stop and ended': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'stop: active, month, 1 notify, set to stop | first paid 1900 paid 1900 | credit 0',
    'stop: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'renew: active, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900 | credit 0',
    'stop: active, month, 1 notify, set to stop | first paid 1900 paid 1900; renewal paid 1900 paid 1900 | ' +
      'credit 0',
    'renew: canceled, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900 | credit 0',
    'events: checkout.session.completed customer.subscription.created customer.subscription.deleted ' +
      'customer.subscription.updated customer.updated invoice.paid',
  ],
  'ended at once': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'wait: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'stop: canceled, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'events: checkout.session.completed customer.subscription.created customer.subscription.deleted ' +
      'customer.updated invoice.paid',
  ],
  'paid back': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'refund: active, month, 1 notify | first paid 1900 paid 1900 refunded 1900 | credit 0',
    'events: charge.refunded checkout.session.completed customer.subscription.created customer.updated ' +
      'invoice.paid',
  ],
  disputed: [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 disputed | credit 0',
    'events: charge.dispute.created checkout.session.completed customer.subscription.created ' +
      'customer.updated invoice.paid',
  ],
  yen: [
    'buy: active, month, 1 notify | first paid 2900 paid 2900 | credit 0',
    'wait: active, month, 1 notify | first paid 2900 paid 2900 | credit 0',
    'change: active, month, 1 notify + 1 shop | first paid 2900 paid 2900; change paid 3806 paid 3806 | credit 0',
    'renew: active, month, 1 notify + 1 shop | first paid 2900 paid 2900; change paid 3806 paid 3806; ' +
      'renewal paid 8800 paid 8800 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated invoice.paid',
  ],
  dinars: [
    'buy: active, month, 1 notify | first paid 5900 paid 5900 | credit 0',
    'wait: active, month, 1 notify | first paid 5900 paid 5900 | credit 0',
    'change: active, month, 1 notify + 1 shop | first paid 5900 paid 5900; change paid 7680 paid 7680 | credit 0',
    'renew: active, month, 1 notify + 1 shop | first paid 5900 paid 5900; change paid 7680 paid 7680; ' +
      'renewal paid 17800 paid 17800 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated invoice.paid',
  ],
  kronur: [
    'buy: active, month, 1 notify | first paid 2500 paid 2500 | credit 0',
    'wait: active, month, 1 notify | first paid 2500 paid 2500 | credit 0',
    'change: active, month, 1 notify + 1 shop | first paid 2500 paid 2500; change paid 3226 paid 3226 | credit 0',
    'renew: active, month, 1 notify + 1 shop | first paid 2500 paid 2500; change paid 3226 paid 3226; ' +
      'renewal paid 7500 paid 7500 | credit 0',
    'events: checkout.session.completed customer.subscription.created ' +
      'customer.subscription.pending_update_applied customer.subscription.updated customer.updated invoice.paid',
  ],
  'from 31 January': [
    'buy: active, month, 1 notify | first paid 1900 paid 1900 | credit 0',
    'renew: active, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900 | credit 0',
    'renew: active, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900; renewal paid ' +
      '1900 paid 1900 | credit 0',
    'renew: active, month, 1 notify | first paid 1900 paid 1900; renewal paid 1900 paid 1900; renewal paid ' +
      '1900 paid 1900; renewal paid 1900 paid 1900 | credit 0',
    'events: checkout.session.completed customer.subscription.created customer.subscription.updated ' +
      'customer.updated invoice.paid',
  ],
}
