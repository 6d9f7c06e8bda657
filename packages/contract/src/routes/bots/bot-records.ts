import * as z from 'zod'
import { botStatuses, botTextNames } from '../../model/assistant.ts'
import { named } from '../../model/envelope.ts'
import { at, count, text, unique, uuid } from '../../model/fields.ts'
import { timeZone } from '../../model/instants.ts'
import { limits } from '../../model/limits.ts'
import { maxAmount } from '../../model/money.ts'

const bounds = limits.bots
const standardTexts = 'A language without one has the standard text.'

/** Routes of assistants that only read, and those that change something. */
export const readBots = { feature: 'bots', keys: 'account' } as const
export const changeBots = { ...readBots, roles: ['owner', 'admin'] } as const
/** The same for catalogue and orders. */
export const readShop = { ...readBots, product: 'shop' } as const
export const changeShop = { ...changeBots, product: 'shop' } as const

export const botParams = { botId: uuid.describe('The assistant.') }

/** A language in a request: two letters of ISO 639-1. */
export const language = z
  .string()
  .max(2)
  .regex(/^[a-z]{2}$/, 'must be two lower-case letters like en')
const minuteOfDay = z
  .string()
  .max(5)
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time like 09:00')

const oneText = text(1, bounds.text).regex(/\S/, 'must not be only white space')
const textFields = Object.fromEntries(
  botTextNames.map((name) => [name, oneText.optional().describe(`The text "${name}". ${standardTexts}`)]),
) as Record<(typeof botTextNames)[number], z.ZodOptional<z.ZodString>>

const texts = z
  .record(language, named('BotLanguageTexts', 'Texts of an assistant in one language.', textFields))
  .refine((all) => Object.keys(all).length <= bounds.languages, `must have at most ${bounds.languages} languages`)
  .meta({ maxProperties: bounds.languages })
  .describe(
    'Texts that replace the standard ones, by language. Languages other than en, es, pt, fr, de and ar need ' +
      'unknown, handoff, away and choose.',
  )
export type BotTexts = z.infer<typeof texts>

const period = z
  .object({
    day: z.int().min(1).max(7).describe('The day of the week, 1 for Monday to 7 for Sunday.'),
    from: minuteOfDay.describe('When it begins, like 09:00.'),
    to: minuteOfDay.describe('When it ends, like 17:30; 24:00 is midnight.'),
  })
  .refine(({ from, to }) => from < to, { error: 'must end after it begins', path: ['to'] })
  .meta({ id: 'BusinessPeriod', description: 'A span of one day of the week.' })

const hours = named('NewBusinessHours', 'When people are there, to be set.', {
  timeZone: timeZone.unwrap().describe('IANA time zone of the times, like Europe/Berlin.'),
  week: z.array(period).max(bounds.periods).describe('When people are there.'),
  closed: z
    .array(
      z
        .string()
        .max(10)
        .regex(/^\d{4}-\d\d-\d\d$/, 'must be a day like 2026-12-25'),
    )
    .max(bounds.closedDays)
    .default([])
    .describe('Days on which it is closed, like 2026-12-25.'),
})
  .nullable()
  .describe('Business hours; null for always open.')

const amount = z.number().min(0).max(maxAmount)
const shop = named('NewBotShop', 'The shop of an assistant, to be set.', {
  enabled: z.boolean().describe('Whether customers can order.'),
  currency: z
    .string()
    .max(3)
    .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217 like EUR')
    .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'must be a currency of ISO 4217 like EUR')
    .nullable()
    .default(null)
    .describe('ISO 4217 code of the currency. It cannot change once there is an order.'),
  deliveryFee: amount.default(0).describe('What a delivery costs, in the currency.'),
  minimumOrder: amount.default(0).describe('The least that the products of an order must cost together.'),
  askName: z.boolean().default(true).describe('Whether the customer is asked for a name.'),
  askAddress: z.boolean().default(true).describe('Whether the customer is asked for an address.'),
  askNote: z.boolean().default(false).describe('Whether the customer is asked for a note.'),
})
  .nullable()
  .describe('The shop; null without one. Needs Shop.')

