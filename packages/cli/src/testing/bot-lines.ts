const createBot = 'bot=$(msgctl bots create Desk --numbers Demo --currency EUR --quiet --output plain --fields id)'
const activateBot = ['msgctl bots activate Desk'] as const
const addAnswer = 'msgctl bots answers add Desk "At 9." --question "When do you open?"'
const addProduct = 'msgctl bots products add Desk Pizza 9.50'
const askUnknown = ['msgctl sim inbound +12025550100 Xylophone?', 'msgctl sim advance 4s'] as const

/** The preparations of lines about assistants. */
export const botPreparations: Readonly<Record<string, readonly string[]>> = {
  bot: [createBot],
  active: [createBot, ...activateBot],
  answer: [createBot, `answer=$(${addAnswer} --quiet --output plain --fields id)`],
  review: [
    createBot,
    ...activateBot,
    ...askUnknown,
    'review=$(msgctl bots reviews list Desk --output plain --fields id)',
  ],
  since: [
    createBot,
    ...activateBot,
    'msgctl send +12025550100 hi --wait read --quiet',
    'since=$(msgctl events list --limit 1 --output plain --fields id)',
    ...askUnknown,
  ],
  conversation: [
    createBot,
    ...activateBot,
    ...askUnknown,
    'conversation=$(msgctl bots conversations list Desk --output plain --fields id)',
  ],
  product: [createBot, `product=$(${addProduct} --quiet --output plain --fields id)`],
  order: [
    createBot,
    ...activateBot,
    addProduct,
    "printf '2 pizza\\norder\\nJane\\n1 Main Street\\nyes' | msgctl bots try Desk",
    'order=$(msgctl bots orders list Desk --output plain --fields orderNumber)',
  ],
  staffPhone: [createBot, 'staffPhone=$(msgctl bots phones add Desk +12025550188 --output plain --fields phone)'],
}

/** A line of each command about assistants. */
export const botLines: readonly string[] = [
  'msgctl bots list # bot',
  'msgctl bots show $bot',
  'msgctl bots create Desk',
  'msgctl bots edit $bot --outside-hours away',
  'msgctl bots activate $bot',
  'msgctl bots pause Desk # active',
  'msgctl bots delete $bot',
  'msgctl bots ask Desk "when do you open" # answer',
  'msgctl bots usage',
  'msgctl bots watch Desk --limit 1 --after $since',
  'echo when do you open | msgctl bots try Desk # active',
  'msgctl bots answers list Desk # answer',
  `${addAnswer} # bot`,
  'msgctl bots answers import $bot --csv answers.csv',
  'msgctl bots answers remove Desk $answer',
  'msgctl bots reviews list Desk # review',
  'msgctl bots reviews resolve Desk $review --answer "A shop."',
  'msgctl bots conversations list Desk # conversation',
  'msgctl bots conversations show Desk $conversation',
  'msgctl bots conversations take-over Desk $conversation',
  'msgctl bots conversations give-back Desk $conversation',
  'msgctl bots products list Desk # product',
  `${addProduct} # bot`,
  'msgctl bots products import $bot --csv products.csv',
  'msgctl bots products edit Desk $product --price 10',
  'msgctl bots products remove Desk $product',
  'msgctl bots orders list Desk # order',
  'msgctl bots orders show Desk $order',
  'msgctl bots orders set Desk $order confirmed',
  'msgctl bots phones list Desk # staffPhone',
  'msgctl bots phones add $bot +12025550188',
  'msgctl bots phones remove Desk $staffPhone',
]
