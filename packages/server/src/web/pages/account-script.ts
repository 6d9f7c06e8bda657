import { pageScript } from './page-script.ts'

/**
 * The script of the account page, for browsers. It takes the token from the fragment of the address, removes it from
 * there, shows the form for its purpose and calls the API. Texts of the service are set as text, never as HTML.
 */
export const accountScript = `${pageScript}
const [, purpose, token] = /^#(join|reset|verify)=([A-Za-z0-9_-]{1,200})$/.exec(location.hash) || []
history.replaceState(null, '', location.pathname)

const newPassword = () =>
  field('New password, at least 10 characters', {
    type: 'password',
    minLength: 10,
    maxLength: 200,
    autocomplete: 'new-password',
  })

const pages = {
  async verify() {
    await call('/auth/email/verify', { token })
    show(element('h1', 'Your e-mail address is confirmed'))
  },
  async reset() {
    const password = newPassword()
    form('Set a new password', [password], 'Set password', async () => {
      await call('/auth/password/reset', { token, password: password.input.value })
      show(element('h1', 'Your new password is set'), element('p', 'Sign in with it now.'))
    })
  },
  async join() {
    const invitation = await call('/auth/invitation', { token })
    const name = field('Your name', { maxLength: 100, autocomplete: 'name' })
    const password = invitation.registered
      ? field('Password of ' + invitation.email, { type: 'password', autocomplete: 'current-password' })
      : newPassword()
    const fields = invitation.registered ? [password] : [name, password]
    form('Join ' + invitation.organizationName + ' as ' + invitation.role, fields, 'Join', async () => {
      const body = { token, password: password.input.value }
      await call('/auth/join', invitation.registered ? body : { ...body, name: name.input.value })
      show(element('h1', 'You are a member of ' + invitation.organizationName), element('p', 'Sign in now.'))
    })
  },
}

async function incomplete() {
  show(element('h1', 'This link is not complete'), element('p', 'Copy the whole link from the mail.'))
}

const open = pages[purpose] || incomplete
open().catch((error) => show(element('h1', 'This link does not work'), element('p', error.message)))
`
