import * as z from 'zod'
import * as example from '../../examples/assistants.ts'
import { orderStatuses } from '../../model/assistant.ts'
import { ok } from '../../model/envelope.ts'
import { pageOf, pageQuery, phoneNumber, search, text, uuid } from '../../model/fields.ts'
import { instant } from '../../model/instants.ts'
import { limits } from '../../model/limits.ts'
import { route } from '../../route.ts'
import { botParams, changeShop, readShop } from './bot-records.ts'
import { newProduct, order, orderPhone, product, productFields } from './shop-records.ts'

const bounds = limits.bots
const params = z.object(botParams)
const productParams = z.object({ ...botParams, productId: uuid.describe('The product.') })
const orderParams = z.object({
  ...botParams,
  orderNumber: z
    .string()
    .max(15)
    .regex(/^[1-9]\d{0,14}$/, 'must be the number of an order')
    .describe('The number of the order.'),
})

/** The routes of catalogue, orders and order phones. */
export const shopRoutes = {
  /** Returns the products in the order of the menu. */
  products: route('GET /bots/:botId/products', {
    summary: 'List products',
    access: readShop,
    params,
    query: z.object({ search: search('Part of the name or the sku.'), ...pageQuery }),
    response: ok({ ...pageOf, products: z.array(product).describe('The products of this page.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { botId: example.botId, search: 'pizza' },
      output: { total: 1, page: 1, limit: 50, products: [example.pizza] },
    },
    msgctl: `msgctl bots products list ${example.botId}`,
  }),

  /**
   * Adds a product. CONFLICT for a sku that another product has; FORBIDDEN_ACTION beyond 500 products, or before the
   * shop has a currency. For owners, admins and the account key.
   */
  addProduct: route('POST /bots/:botId/products', {
    summary: 'Add a product',
    access: changeShop,
    params,
    body: newProduct,
    status: 201,
    response: ok({ product }),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN_ACTION'],
    idempotent: true,
    example: {
      input: {
        botId: example.botId,
        name: example.pizza.name,
        price: example.pizza.price,
        sku: example.pizza.sku,
        stock: example.pizza.stock,
      },
      output: { product: example.pizza },
    },
    msgctl: `msgctl bots products add ${example.botId} "${example.pizza.name}" 9.50 --sku P-1 --stock 20`,
  }),

  /** Adds 1 to 500 products, all or none. For owners, admins and the account key. */
  importProducts: route('POST /bots/:botId/products/import', {
    summary: 'Import products',
    access: changeShop,
    params,
    body: z.object({ rows: z.array(newProduct).min(1).max(bounds.products).describe('1 to 500 products.') }),
    status: 201,
    response: ok({ created: z.int().min(1).describe('Products created.') }),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN_ACTION'],
    bulk: true,
    idempotent: true,
    example: {
      input: { botId: example.botId, rows: [{ name: example.pizza.name, price: example.pizza.price }] },
      output: { created: 1 },
    },
  }),

  /** Changes a product; omitted fields keep their values. For owners, admins and the account key. */
  changeProduct: route('PUT /bots/:botId/products/:productId', {
    summary: 'Change a product',
    access: changeShop,
    params: productParams,
    body: z.object({
      sku: productFields.sku.optional(),
      name: productFields.name.optional(),
      description: productFields.description.optional(),
      price: productFields.price.optional(),
      stock: productFields.stock.optional(),
      available: productFields.available.optional(),
      position: productFields.position.optional(),
    }),
    response: ok({ product }),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN_ACTION'],
    example: {
      input: { botId: example.botId, productId: example.pizza.id, price: 10.5 },
      output: { product: { ...example.pizza, price: 10.5 } },
    },
    msgctl: `msgctl bots products edit ${example.botId} ${example.pizza.id} --price 10.50`,
  }),

  /** Removes a product. Orders keep its name and price. For owners, admins and the account key. */
  removeProduct: route('DELETE /bots/:botId/products/:productId', {
    summary: 'Remove a product',
    access: changeShop,
    params: productParams,
    response: ok({}),
    errors: ['NOT_FOUND'],
    example: { input: { botId: example.botId, productId: example.pizza.id }, output: {} },
    msgctl: `msgctl bots products remove ${example.botId} ${example.pizza.id}`,
  }),

  /** Returns the orders of a shop, the latest first. */
  orders: route('GET /bots/:botId/orders', {
    summary: 'List orders',
    access: readShop,
    params,
    query: z.object({
      status: z.enum(orderStatuses).optional().describe('Only orders in this status.'),
      phone: text(1, limits.phone.max)
        .optional()
        .describe('Only orders of this person: digits, or an id ending in `@lid`.'),
      from: instant.optional().describe('Only orders placed since this time, ISO 8601 with Z or an offset.'),
      to: instant.optional().describe('Only orders placed before this time, ISO 8601 with Z or an offset.'),
      ...pageQuery,
    }),
    response: ok({ ...pageOf, orders: z.array(order).describe('The orders of this page.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { botId: example.botId, status: 'placed' },
      output: { total: 1, page: 1, limit: 50, orders: [example.botOrder] },
    },
    msgctl: `msgctl bots orders list ${example.botId} --status placed`,
  }),

  /** Returns one order with its lines and its history. */
  order: route('GET /bots/:botId/orders/:orderNumber', {
    summary: 'Get an order',
    access: readShop,
    params: orderParams,
    response: ok({ order }),
    errors: ['NOT_FOUND'],
    example: {
      input: { botId: example.botId, orderNumber: example.botOrder.orderNumber },
      output: { order: example.botOrder },
    },
    msgctl: `msgctl bots orders show ${example.botId} ${example.botOrder.orderNumber}`,
  }),

  /**
   * Moves an order: placed to confirmed or cancelled, confirmed to shipped or cancelled, shipped to delivered or
   * refused. Cancelled and refused orders put their stock back. FORBIDDEN_ACTION for any other move. The customer is
   * notified where a number can send. For owners, admins and the account key.
   */
  changeOrder: route('PUT /bots/:botId/orders/:orderNumber', {
    summary: 'Move an order',
    access: changeShop,
    params: orderParams,
    body: z.object({
      status: z.enum(orderStatuses).describe('The new status.'),
      note: text(1, bounds.orderNote).optional().describe('A note for its history, and for the customer.'),
      notify: z.boolean().default(true).describe('Whether the customer gets a text.'),
    }),
    response: ok({ order, notified: z.boolean().describe('Whether a text to the customer was queued.') }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    example: {
      input: { botId: example.botId, orderNumber: example.botOrder.orderNumber, status: 'confirmed' },
      output: { order: example.confirmedOrder, notified: true },
    },
    msgctl: `msgctl bots orders set ${example.botId} ${example.botOrder.orderNumber} confirmed`,
  }),

  /** Returns the phones that get a text for each order. */
  orderPhones: route('GET /bots/:botId/order-phones', {
    summary: 'List order phones',
    access: readShop,
    params,
    response: ok({ orderPhones: z.array(orderPhone).describe('The phones, the oldest first.') }),
    errors: ['NOT_FOUND'],
    example: { input: { botId: example.botId }, output: { orderPhones: [example.orderPhone] } },
    msgctl: `msgctl bots phones list ${example.botId}`,
  }),

  /**
   * Adds a phone that gets a text for each order. STAFF_PHONE_LIMIT beyond 10; STAFF_PHONE_IS_BUSINESS for a phone of
   * one of the organization's numbers; CONFLICT when it is there already; NUMBER_VALIDATION_UNAVAILABLE while the
   * network does not say whether it is on it. For owners, admins and the account key.
   */
  addOrderPhone: route('POST /bots/:botId/order-phones', {
    summary: 'Add an order phone',
    access: changeShop,
    params,
    body: z.object({
      phone: phoneNumber,
      name: text(1, limits.personName).nullable().default(null).describe('Whose it is.'),
    }),
    status: 201,
    response: ok({ orderPhone }),
    errors: [
      'NOT_FOUND',
      'STAFF_PHONE_LIMIT',
      'STAFF_PHONE_IS_BUSINESS',
      'CONFLICT',
      'NUMBER_NOT_ON_NETWORK',
      'NUMBER_VALIDATION_UNAVAILABLE',
    ],
    example: {
      input: { botId: example.botId, phone: '+12025550177', name: 'Kitchen' },
      output: { orderPhone: example.orderPhone },
    },
    msgctl: `msgctl bots phones add ${example.botId} +${example.orderPhone.phone} --name ${example.orderPhone.name}`,
  }),

  /** Removes an order phone. For owners, admins and the account key. */
  removeOrderPhone: route('DELETE /bots/:botId/order-phones/:phone', {
    summary: 'Remove an order phone',
    access: changeShop,
    params: z.object({ ...botParams, phone: phoneNumber.describe('The phone.') }),
    response: ok({}),
    errors: ['NOT_FOUND'],
    example: { input: { botId: example.botId, phone: '+12025550177' }, output: {} },
    msgctl: `msgctl bots phones remove ${example.botId} +${example.orderPhone.phone}`,
  }),
}
