/** What the scripts of all pages begin with. Texts of the service are set as text, never as HTML. */
export const pageScript = `'use strict'
const page = document.getElementById('page')

function show(...parts) {
  page.replaceChildren(...parts)
}

function element(name, text, attributes) {
  const made = document.createElement(name)
  if (text) made.textContent = text
  return Object.assign(made, attributes)
}

let session

async function call(path, body, method = 'POST') {
  const response = await fetch('api/v1' + path, {
    method,
    headers: { 'content-type': 'application/json', ...(session && { authorization: 'Bearer ' + session }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}

function field(label, attributes) {
  const input = element('input', '', { required: true, ...attributes })
  const wrapper = element('label', label)
  wrapper.append(input)
  return { wrapper, input }
}

function form(title, fields, button, submit) {
  const problem = element('p', '', { role: 'alert' })
  const made = element('form')
  made.append(element('h1', title), ...fields.map(({ wrapper }) => wrapper), element('button', button), problem)
  made.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.textContent = ''
    submit().catch((error) => {
      problem.textContent = error.message
    })
  })
  show(made)
}
`

/** How the pages of AI clients sign a person in: the token stays in memory. `next` runs afterwards. */
export const signInScript = `
function signIn(next) {
  const email = field('E-mail', { type: 'email', autocomplete: 'username' })
  const password = field('Password', { type: 'password', autocomplete: 'current-password' })
  form('Sign in', [email, password], 'Sign in', async () => {
    const answer = await call('/auth/sign-in', { email: email.input.value, password: password.input.value })
    if (!answer.twoFactorRequired) return begin(answer, next)
    const code = field('Code of your authenticator', { autocomplete: 'one-time-code', maxLength: 40 })
    form('Second step', [code], 'Continue', async () =>
      begin(await call('/auth/two-factor', { challenge: answer.challenge, code: code.input.value }), next),
    )
  })
}

async function begin(answer, next) {
  session = answer.token
  await next(answer.user)
}

function failed(error) {
  show(element('h1', 'This does not work'), element('p', error.message))
}

function buttons(...choices) {
  const problem = element('p', '', { role: 'alert' })
  const line = element('p')
  for (const { label, choose } of choices) {
    const button = element('button', label, { type: 'button' })
    button.addEventListener('click', () => {
      problem.textContent = ''
      choose().catch((error) => {
        problem.textContent = error.message
      })
    })
    line.append(button)
  }
  return [line, problem]
}
`
