import { isMessagingError, type MessagingClient } from '@msgctl/client'
import { rows } from '../../../packages/server/src/platform/db/db.ts'
import { insistently } from './ask.ts'
import type { ChaosEnvironment } from './environment.ts'
import type { Ledger } from './ledger.ts'

/** Ten minutes of service time and more: then the fate of every message that a process died with is known. */
const timeoutMs = 300_000

interface Desk {
  readonly environment: ChaosEnvironment
  readonly ledger: Ledger
}

/** Sends a one-time code to a new phone and verifies it where it arrived. */
export async function sendCode({ environment, ledger }: Desk, reference: string): Promise<void> {
  const phone = ledger.person()
  const code = { phone, requestId: null as string | null, verified: 0 }
  ledger.codes.push(code)
  const key = { idempotencyKey: reference.replace(' ', ':') }
  const request = { phone: `+${phone}`, clientReference: reference }
  const sent = await insistently(
    `the request for ${reference}`,
    async () => {
      try {
        return await nextClient(environment).otp.send(request, key)
      } catch (error) {
        // The response of a send that failed stays the same.
        if (await isFailed(environment, reference)) return null
        throw error
      }
    },
    timeoutMs,
  )
  if (!sent) return
  code.requestId = sent.requestId
  code.verified = await verify(environment, sent.requestId, phone)
}

let turn = 0

/** Returns the APIs in rotation, so that each gets its share of the codes. */
function nextClient({ clients }: ChaosEnvironment): MessagingClient {
  return clients[turn++ % clients.length] as MessagingClient
}

async function isFailed({ db }: ChaosEnvironment, reference: string): Promise<boolean> {
  const found = await rows<{ status: string }>(db, 'select status from messages where client_reference = :reference', {
    reference,
  })
  return found[0]?.status === 'failed'
}

/** Errors for the one code of a request when an earlier response was lost, or the code has expired. */
const ends = ['OTP_ALREADY_VERIFIED', 'OTP_EXPIRED', 'OTP_MAX_ATTEMPTS'] as const

/** Verifies the code that the phone got, again after it was accepted. Returns how often it was accepted. */
async function verify(ground: ChaosEnvironment, requestId: string, phone: string): Promise<number> {
  const code = await insistently(`finding the code for ${phone}`, () => codeAt(ground, phone))
  let verified = 0
  await insistently(`verifying the code for ${phone}`, async () => {
    try {
      await nextClient(ground).otp.verify({ requestId, code })
      verified += 1
    } catch (error) {
      if (isMessagingError(error, ...ends)) return
      throw error
    }
    throw new Error('the code must be refused from now on')
  })
  return verified
}

async function codeAt({ db }: ChaosEnvironment, phone: string): Promise<string> {
  const [found] = await rows<{ text: string }>(
    db,
    `select content ->> 'text' as text from sim_messages where chat = :phone and direction = 'out'`,
    { phone },
  )
  const code = found?.text.match(/\b\d{4,8}\b/)?.[0]
  if (code === undefined) throw new Error('the code did not reach the phone')
  return code
}
