import type { Context } from '../../context.ts'
import { requireId } from '../../input/id-prefix.ts'
import { askText } from '../../input/prompt.ts'
import { readLine } from '../../input/read-input.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const verifiedColumns = defineColumns('verified, phone')

/** Above the 8 digits of a code, so that the service checks the length. */
const maxCodeBytes = 64

async function verify(context: Context, reference: string, typed: string | undefined): Promise<void> {
  const requestId = requireId(reference, 'msgctl otp send prints the id of the request.')
  const code = await codeFrom(context, typed)
  const client = await context.client()
  const { success: _always, ...verified } = await client.otp.verify(
    { requestId, code },
    { signal: context.host.signal },
  )
  await context.print.record(verified, verifiedColumns)
}

function codeFrom({ host }: Context, typed: string | undefined): Promise<string> {
  if (typed === '-') return readLine(host, maxCodeBytes)
  if (typed !== undefined) return Promise.resolve(typed)
  return askText(host, 'Code', '', 'Pass the code after the request id, or - to read it from stdin.')
}

/** `otp verify`. */
export const verifyVerb = verb(
  'verify <request> [code]',
  'verify a code; prompts for it if missing, - reads it from stdin',
  verify,
  [
    'msgctl otp verify 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl otp verify 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 048213',
  ],
)
