import * as z from 'zod'
import { orderStatuses } from '../../model/assistant.ts'
import { named } from '../../model/envelope.ts'
import { at, hasLetter, person, text } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { maxAmount } from '../../model/money.ts'

const bounds = limits.bots

export const productFields = {
  sku: text(1, bounds.sku).nullable().describe('Your own code of it, or null. No two products have the same.'),
  name: text(1, bounds.productName)
    .refine(hasLetter, 'must have a letter or a digit')
    .describe('Its name, 1 to 100 characters.'),
  description: text(0, bounds.productDescription).describe('A description, up to 1000 characters.'),
  price: z.number().min(0).max(maxAmount).describe('Its price, with at most the decimals of the currency.'),
  stock: z.int().min(0).max(bounds.stock).nullable().describe('How many there are; null without a count.'),
  available: z.boolean().describe('Whether it can be ordered.'),
  position: z.int().min(0).max(bounds.position).describe('Its place in the menu; lower ones come first.'),
}

/** A product in a request. */
export const newProduct = named('NewBotProduct', 'A product to add to the catalogue.', {
  sku: productFields.sku.default(null),
  name: productFields.name,
  description: productFields.description.default(''),
  price: productFields.price,
  stock: productFields.stock.default(null),
  available: productFields.available.default(true),
  position: productFields.position.default(0),
})

export const product = named('BotProduct', 'A product of the catalogue.', {
  id: z.uuid().describe('The product.'),
  sku: z.string().nullable().describe('Your own code of it, or null.'),
  name: z.string().describe('Its name.'),
  description: z.string().describe('A description.'),
  price: z.number().describe('Its price, in the currency of the shop.'),
  stock: z.int().nullable().describe('How many there are; null without a count.'),
  available: z.boolean().describe('Whether it can be ordered.'),
  position: z.int().describe('Its place in the menu.'),
  createdAt: at('When it was added.'),
  updatedAt: at('When it was last changed.'),
})
export type BotProduct = z.infer<typeof product>

const orderStatus = z.enum(orderStatuses)

export const order = named('BotOrder', 'A cash-on-delivery order.', {
  orderNumber: z.string().describe('The number of the order, counted in the organization from 1001.'),
  status: orderStatus.describe('The status of the order; refused: not taken at the door.'),
  contactPhone: person.describe('Who ordered: digits, or an id ending in `@lid`.'),
  containerId: z.uuid().describe('The number it came by.'),
  conversationId: z.uuid().describe('The conversation it was placed in.'),
  lines: z
    .array(
      z.object({
        productId: z.uuid().describe('The product, which may have been removed since.'),
        name: z.string().describe('Its name when it was ordered.'),
        price: z.number().describe('Its price when it was ordered.'),
        quantity: z.int().describe('How many were ordered.'),
      }),
    )
    .describe('What was ordered.'),
  deliveryFee: z.number().describe('What the delivery costs.'),
  total: z.number().describe('What it costs, with the delivery.'),
  currency: z.string().describe('ISO 4217 code of the currency.'),
  name: z.string().nullable().describe('The name of the customer, if it was asked for.'),
  address: z.string().nullable().describe('The address, if it was asked for.'),
  note: z.string().nullable().describe('A note of the customer.'),
  history: z
    .array(
      z.object({
        at: at('When it came to the status.'),
        status: orderStatus.describe('The status.'),
        note: z.string().nullable().describe('A note of the person who moved it.'),
      }),
    )
    .describe('The statuses it has had, the oldest first.'),
  placedAt: at('When it was placed.'),
  updatedAt: at('When it was last moved.'),
})
export type BotOrder = z.infer<typeof order>

export const orderPhone = named('BotOrderPhone', 'A phone that gets a text for each order.', {
  phone: z.string().describe('Digits of the phone.'),
  name: z.string().nullable().describe('Whose it is.'),
  createdAt: at('When it was added.'),
})
