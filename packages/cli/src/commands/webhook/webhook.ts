import { verbs } from '../../program.ts'
import { replayVerb } from '../events/replay.ts'
import { addressVerbs } from './address.ts'
import { deliveryVerbs } from './deliveries.ts'
import { endpointsVerbs } from './endpoints.ts'
import { testVerb } from './test.ts'

export const register = verbs(
  addressVerbs,
  deliveryVerbs,
  replayVerb('msgctl webhook replay'),
  testVerb,
  endpointsVerbs,
)
