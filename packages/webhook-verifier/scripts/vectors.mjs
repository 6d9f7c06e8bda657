import { writeFileSync } from 'node:fs'
import { acceptedVectors } from './vectors/accepted.mjs'
import { headerVectors } from './vectors/refused-headers.mjs'
import { signatureVectors } from './vectors/refused-signatures.mjs'
import { timeSecretAndBodyVectors } from './vectors/refused-times-secrets-bodies.mjs'
import { body, hmac, macOf, nowSeconds, payloadOf, secret, wrongKeys } from './vectors/signing.mjs'

/** `node scripts/vectors.mjs` writes vectors.json; `--print` only prints it, for the test that compares the two. */

const workedExample = {
  secret,
  t: nowSeconds,
  body,
  signedPayload: payloadOf(nowSeconds, body).toString('utf8'),
  key: { is: 'the UTF-8 bytes of the whole secret', hex: Buffer.from(secret).toString('hex'), v1: macOf() },
  wrongKeys: Object.entries({
    'what follows whsec_ decoded from base64, as generic libraries do': wrongKeys.base64,
    'what follows whsec_ decoded from hex': wrongKeys.hex,
    'what follows whsec_ as text': wrongKeys.bare,
  }).map(([is, key]) => ({ is, hex: key.toString('hex'), v1: hmac(key, payloadOf(nowSeconds, body)) })),
}

const document = {
  about:
    'Test vectors of the webhook signature; docs/use/webhook-signature.md describes the format. Each request ' +
    'is verified with its secrets at nowSeconds, with a tolerance of 300 seconds to either side unless ' +
    'toleranceSeconds says otherwise. body is UTF-8 text; bodyBase64 stands for a body that is not. A verifier ' +
    'must accept and refuse exactly as expect.accept says; reason is the name this ' +
    'package gives to the refusal.',
  workedExample,
  vectors: [...acceptedVectors, ...headerVectors, ...signatureVectors, ...timeSecretAndBodyVectors],
}

const text = `${JSON.stringify(document, null, 2)}\n`
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(new URL('../vectors.json', import.meta.url), text)
