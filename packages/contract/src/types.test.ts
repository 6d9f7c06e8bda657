import { describe, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { InputTo, OutputOf, ParsedFor, ResultOf } from './contract.ts'
import type { EventKind } from './events/events.ts'
import { route } from './route.ts'

/** A call, as a client makes it. */
declare function call<I>(input: I): void

describe('what a caller gives', () => {
  it('is one flat object, with defaults and optional fields left out', () => {
    expectTypeOf<{ phone: string; message: string }>().toExtend<InputTo<'alert', 'send'>>()
    expectTypeOf<InputTo<'alert', 'send'>['priority']>().toEqualTypeOf<'high' | 'normal' | 'low' | undefined>()
    expectTypeOf<InputTo<'messages', 'list'>['limit']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<InputTo<'campaigns', 'update'>['scheduledAt']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<InputTo<'events', 'list'>['types']>().toEqualTypeOf<string | undefined>()
  })

  it('joins path parameters with the body and the query', () => {
    expectTypeOf<InputTo<'alert', 'forward'>>().toExtend<{ messageId: string; phone: string }>()
    expectTypeOf<InputTo<'chats', 'thread'>['phone']>().toEqualTypeOf<string>()
    expectTypeOf<keyof InputTo<'chats', 'thread'>>().toEqualTypeOf<'phone' | 'limit' | 'before' | 'containerId'>()
  })

  it('is nothing where a route takes nothing', () => {
    expectTypeOf<keyof InputTo<'account', 'me'>>().toEqualTypeOf<never>()
  })

  it('does not compile when something is missing or wrong', () => {
    const compile = () => {
      // @ts-expect-error The message is required.
      call<InputTo<'alert', 'send'>>({ phone: '+12025550100' })
      // @ts-expect-error There is no such priority.
      call<InputTo<'alert', 'send'>>({ phone: '+12025550100', message: 'hi', priority: 'urgent' })
      // @ts-expect-error A path parameter is required like any field.
      call<InputTo<'messages', 'get'>>({})
      // @ts-expect-error A webhook address must be said, even when it is null.
      call<InputTo<'webhook', 'set'>>({})
      // @ts-expect-error The values of placeholders are texts.
      call<InputTo<'campaigns', 'create'>['recipients']>([{ phone: '+12025550100', variables: { age: 7 } }])
      // @ts-expect-error No number can stop being the default by itself.
      call<InputTo<'numbers', 'update'>>({ containerId: '', isDefault: false })
    }
    expectTypeOf(compile).toBeFunction()
  })
})

describe('what a caller gets', () => {
  it('is the response as it goes over the wire', () => {
    expectTypeOf<OutputOf<'alert', 'send'>>().toEqualTypeOf<{
      success: true
      messageId: string
      status: 'queued'
      priority: 'high' | 'normal' | 'low'
      containerId: string
    }>()
    expectTypeOf<OutputOf<'numbers', 'list'>>().not.toHaveProperty('success')
    expectTypeOf<OutputOf<'otp', 'verify'>['verified']>().toEqualTypeOf<true>()
  })

  it('narrows a QR by its status', () => {
    type Qr = OutputOf<'numbers', 'qr'>
    expectTypeOf<Extract<Qr, { status: 'SCAN_QR_CODE' }>['qr']['expiresInSeconds']>().toEqualTypeOf<number>()
    expectTypeOf<Extract<Qr, { status: 'already_connected' }>>().not.toHaveProperty('qr')
    expectTypeOf<Exclude<Qr, { status: 'SCAN_QR_CODE' | 'already_connected' }>['hint']>().toEqualTypeOf<string>()
  })
})

describe('what a handler is given and returns', () => {
  it('is parsed, with defaults filled', () => {
    expectTypeOf<ParsedFor<'alert', 'send'>['body']['priority']>().toEqualTypeOf<'high' | 'normal' | 'low'>()
    expectTypeOf<ParsedFor<'chats', 'list'>['query']['limit']>().toEqualTypeOf<number>()
    expectTypeOf<ParsedFor<'events', 'list'>['query']['types']>().toEqualTypeOf<EventKind[] | undefined>()
    expectTypeOf<ParsedFor<'campaigns', 'status'>['params']>().toEqualTypeOf<{ id: string }>()
  })

  it('is returned without success, which the edge adds', () => {
    expectTypeOf<ResultOf<'alert', 'send'>>().not.toHaveProperty('success')
    expectTypeOf<ResultOf<'alert', 'send'>['messageId']>().toEqualTypeOf<string>()
    expectTypeOf<ResultOf<'numbers', 'start'>>().toEqualTypeOf<{ status: 'starting'; message: string }>()
  })
})

describe('a route', () => {
  const promises = {
    summary: 'One thing',
    access: { keys: 'any' },
    response: z.object({}),
    example: { input: { id: 'a' }, output: {} },
  } as const

  it('does not compile with parameters that are not those of its path', () => {
    const compile = () => {
      // @ts-expect-error The path names an id, and there is no schema for it.
      route('GET /things/:id', promises)
      // @ts-expect-error The path names an id, not a name.
      route('GET /things/:id', { ...promises, params: z.object({ name: z.string() }) })
      // @ts-expect-error The path has no parameters.
      route('GET /things', { ...promises, params: z.object({ id: z.string() }) })
      return route('GET /things/:id', { ...promises, params: z.object({ id: z.string() }) })
    }
    expectTypeOf<ReturnType<typeof compile>['endpoint']>().toEqualTypeOf<'GET /things/:id'>()
  })
})
