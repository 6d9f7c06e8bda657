/**
 * What each example prints, by package and place; `driver` is the program that uses what an example exports.
 *
 * @type {Record<string, { driver?: string, output: string }>}
 */
export const expected = {
  'contract-1': { output: 'POST /alert/send 201 false\ntrue\n3.1.0' },
  'webhook-verifier-1': {
    driver: 'post-to-server.mjs',
    output: '01a1a0bd-8f60-7c3d-8e4f-5a6b7c8d9e0f The recipient is not on the network.\n204',
  },
  'webhook-verifier-2': { output: '' },
  'webhook-verifier-3': { driver: 'call-post.mjs', output: '01a1a0bd-8f60-7c3d-8e4f-5a6b7c8d9e0f was read\n204\n401' },
  'webhook-verifier-4': {
    driver: 'call-worker.mjs',
    output: '01a1a0bd-8f60-7c3d-8e4f-5a6b7c8d9e0f The recipient is not on the network.\n204\n401',
  },
  'webhook-verifier-5': { driver: 'call-receive.mjs', output: 'NUMBER_NOT_ON_NETWORK\nrefused: no_matching_signature' },
  'webhook-verifier-6': { driver: 'call-handle.mjs', output: 'runs once for each delivery id\nhandled\nduplicate' },
  'webhook-verifier-7': { output: 'message.failed true' },
  'client-1': { output: 'queued m-1' },
  'client-2': { output: 'sent\nAda req-1\n12025550100 The recipient is not on the network.\nread' },
  'client-3': { output: '12025550100 NUMBER_NOT_ON_NETWORK' },
  'client-4': { output: '{ attemptsRemaining: 2 }' },
  'client-5': { output: '2 attempts left' },
  'client-6': { output: "[ 'Nour: active' ]" },
  'client-7': { output: 't-1' },
  'client-8': {
    output:
      "OTP_INVALID_CODE\n2 { requestId: '0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e', code: '123456' }\n" +
      'VALIDATION_ERROR\nmessage.failed',
  },
}
