import { verbs } from '../../program.ts'
import { clockVerbs } from './clock.ts'
import { connectionVerbs } from './connection.ts'
import { faultsVerbs } from './faults.ts'
import { inboundVerb } from './inbound.ts'
import { mailVerb } from './mail.ts'
import { payVerb } from './pay.ts'
import { presenceVerbs } from './presence.ts'
import { receiptVerb } from './receipt.ts'
import { transcriptVerb } from './transcript.ts'

export const register = verbs(
  connectionVerbs,
  inboundVerb,
  presenceVerbs,
  receiptVerb,
  transcriptVerb,
  mailVerb,
  clockVerbs,
  payVerb,
  faultsVerbs,
)
