import type Koa from 'koa'
import { servePage } from './page.ts'
import { pageScript, signInScript } from './page-script.ts'

/**
 * The script of the page where a person decides about what an AI client wants to send: who asks, to whom, the whole
 * text.
 */
const script = `${pageScript}${signInScript}
const [, action] = /^#action=([0-9a-f-]{36})$/.exec(location.hash) || []
const states = {
  pending: 'It waits for your decision.',
  approved: 'It was approved and is being carried out.',
  done: 'It was approved and carried out.',
  failed: 'It was approved, and failed.',
  denied: 'It was denied. Nothing was sent.',
  expired: 'The time to decide is over. Nothing was sent.',
}

function outcome({ state, result }) {
  const error = state === 'failed' && result && result.error ? ' ' + result.error.message : ''
  return element('p', states[state] + error)
}

function quoted({ text, samples }) {
  const texts = text === null ? samples.map((sample) => '+' + sample.phone + ': ' + sample.text) : [text]
  return texts.map((one) => element('blockquote', one))
}

async function ask() {
  const { action: asked, preview } = await call('/mcp/actions/' + action, undefined, 'GET')
  const decide = (verb) => async () => {
    const { action: decided } = await call('/mcp/actions/' + action + verb)
    show(element('h1', decided.summary), outcome(decided))
  }
  const people = preview.recipient === null ? preview.people + ' people' : preview.recipient
  show(
    element('h1', asked.summary),
    element('p', 'Asked by the AI client “' + asked.connection.name + '”.'),
    element('p', preview.reason),
    ...(preview.people > 0 ? [element('p', 'To ' + people + ':'), ...quoted(preview)] : []),
    ...(asked.state === 'pending'
      ? buttons({ label: 'Approve', choose: decide('/approve') }, { label: 'Deny', choose: decide('/deny') })
      : [outcome(asked)]),
  )
}

if (action) signIn(ask)
else failed(new Error('The address of this page is not complete.'))
`

/** Serves GET /approve, where a person decides about what an AI client wants to send. */
export function approvePage(): Koa.Middleware {
  return servePage({
    path: '/approve',
    title: 'Approve a message',
    withoutScript: 'This page needs JavaScript. In a terminal: msgctl mcp actions, msgctl mcp approve.',
    script,
  })
}
