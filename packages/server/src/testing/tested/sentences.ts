import { testsDirect } from '#testing/direct/test-gateway.ts'

/** How the tested network says that it refused a message. */
export const refusalSentence = testsDirect
  ? 'The network rejected the form of the message.'
  : 'The network refused the message.'
