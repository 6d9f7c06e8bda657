import { directEnvironment, testsDirect } from '#testing/direct/test-gateway.ts'
import { testedEngine, wahaEnvironment } from '#testing/waha/test-gateway.ts'

/** The settings of a service over the network that TEST_GATEWAY names (default: the simulator). */
export const testedEnvironment: Readonly<Record<string, string>> = testsDirect
  ? directEnvironment
  : testedEngine === null
    ? {}
    : wahaEnvironment
