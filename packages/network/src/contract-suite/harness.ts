import { expect } from 'vitest'
import { GatewayError, type GatewayErrorKind } from '../errors.ts'
import type { Content, Driver, Gateway, GatewayEvent, GatewaySession, NetAddress } from '../gateway.ts'

/** A driver with its network, which a test can control and inspect from the recipient's side. */
export interface GatewayHarness {
  readonly gateway: Driver
  /** Returns a number that was never used. */
  newNumber(): GatewaySession
  /** Links a number that shows a QR code, as its owner would. */
  link(session: GatewaySession): Promise<void>
  /** The digits of a person who receives and reads messages, and digits that are not on the network. */
  readonly reachablePerson: string
  readonly unreachablePerson: string
  /** Sends `text` to the number from another phone. */
  writeTo(session: GatewaySession, text: string): Promise<void>
  /** How many messages with this client id a phone has shown; copies that it recognized do not count. */
  reached(session: GatewaySession, clientId: string): Promise<number>
  /** The text that the recipient's phone shows for a message now; null for one that it does not show. */
  phoneShows(session: GatewaySession, networkId: string): Promise<string | null>
  /** Gives the phone of a number that is not linked yet these chats, which it shares when it is linked. */
  seedHistory(session: GatewaySession, chats: readonly SeededChat[]): Promise<void>
  /** Saves a person under a name in the address book of a linked phone. */
  saveContact(session: GatewaySession, digits: string, name: string): Promise<void>
}

/** A chat on the phone of a number, its oldest message first. */
export interface SeededChat {
  readonly digits: string
  readonly messages: readonly { readonly direction: 'in' | 'out'; readonly text: string }[]
}

/** Makes what one test works with; it cleans up after the test. */
export type MakeHarness = () => Promise<GatewayHarness>

/** Longer than any driver may take to answer a send in a test. */
export const timeoutMs = 10_000
const pollTimeoutMs = 10_000

/** A message of these words. */
export function text(words: string): Content {
  return { kind: 'text', text: words }
}

/** Returns the address of a person who receives messages. */
export function to(harness: GatewayHarness): NetAddress {
  return { kind: 'phone', digits: harness.reachablePerson }
}

/** The limits of a change. */
export const changing = { timeoutMs }

/** A number that works; its phone has the given chats. */
export async function linked(harness: GatewayHarness, chats: readonly SeededChat[] = []): Promise<GatewaySession> {
  const session = harness.newNumber()
  if (chats.length > 0) await harness.seedHistory(session, chats)
  await harness.gateway.start(session)
  await becomes(harness.gateway, session, 'SCAN_QR_CODE')
  await harness.link(session)
  await becomes(harness.gateway, session, 'WORKING')
  return session
}

/** Waits until the number is in this status. */
export async function becomes(gateway: Gateway, session: GatewaySession, status: string): Promise<void> {
  await expect
    .poll(async () => (await gateway.state(session)).status, { timeout: pollTimeoutMs, interval: 5 })
    .toBe(status)
}

/** Expects a call to fail in this way. */
export async function fails(
  call: Promise<unknown>,
  kind: GatewayErrorKind,
  outcome: GatewayError['outcome'],
): Promise<void> {
  const error: unknown = await call.then(
    () => 'it was done',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(GatewayError)
  expect(error).toMatchObject({ kind, outcome })
}

/** Collects events; `before` may throw in place of the handler. */
export function listen(gateway: Gateway, before: () => void = () => undefined) {
  const events: GatewayEvent[] = []
  const stop = gateway.subscribe(async (batch) => {
    before()
    events.push(...batch)
  })
  return {
    events,
    stop,
    until: (enough: (events: readonly GatewayEvent[]) => boolean) =>
      expect.poll(() => enough(events), { timeout: pollTimeoutMs, interval: 5 }).toBe(true),
  }
}