/** The fields that a request sets. */
export const botFields = {
  name: text(1, bounds.name).regex(/\S/, 'must not be only white space').describe('Its name, 1 to 100 characters.'),
  containerIds: unique(z.array(uuid).max(bounds.numbers)).describe(
    'The numbers it answers on, up to 20. One number has one active assistant.',
  ),
  languages: unique(z.array(language).min(1).max(bounds.languages)).describe(
    'Its languages, 1 to 5; the first is the one it begins in.',
  ),
  texts,
  instructions: text(0, bounds.instructions).describe('Instructions for a model, up to 8000 characters.'),
  hours,
  outsideHours: z
    .enum(['answer', 'away'])
    .describe('Outside business hours: answer as usual, or only say that you are away.'),
  personWords: unique(z.array(text(1, bounds.personWord)).max(bounds.personWords)).describe(
    'Words that ask for a person, beside the standard ones.',
  ),
  humanPauseMinutes: z
    .int()
    .min(1)
    .max(bounds.humanPauseMinutes)
    .describe('How long it is silent after a person wrote in the chat on the phone.'),
  shop,
}

/** The body of a new assistant. */
export const newBot = z.object({
  name: botFields.name,
  containerIds: botFields.containerIds.default([]),
  languages: botFields.languages.default(['en']),
  texts: botFields.texts.default({}),
  instructions: botFields.instructions.default(''),
  hours: botFields.hours.default(null),
  outsideHours: botFields.outsideHours.default('answer'),
  personWords: botFields.personWords.default([]),
  humanPauseMinutes: botFields.humanPauseMinutes.default(60),
  shop: botFields.shop.default(null),
})
export type NewBot = z.output<typeof newBot>

const hoursRecord = named('BusinessHours', 'When people are there.', {
  timeZone: z.string().describe('IANA time zone of the times.'),
  week: z.array(period).describe('When people are there.'),
  closed: z.array(z.string()).describe('Days on which it is closed.'),
})
export type BotHours = z.infer<typeof hoursRecord> | null

const shopRecord = named('BotShop', 'The shop of an assistant.', {
  enabled: z.boolean().describe('Whether customers can order.'),
  currency: z.string().nullable().describe('ISO 4217 code of the currency, or null.'),
  deliveryFee: z.number().describe('What a delivery costs, in the currency.'),
  minimumOrder: z.number().describe('The least that the products of an order must cost together.'),
  askName: z.boolean().describe('Whether the customer is asked for a name.'),
  askAddress: z.boolean().describe('Whether the customer is asked for an address.'),
  askNote: z.boolean().describe('Whether the customer is asked for a note.'),
})

/** One assistant. */
export const bot = named('Bot', 'An assistant that answers private messages on numbers of the organization.', {
  id: z.uuid().describe('The assistant.'),
  name: z.string().describe('Its name.'),
  status: z.enum(botStatuses).describe('draft before its first activation; only an active one speaks.'),
  containerIds: z.array(z.uuid()).describe('The numbers it answers on.'),
  languages: z.array(z.string()).describe('Its languages; the first is the one it begins in.'),
  texts: z.record(z.string(), z.record(z.string(), z.string())).describe('Texts that replace the standard ones.'),
  instructions: z.string().describe('Instructions for a model.'),
  hours: hoursRecord.nullable().describe('Business hours; null for always open.'),
  outsideHours: z.enum(['answer', 'away']).describe('What it does outside business hours.'),
  personWords: z.array(z.string()).describe('Words that ask for a person, beside the standard ones.'),
  humanPauseMinutes: z.int().describe('How long it is silent after a person wrote in the chat on the phone.'),
  shop: shopRecord.nullable().describe('The shop; null without one.'),
  answers: count('How many answers it has.'),
  notice: z
    .enum(['product_missing', 'no_number', 'shop_missing'])
    .nullable()
    .describe(
      'Why an active assistant does not speak, or a paused one would not: no product or no number. shop_missing: ' +
        'it takes no orders. Else null.',
    ),
  createdAt: at('When it was created.'),
  updatedAt: at('When it was last changed.'),
})
export type Bot = z.infer<typeof bot>
