import type Koa from 'koa'
import { servePage } from './page.ts'
import { pageScript, signInScript } from './page-script.ts'

/**
 * The script of the page that asks a person whether an AI client may connect. It shows who asks and where the answer
 * goes; only reading is ticked.
 */
const script = `${pageScript}${signInScript}
const [, request] = /^#request=([0-9a-f-]{36})$/.exec(location.hash) || []
const meanings = {
  read: 'Read chats, contacts, campaigns and reminders',
  send: 'Send messages. To people who never wrote, only after a person approves each one',
  manage: 'Mark chats read, plan reminders and prepare campaigns. Campaigns start only after a person approves',
}
const ways = {
  web: 'The answer goes to the website ',
  loopback: 'Take care: the answer goes to a program on this computer, at ',
  program: 'Take care: the answer goes to a program on this computer, opened by ',
}

function tick(scope) {
  const input = element('input', '', { type: 'checkbox', checked: scope === 'read', value: scope })
  const label = element('label')
  label.append(input, meanings[scope])
  return { label, input }
}

function numberChoice(numbers) {
  const select = element('select')
  select.append(element('option', 'All numbers', { value: '' }))
  for (const { containerId, label, phoneNumber } of numbers) {
    select.append(element('option', label + (phoneNumber ? ' (+' + phoneNumber + ')' : ''), { value: containerId }))
  }
  const label = element('label', 'It uses')
  label.append(select)
  return { label, select }
}

async function ask(user) {
  const { request: asked } = await call('/oauth/requests/' + request, undefined, 'GET')
  const { client, redirect } = asked
  const ticks = asked.scopes.map(tick)
  const number = numberChoice(asked.numbers)
  const answer = async (verb, body) => {
    const { redirectTo } = await call('/oauth/requests/' + request + verb, body)
    show(element('h1', 'Done'), element('p', 'You can close this page.'))
    location.assign(redirectTo)
  }
  const allow = () =>
    answer('/approve', {
      scopes: ticks.filter(({ input }) => input.checked).map(({ input }) => input.value),
      containerId: number.select.value || null,
    })
  show(
    element('h1', 'Connect an AI client?'),
    element('p', client.host ? 'An AI client of ' + client.host : 'An AI client that registered by itself'),
    element('p', 'It calls itself “' + client.name + '”.'),
    element('p', ways[redirect.kind] + redirect.host + '.'),
    element('p', 'Organization: ' + user.organization.name + '. You are signed in as ' + user.email + '.'),
    ...ticks.map(({ label }) => label),
    number.label,
    ...buttons({ label: 'Allow', choose: allow }, { label: 'Deny', choose: () => answer('/deny') }),
  )
}

if (request) signIn(ask)
else failed(new Error('The address of this page is not complete. Connect the AI client again.'))
`

/** Serves GET /connect, the consent page of AI clients. */
export function connectPage(): Koa.Middleware {
  return servePage({
    path: '/connect',
    title: 'Connect an AI client',
    withoutScript: 'This page needs JavaScript: it asks whether an AI client may connect.',
    script,
  })
}
